/* What tools load on Linux of an FMU with blocks written in Python: a stub that finds Python, then the real wrapper.

   The wrapper of PythonFMU calls Python without saying where it is: it loads only into a process that has a Python
   already. This library has the FMI functions and needs the C library alone. On the first instantiation it takes the
   Python of the process, or finds one and makes its symbols known to all (RTLD_GLOBAL), opens the wrapper that stands
   next to it under the name <identifier>_wrapper.so, and from then on hands on each call.

   It also mends what the wrapper does with failures (see Shared), resource locations, arguments that are NULL and calls
   that it does not have. Nothing but the loaded libraries is global, and those are loaded once. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE                     /* dladdr, RTLD_DEFAULT, dl_iterate_phdr */
#endif

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#include "resources.c"

#define STUB_TEXT 4096
#define STUB_OLDEST 10                  /* the oldest Python 3 that Keelblocks runs on, and the newest to look for */
#define STUB_NEWEST 20

extern char** environ;

enum { STUB_OK = 0, STUB_WARNING = 1, STUB_DISCARD = 2, STUB_ERROR = 3, STUB_FATAL = 4 };

enum {                                  /* the states of an instance, as fmu/python/instance.py has them */
    STUB_INSTANTIATED = 1,
    STUB_STEP_COMPLETE = 4,
    STUB_STEP_FAILED = 8,
    STUB_TERMINATED = 16,
    STUB_ANY = 63,
    STUB_READABLE = STUB_ANY & ~STUB_INSTANTIATED,
    STUB_SETTABLE = STUB_INSTANTIATED | 2 | STUB_STEP_COMPLETE
};

/* What the slave and the stub share: fmu/python/front.py has the same. The slave leaves the status that a call is to
   return in `status` instead of raising, because the wrapper releases its slave once too often after an exception. */
typedef struct Shared {
    int status;
    int state;
    int stopped;
    int stop_defined;
    int tolerance_defined;
    int count;                          /* FMI 3: how many values a call gets or sets; STUB_CHECK: see there */
    double time;
    double start;
    double stop;
    double tolerance;
} Shared;

/* The value reference by which the slave gets the token and the address of what is shared; nothing else has it. */
#define STUB_HANDSHAKE 0xffffffffu

/* In `count`: a state that is given is to be checked only, and not taken up. */
#define STUB_CHECK (-1)

static const char stub_categories[4][20] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"};

/* --- Python -------------------------------------------------------------------------------------------------------- */

typedef struct Loader {
    void* wrapper;                      /* the library that calls go to; NULL if there is none */
    char problem[STUB_TEXT];            /* why there is none */
    char executable[STUB_TEXT];         /* the Python that was asked; "" if none was */
} Loader;

static Loader loader;
static pthread_once_t loader_once = PTHREAD_ONCE_INIT;

