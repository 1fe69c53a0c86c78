/* A tool that has a Python of its own, which no other library can see, and several FMUs with blocks written in Python.

       embedding LIBPYTHON|- CYCLES [LIBRARY RESOURCES GUID VALUE_REFERENCE ...]

   Opens LIBPYTHON with RTLD_LOCAL and starts it, unless that is "-". Then, CYCLES times: loads the FMUs, makes two
   instances of each, steps all in turns, prints the value of each instance, frees everything and unloads the FMUs.
   At the end it prints how many different libraries of Python are in the process. */

#include "fmi2_tool.h"

#include <link.h>

enum { MOST = 8, STEPS = 10 };

static int count_pythons(struct dl_phdr_info* info, size_t size, void* count) {
    (void)size;
    if (strstr(info->dlpi_name, "libpython3.")) ++*(int*)count;
    return 0;
}

static void start_python(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void (*initialize)(int);
    void* (*save_thread)(void);
    if (library == NULL) fail("dlopen", dlerror());
    tool_find(library, "Py_InitializeEx", &initialize);
    tool_find(library, "PyEval_SaveThread", &save_thread);
    initialize(0);
    save_thread();
}

static void run(char** arguments, int fmus) {
    static const fmi2CallbackFunctions callbacks = {fmi2_print_message, calloc, free, NULL, NULL};
    Fmi2 f[MOST];
    fmi2Component c[2 * MOST];
    int i, k;
    for (i = 0; i < 2 * fmus; i++) {
        char** own = arguments + 4 * (i / 2);
        if (i % 2 == 0) fmi2_open(&f[i / 2], own[0]);
        c[i] = f[i / 2].Instantiate("embedding", fmi2CoSimulation, own[2], own[1], &callbacks, fmi2False, fmi2False);
        if (c[i] == NULL) fail("fmi2Instantiate", "no instance");
        fmi2_check("fmi2SetupExperiment", f[i / 2].SetupExperiment(c[i], fmi2False, 0.0, 0.0, fmi2False, 0.0));
        fmi2_check("fmi2EnterInitializationMode", f[i / 2].EnterInitializationMode(c[i]));
        fmi2_check("fmi2ExitInitializationMode", f[i / 2].ExitInitializationMode(c[i]));
    }
    for (k = 0; k < STEPS; k++)
        for (i = 0; i < 2 * fmus; i++) fmi2_check("fmi2DoStep", f[i / 2].DoStep(c[i], 0.1 * k, 0.1, fmi2True));
    for (i = 0; i < 2 * fmus; i++) {
        const fmi2ValueReference reference = (fmi2ValueReference)strtoul(arguments[4 * (i / 2) + 3], NULL, 10);
        fmi2Real value = 0.0;
        fmi2_check("fmi2GetReal", f[i / 2].GetReal(c[i], &reference, 1, &value));
        printf("%g ", value);
        if (i != 1) f[i / 2].FreeInstance(c[i]);        /* one is left over, as tools do when they are in a hurry */
    }
    printf("\n");
    for (i = 0; i < fmus; i++) dlclose(f[i].library);
}

int main(int argc, char** argv) {
    int cycle, pythons = 0;
    if (argc < 7 || (argc - 3) % 4 || (argc - 3) / 4 > MOST) fail("usage", "see the source");
    if (strcmp(argv[1], "-") != 0) start_python(argv[1]);
    for (cycle = atoi(argv[2]); cycle > 0; cycle--) run(argv + 3, (argc - 3) / 4);
    dl_iterate_phdr(count_pythons, &pythons);
    printf("%d\n", pythons);
    return 0;
}
