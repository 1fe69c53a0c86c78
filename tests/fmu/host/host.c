/* Load an FMU for co-simulation, step it and print variables: the shortest importing tool, with no Python in it.

       host LIBRARY RESOURCES GUID START STEP STEPS [VALUE_REFERENCE ...]

   Prints a line per communication point, the time and the values of the variables, so that nothing is lost in digits.
   The exit code is 0, or 1 after a message on what went wrong. */

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2Functions.h"

static void* library;

static void fail(const char* what, const char* detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

/* A function of the library. POSIX allows the conversion of pointers that C does not. */
static void find(const char* name, void* function) {
    void* address = dlsym(library, name);
    if (address == NULL) fail(name, dlerror());
    memcpy(function, &address, sizeof address);
}

static void check(const char* what, fmi2Status status) {
    if (status != fmi2OK) {
        fprintf(stderr, "%s returned %d\n", what, (int)status);
        exit(1);
    }
}

static void log_message(
    fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String message, ...
) {
    va_list arguments;
    (void)environment;
    va_start(arguments, message);
    fprintf(stderr, "%s [%s, %d] ", name, category, (int)status);
    vfprintf(stderr, message, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

static void print_row(double t, const fmi2Real* values, size_t n) {
    size_t i;
    printf("%a", t);
    for (i = 0; i < n; i++) printf(" %a", values[i]);
    printf("\n");
}

int main(int argc, char** argv) {
    static const fmi2CallbackFunctions callbacks = {log_message, calloc, free, NULL, NULL};
    fmi2InstantiateTYPE* instantiate;
    fmi2SetupExperimentTYPE* setup_experiment;
    fmi2EnterInitializationModeTYPE* enter_initialization;
    fmi2ExitInitializationModeTYPE* exit_initialization;
    fmi2GetRealTYPE* get_real;
    fmi2DoStepTYPE* do_step;
    fmi2TerminateTYPE* terminate;
    fmi2FreeInstanceTYPE* free_instance;
    fmi2ValueReference* references;
    fmi2Real* values;
    fmi2Component instance;
    double start, step;
    long k, steps;
    size_t i, n;

    if (argc < 7) fail("usage", "host LIBRARY RESOURCES GUID START STEP STEPS [VALUE_REFERENCE ...]");
    library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) fail("dlopen", dlerror());
    find("fmi2Instantiate", &instantiate);
    find("fmi2SetupExperiment", &setup_experiment);
    find("fmi2EnterInitializationMode", &enter_initialization);
    find("fmi2ExitInitializationMode", &exit_initialization);
    find("fmi2GetReal", &get_real);
    find("fmi2DoStep", &do_step);
    find("fmi2Terminate", &terminate);
    find("fmi2FreeInstance", &free_instance);
    start = strtod(argv[4], NULL);
    step = strtod(argv[5], NULL);
    steps = strtol(argv[6], NULL, 10);
    n = (size_t)(argc - 7);
    references = calloc(n + 1, sizeof *references);
    values = calloc(n + 1, sizeof *values);
    if (references == NULL || values == NULL) fail("calloc", "no memory");
    for (i = 0; i < n; i++) references[i] = (fmi2ValueReference)strtoul(argv[7 + i], NULL, 10);

    instance = instantiate("host", fmi2CoSimulation, argv[3], argv[2], &callbacks, fmi2False, fmi2False);
    if (instance == NULL) fail("fmi2Instantiate", "no instance");
    check("fmi2SetupExperiment", setup_experiment(instance, fmi2False, 0.0, start, fmi2False, 0.0));
    check("fmi2EnterInitializationMode", enter_initialization(instance));
    check("fmi2ExitInitializationMode", exit_initialization(instance));
    check("fmi2GetReal", get_real(instance, references, n, values));
    print_row(start, values, n);
    for (k = 0; k < steps; k++) {
        check("fmi2DoStep", do_step(instance, start + (double)k * step, step, fmi2True));
        check("fmi2GetReal", get_real(instance, references, n, values));
        print_row(start + (double)(k + 1) * step, values, n);
    }
    check("fmi2Terminate", terminate(instance));
    free_instance(instance);
    free(references);
    free(values);
    dlclose(library);
    return 0;
}