/* A function of a library. POSIX allows the conversion of pointers that C does not. */
static int stub_find(void* library, const char* name, void* function) {
    void* address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static int stub_has_python(void) {
    return dlsym(RTLD_DEFAULT, "Py_IsInitialized") != NULL;
}

/* A library of Python that is in the process, but that not all may see (RTLD_LOCAL), is made known to all. */
static int stub_promote(struct dl_phdr_info* info, size_t size, void* found) {
    const char* name = strrchr(info->dlpi_name, '/');
    (void)size;
    name = name ? name + 1 : info->dlpi_name;
    if (strncmp(name, "libpython3.", 11) != 0) return 0;        /* libpython3.so is an empty one */
    snprintf((char*)found, STUB_TEXT, "%s", info->dlpi_name);
    return 1;
}

static int stub_open(const char* library, int flags) {
    return dlopen(library, RTLD_NOW | RTLD_GLOBAL | flags) != NULL && stub_has_python();
}

/* What a Python prints about itself: its executable, its version, and where its library may be, one in a line. */
static const char stub_question[] =
    "import sys, sysconfig\n"
    "v = sysconfig.get_config_var\n"
    "print(sys.executable)\n"
    "print('%d.%d' % sys.version_info[:2])\n"
    "n = [x for x in (v('INSTSONAME'), v('LDLIBRARY')) if x and '.so' in x]\n"
    "n.append('libpython%d.%d.so.1.0' % sys.version_info[:2])\n"
    "d = [x for x in (v('LIBDIR'), v('LIBPL'), sys.base_prefix + '/lib') if x]\n"
    "print('\\n'.join([a + '/' + b for b in n for a in d] + n))\n";

/* Run a Python with a question; its answer, cut off at `room`. False if it cannot be run. */
static int stub_ask(const char* python, char* answer, size_t room) {
    char* arguments[4];
    posix_spawn_file_actions_t actions;
    int ends[2], failed;
    size_t used = 0;
    ssize_t got;
    pid_t process;
    arguments[0] = (char*)(uintptr_t)python;
    arguments[1] = (char*)(uintptr_t)"-c";
    arguments[2] = (char*)(uintptr_t)stub_question;
    arguments[3] = NULL;
    answer[0] = 0;
    if (pipe(ends) != 0) return 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    failed = posix_spawnp(&process, python, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!failed) {
        while (used + 1 < room && (got = read(ends[0], answer + used, room - 1 - used)) > 0) used += (size_t)got;
        answer[used] = 0;
        waitpid(process, NULL, 0);
    }
    close(ends[0]);
    return !failed && used > 0;
}

/* Take the Python of an executable. False, with the problem noted, if that is not possible. */
static int stub_take(const char* python) {
    char answer[4 * STUB_TEXT];
    char *line, *rest = NULL;
    const char* version;
    if (!stub_ask(python, answer, sizeof answer)) {
        snprintf(loader.problem, sizeof loader.problem, "'%.1000s' is no Python that runs", python);
        return 0;
    }
    line = strtok_r(answer, "\n", &rest);
    snprintf(loader.executable, sizeof loader.executable, "%s", line ? line : "");
    version = strtok_r(NULL, "\n", &rest);
    while ((line = strtok_r(NULL, "\n", &rest)) != NULL)
        if (stub_open(line, 0)) return 1;
    snprintf(loader.problem, sizeof loader.problem,
        "the Python %.40s at '%.1000s' has no shared library libpython%.40s.so: install it (Debian, Ubuntu: "
        "apt install libpython%.40s), or take another Python",
        version ? version : "3", loader.executable, version ? version : "3", version ? version : "3");
    loader.executable[0] = 0;
    return 0;
}

/* See to it that the symbols of one Python, and only one, can be seen by all libraries. False if there is none. */
static int stub_find_python(void) {
    const char* named = getenv("KEELBLOCKS_PYTHON");
    char text[STUB_TEXT] = "";
    int minor;
    if (stub_has_python()) return 1;
    if (dl_iterate_phdr(stub_promote, text) && stub_open(text, RTLD_NOLOAD)) return 1;
    if (named && *named) return strstr(named, ".so") ? stub_open(named, 0) : stub_take(named);
    if (stub_take("python3")) return 1;
    for (minor = STUB_NEWEST; minor >= STUB_OLDEST; minor--) {
        snprintf(text, sizeof text, "libpython3.%d.so.1.0", minor);
        if (stub_open(text, 0)) return 1;
    }
    return 0;
}

/* The executable that belongs to a library of Python: bin/python3.X in a folder above it. By that a Python finds its
   modules; otherwise it would take those of whatever python3 is on the PATH. */
static void stub_guess_executable(void) {
    const char* (*version)(void);
    void* function;
    char folder[STUB_TEXT];
    char* end;
    Dl_info python;
    int minor;
    if (!stub_find(RTLD_DEFAULT, "Py_GetVersion", &version)) return;
    memcpy(&function, &version, sizeof function);
    if (!dladdr(function, &python) || python.dli_fname == NULL || sscanf(version(), "3.%d", &minor) != 1) return;
    snprintf(folder, sizeof folder, "%s", python.dli_fname);
    while ((end = strrchr(folder, '/')) != NULL) {
        *end = 0;
        snprintf(loader.executable, sizeof loader.executable, "%.4000s/bin/python3.%d", folder, minor);
        if (access(loader.executable, X_OK) == 0) return;
    }
    loader.executable[0] = 0;
}

/* Start the interpreter if nobody did, and let go of it. It is never ended: NumPy cannot be loaded twice. */
static int stub_start_python(void) {
    int (*is_initialized)(void);
    void (*initialize)(int);
    void* (*save_thread)(void);
    int (*run)(const char*, void*);
    wchar_t* (*decode)(const char*, size_t*);
    void (*set_program_name)(const wchar_t*);
    if (!stub_find(RTLD_DEFAULT, "Py_IsInitialized", &is_initialized)) return 0;
    if (is_initialized()) return 1;
    if (!stub_find(RTLD_DEFAULT, "Py_InitializeEx", &initialize)
        || !stub_find(RTLD_DEFAULT, "PyEval_SaveThread", &save_thread)) return 0;
    /* By its executable a Python finds its packages, those of a virtual environment too. */
    if (!loader.executable[0]) stub_guess_executable();
    if (loader.executable[0] && stub_find(RTLD_DEFAULT, "Py_DecodeLocale", &decode)
        && stub_find(RTLD_DEFAULT, "Py_SetProgramName", &set_program_name)) {
        wchar_t* name = decode(loader.executable, NULL);
        if (name) set_program_name(name);       /* which keeps it */
    }
    initialize(0);                              /* 0: signals stay the host's */
    if (stub_find(RTLD_DEFAULT, "PyRun_SimpleStringFlags", &run))
        run("import sys\nfor _ in (sys.stdout, sys.stderr):\n    _ and _.reconfigure(line_buffering=True)\n", NULL);
    save_thread();
    return is_initialized();
}

/* The wrapper clears up when it is unloaded. At the end of a process its variables are gone by then, so this comes
   first: handlers run in the opposite order of their registration. */
static void stub_at_exit(void) {
    void (*clear_up)(void);
    if (loader.wrapper && stub_find(loader.wrapper, "finalizePythonInterpreter", &clear_up)) clear_up();
}

static void stub_load(void) {
    char path[STUB_TEXT + 16];
    Dl_info self;
    size_t length;
    if (!stub_find_python() || !stub_start_python()) {
        if (!loader.problem[0])
            snprintf(loader.problem, sizeof loader.problem, "there is no library of a Python, libpython3.X.so, here");
        return;
    }
    loader.problem[0] = 0;
    if (!dladdr((void*)(uintptr_t)&loader, &self) || self.dli_fname == NULL || strlen(self.dli_fname) >= STUB_TEXT) {
        snprintf(loader.problem, sizeof loader.problem, "the path of this library is not known");
        return;
    }
    length = strlen(self.dli_fname);
    if (length > 3 && strcmp(self.dli_fname + length - 3, ".so") == 0) length -= 3;
    snprintf(path, sizeof path, "%.*s_wrapper.so", (int)length, self.dli_fname);
    loader.wrapper = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (loader.wrapper == NULL) {
        const char* text = dlerror();
        snprintf(loader.problem, sizeof loader.problem, "cannot load the wrapper: %.3000s", text ? text : path);
    } else {                            /* this library stays, or the handler would be gone when it is called */
        dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
        atexit(stub_at_exit);
    }
}

/* Open everything, once in a process. False, with a message that says what to do in `text`, if that is not possible. */
static int stub_ready(char* text, size_t room) {
    pthread_once(&loader_once, stub_load);
    if (loader.wrapper) return 1;
    snprintf(text, room,
        "this FMU has blocks written in Python and cannot run here: %s. documentation/index.html says what it needs; the "
        "environment variable KEELBLOCKS_PYTHON names the Python to take, such as /opt/env/bin/python", loader.problem);
    return 0;
}

/* --- messages and places ------------------------------------------------------------------------------------------- */

enum { STUB_LOG_PROBLEMS = 14, STUB_LOG_ALL = 15 };

/* The bit of a category; that of the status where the wrapper names none that we know. */
static int stub_category(const char* category, int status) {
    int k;
    for (k = 0; category && k < 4; k++)
        if (strcmp(category, stub_categories[k]) == 0) return k;
    return status <= STUB_OK ? 0 : status >= STUB_ERROR ? 3 : status;
}

/* A text that goes through printf, without surprises. */
static void stub_escape(char* to, size_t room, const char* text) {
    size_t i = 0;
    for (; *text && i + 3 < room; text++) {
        if (*text == '%' || *text == '#') to[i++] = *text;
        to[i++] = *text;
    }
    to[i] = 0;
}

/* The wrapper's words for an exception, without what it puts before them. */
static const char* stub_bare(const char* message) {
    static const char begin[] = "Fatal py exception encountered";
    const char* rest = strchr(message, '\n');
    return rest && strncmp(message, begin, sizeof begin - 1) == 0 ? rest + 1 : message;
}

/* The folder that a resource location names, decoded, to be freed; NULL, with the reason in `text`, if it is not that of
   such an FMU. */
static int stub_is_hexadecimal(char c) {
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

/* Whether a path has something like %20 in it, which PythonFMU would decode once more and look elsewhere. */
static int stub_has_escape(const char* path) {
    for (; *path; path++)
        if (path[0] == '%' && stub_is_hexadecimal(path[1]) && stub_is_hexadecimal(path[2])) return 1;
    return 0;
}

static char* stub_resources(const char* location, char* text, size_t room) {
    Resource slave = resource_load(location, "slavemodule.txt", "keelbloc", calloc);
    char* folder = NULL;
    if (slave.problem) {
        resource_describe(&slave, location, text, room);
    } else {
        folder = slave.path;
        slave.path = NULL;
        folder[strlen(folder) - strlen("/slavemodule.txt")] = 0;
        if (stub_has_escape(folder)) {
            snprintf(text, room, "PythonFMU cannot read from '%s', because of the per cent sign in that name: "
                "unpack the FMU elsewhere", folder);
            free(folder);
            folder = NULL;
        }
    }
    resource_free(&slave, free);
    return folder;
}

#include "python_stub_fmi2.c"
#include "python_stub_fmi3.c"
