/* The section that opens compiled libraries: files LIBRARY.kernels beside the runtime's own, one for each.

   They are looked for where the standard has them, below the folder of the resources, from which the plan was read just
   now; then beside the binary that this is, for tools that keep binaries elsewhere. An instance holds what it has opened
   until it is freed; the system opens a file once. Nothing that a library has is seen by another (RTLD_LOCAL), so FMUs
   with different builds of one library do not mix. Texts stand in the section, too: an FMU without has none of it. */

#include <stdio.h>
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "libraries.h"

#define LIBRARY_ROOM 4096               /* of a path */
#define LIBRARY_TEXT 768                /* of what is wrong; messages have 1024 characters */

#if defined(_WIN32)
#define LIBRARY_SUFFIX ".dll"
#elif defined(__APPLE__)
#define LIBRARY_SUFFIX ".dylib"
#else
#define LIBRARY_SUFFIX ".so"
#endif

KB_SECTION_TEXT(magic, "KEELLIB")
KB_SECTION_TEXT(function, "keelblocks_library")
KB_SECTION_TEXT(in_resources, "%s../binaries/%s/%s.kernels" LIBRARY_SUFFIX)
KB_SECTION_TEXT(beside, "%s%s.kernels" LIBRARY_SUFFIX)
KB_SECTION_TEXT(no_library, "%s is no library of Keelblocks")
KB_SECTION_TEXT(other_abi, "%s was built for ABI %d, this FMU has %d")
KB_SECTION_TEXT(lacks, "%s has no kernel %s")
KB_SECTION_TEXT(too_many, "%s is one more than the %d that an FMU can have")
KB_SECTION_TEXT(problem, "it needs the library %s. %s. Build that (keelblocks build %s --platform %s), and export the FMU anew")

int kb_libraries_find(Libraries* those, const char* name, KernelEntry* k);
void kb_libraries_close(Libraries* those);

/* The folder of a file, with the separator at its end; 0 if there is no room. */
static int library_folder(char* folder, const char* file) {
    size_t length = strlen(file);
    while (length > 0 && file[length - 1] != '/' && file[length - 1] != '\\') length--;
    if (length >= LIBRARY_ROOM) return 0;
    memcpy(folder, file, length);
    folder[length] = 0;
    return 1;
}

#ifdef _WIN32

KB_SECTION_TEXT(code, "%s: error %lu of Windows")

static void* library_open(char* path) {
    wchar_t wide[LIBRARY_ROOM];
    char* c;
    for (c = path; *c; c++)
        if (*c == '/') *c = '\\';
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, LIBRARY_ROOM) <= 0) return NULL;
    return (void*)LoadLibraryW(wide);
}

/* The folder of this binary. */
static int library_own_folder(char* folder) {
    wchar_t wide[LIBRARY_ROOM];
    char path[LIBRARY_ROOM];
    HMODULE own;
    DWORD length;
    const DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExW(how, (LPCWSTR)(const void*)kb_text_magic, &own)) return 0;
    length = GetModuleFileNameW(own, wide, LIBRARY_ROOM);
    if (length == 0 || length >= LIBRARY_ROOM) return 0;
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, LIBRARY_ROOM, NULL, NULL) > 0 && library_folder(folder, path);
}

static void library_close(void* opened) {
    FreeLibrary((HMODULE)opened);
}

static void library_why(char* text, const char* path) {
    snprintf(text, LIBRARY_TEXT, kb_text_code, path, (unsigned long)GetLastError());
}

static int library_function(void* opened, void* function) {
    FARPROC found = GetProcAddress((HMODULE)opened, kb_text_function);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

#else

static void* library_open(const char* path) {
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static int library_own_folder(char* folder) {
    Dl_info own;
    return dladdr((const void*)kb_text_magic, &own) && own.dli_fname && library_folder(folder, own.dli_fname);
}

static void library_close(void* opened) {
    dlclose(opened);
}

/* The system's own words, which begin with the path. */
static void library_why(char* text, const char* path) {
    const char* why = dlerror();
    size_t i = 0;
    for (why = why ? why : path; why[i] && i + 1 < LIBRARY_TEXT; i++) text[i] = why[i];
    text[i] = 0;
}

static int library_function(void* opened, void* function) {
    void* found = dlsym(opened, kb_text_function);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

#endif

/* Open a library, or find that it is open; its path, or that at which it was expected. NULL, and why. */
static void* library_opened(const Libraries* those, const char* library, char* path, char* why) {
    char folder[LIBRARY_ROOM];
    char other[LIBRARY_ROOM];
    void* opened = NULL;
    *path = *why = 0;
    if (library_folder(folder, those->place)
        && (size_t)snprintf(path, LIBRARY_ROOM, kb_text_in_resources, folder, those->folder, library) < LIBRARY_ROOM)
        opened = library_open(path);
    if (opened) return opened;
    library_why(why, path);
    if (library_own_folder(folder)
        && (size_t)snprintf(other, LIBRARY_ROOM, kb_text_beside, folder, library) < LIBRARY_ROOM)
        opened = library_open(other);
    return opened;
}

/* Keep what was opened, once, until the instance is freed. */
static int library_kept(Libraries* those, void* opened) {
    int i;
    for (i = 0; i < those->count && those->opened[i] != opened; i++) continue;
    if (i < those->count) library_close(opened);        /* open twice now: the system counts */
    else if (i < LIBRARIES_LIMIT) those->opened[those->count++] = opened;
    else library_close(opened);
    return i < LIBRARIES_LIMIT;
}

/* What a library gives, or NULL, and why. */
static const KernelLibrary* library_given(void* opened, const char* path, char* why) {
    const KernelLibrary* (*give)(void);
    const KernelLibrary* library = library_function(opened, &give) ? give() : NULL;
    if (library == NULL || memcmp(library->magic, kb_text_magic, sizeof library->magic) != 0)
        snprintf(why, LIBRARY_TEXT, kb_text_no_library, path);
    else if (library->abi != KERNEL_ABI)
        snprintf(why, LIBRARY_TEXT, kb_text_other_abi, path, library->abi, (int)KERNEL_ABI);
    else return library;
    return NULL;
}

int kb_libraries_find(Libraries* those, const char* name, KernelEntry* k) {
    char library[256], path[LIBRARY_ROOM], why[LIBRARY_TEXT];
    const KernelLibrary* given = NULL;
    void* opened;
    size_t i = 0;
    for (; i + 1 < sizeof library && name[i] != '.'; i++) {
        const char c = name[i];         /* the name of a module of Python, and nothing that leaves the folder */
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return 0;
        library[i] = c;
    }
    library[i] = 0;
    if (i == 0 || name[i] != '.') return 0;
    opened = library_opened(those, library, path, why);
    if (opened && !library_kept(those, opened))
        snprintf(why, sizeof why, kb_text_too_many, path, LIBRARIES_LIMIT);
    else if (opened) given = library_given(opened, path, why);
    if (given && library_kernel(given, name, k)) return 1;
    if (given) snprintf(why, sizeof why, kb_text_lacks, path, name);
    snprintf(those->problem, sizeof those->problem, kb_text_problem, library, why, library, those->platform);
    return 0;
}

void kb_libraries_close(Libraries* those) {
    while (those->count > 0) library_close(those->opened[--those->count]);
}
