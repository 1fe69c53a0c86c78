/* Step an FMU from C: step_host LIBRARY RESOURCES_URI GUID STEP STEPS VALUE_REFERENCE ...
 * Prints the seconds that all steps took, and then the values of the variables. */
#define _POSIX_C_SOURCE 199309L
#include "fmi2FunctionTypes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_message(fmi2ComponentEnvironment e, fmi2String i, fmi2Status s, fmi2String c, fmi2String m, ...)
{
    (void)e, (void)i, (void)s, (void)c;
    fprintf(stderr, "%s\n", m);
}

static void *find(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "no function %s in the FMU\n", name);
        exit(2);
    }
    return found;
}

int main(int argc, char **argv)
{
    const fmi2CallbackFunctions callbacks = {print_message, calloc, free, NULL, NULL};
    void *library = argc < 6 ? NULL : dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    fmi2InstantiateTYPE *instantiate;
    fmi2DoStepTYPE *do_step;
    fmi2GetRealTYPE *get_real;
    fmi2Component c;
    double step, began;
    long k, steps;
    int i;

    if (!library) {
        fprintf(stderr, "step_host: %s\n", argc < 6 ? "too few arguments" : dlerror());
        return 2;
    }
    *(void **)&instantiate = find(library, "fmi2Instantiate");
    *(void **)&do_step = find(library, "fmi2DoStep");
    *(void **)&get_real = find(library, "fmi2GetReal");
    step = strtod(argv[4], NULL);
    steps = strtol(argv[5], NULL, 10);
    c = instantiate("host", fmi2CoSimulation, argv[3], argv[2], &callbacks, fmi2False, fmi2False);
    if (!c || ((fmi2SetupExperimentTYPE *)find(library, "fmi2SetupExperiment"))(c, fmi2False, 0.0, 0.0, fmi2False, 0.0)
        || ((fmi2EnterInitializationModeTYPE *)find(library, "fmi2EnterInitializationMode"))(c)
        || ((fmi2ExitInitializationModeTYPE *)find(library, "fmi2ExitInitializationMode"))(c))
        return 1;
    began = now();
    for (k = 0; k < steps; k++)
        if (do_step(c, (double)k * step, step, fmi2True))
            return 1;
    printf("%.9g\n", now() - began);
    for (i = 6; i < argc; i++) {
        const fmi2ValueReference reference = (fmi2ValueReference)strtoul(argv[i], NULL, 10);
        double value;
        if (get_real(c, &reference, 1, &value))
            return 1;
        printf("%.17g\n", value);
    }
    ((fmi2FreeInstanceTYPE *)find(library, "fmi2FreeInstance"))(c);
    return 0;
}
