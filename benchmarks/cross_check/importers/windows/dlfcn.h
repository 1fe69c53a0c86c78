/* What the hosts of tests/fmu/host take of <dlfcn.h>, by Windows. */

#include <windows.h>

#undef near
#undef far

#define RTLD_NOW 0
#define RTLD_LOCAL 0

static inline void* dlopen(const char* path, int flags) {
    (void)flags;
    return (void*)LoadLibraryA(path);
}

static inline void* dlsym(void* library, const char* name) {
    return (void*)(size_t)GetProcAddress((HMODULE)library, name);
}

static inline int dlclose(void* library) {
    return !FreeLibrary((HMODULE)library);
}

static inline char* dlerror(void) {
    static char text[32];
    wsprintfA(text, "error %lu", GetLastError());
    return text;
}
