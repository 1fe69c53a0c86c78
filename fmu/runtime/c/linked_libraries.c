/* Kernels of compiled libraries that are linked in: of an FMU that is compiled from its sources, of a module of
   WebAssembly. KB_LINKED_LIBRARIES lists the functions that give the libraries, each with a comma behind it. */

#ifndef KB_LINKED_LIBRARIES
#define KB_LINKED_LIBRARIES
#endif

static int linked_find(const char* name, KernelEntry* k) {
    static const KernelLibrary* (*const linked[])(void) = {KB_LINKED_LIBRARIES NULL};
    int i;
    for (i = 0; linked[i] != NULL; i++)
        if (library_kernel(linked[i](), name, k)) return 1;
    return 0;
}
