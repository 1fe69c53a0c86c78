/* Compiled libraries of others that an instance takes kernels from: what the runtime and its section share. */

#define LIBRARIES_LIMIT 32              /* in one FMU */

typedef struct Libraries {
    const char* place;                  /* a file of the resources */
    const char* folder;                 /* of this platform, below binaries/ */
    const char* platform;               /* by the name that `keelblocks build` takes */
    int count;
    void* opened[LIBRARIES_LIMIT];      /* as the system knows them, each once */
    char problem[1024];                 /* why a kernel was not found, where there is more to say than that */
} Libraries;

/* The kernel of this name, "library.kernel", if the library has it. */
static inline int library_kernel(const KernelLibrary* library, const char* name, KernelEntry* k) {
    int i;
    for (i = 0; i < library->count; i++) {
        if (strcmp(library->entries[i].name, name) == 0) {
            *k = library->entries[i];
            return 1;
        }
    }
    return 0;
}
