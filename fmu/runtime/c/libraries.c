/* Kernels of compiled libraries: opened by a section that only FMUs with such kernels have, see opened_libraries.c; of an
   FMU that is compiled from its sources linked in. Part of instance.c. */

#ifdef KB_SECTION

KB_INSIDE int kb_libraries_find(Libraries*, const char* name, KernelEntry* k);
KB_INSIDE void kb_libraries_close(Libraries*);

static int libraries_find(void* instance, const char* name, KernelEntry* k) {
    Libraries* those = &((Instance*)instance)->libraries;
    if (!KB_IS_THERE(libraries)) return 0;
    those->place = ((Instance*)instance)->plan_file.path;
    those->folder = KB_FOLDER;
    those->platform = KB_PLATFORM;
    return kb_libraries_find(those, name, k);
}

static void libraries_close(Libraries* those) {
    if (those->count) kb_libraries_close(those);
}

#else

#include "linked_libraries.c"

static int libraries_find(void* instance, const char* name, KernelEntry* k) {
    (void)instance;
    return linked_find(name, k);
}

static void libraries_close(Libraries* those) {
    (void)those;
}

#endif
