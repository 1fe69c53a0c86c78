/* What the FMI front door costs: the same plan stepped through fmi2DoStep and straight through the engine, by turns.
 *
 * boundary.py builds and runs it: boundary_host LIBRARY RESOURCES_URI PLAN GUID STEP STEPS ROUNDS VALUE_REFERENCE
 * One line per round: ns per step by doStep, by the engine, and ns per fmi2GetReal of one value.
 */
#define _POSIX_C_SOURCE 199309L
#include "engine.c"
#include "fmi2FunctionTypes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void quiet(fmi2ComponentEnvironment e, fmi2String i, fmi2Status s, fmi2String c, fmi2String m, ...)
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

static Plan *open_plan(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data;
    size_t size;
    int status;
    Plan *plan;

    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    size = (size_t)ftell(file);
    rewind(file);
    data = malloc(size);
    if (!data || fread(data, 1, size, file) != size)
        return NULL;
    fclose(file);
    if (plan_open(calloc(1, plan_memory(data, size, &status)), data, size, NULL, &plan) != STATUS_END)
        return NULL;
    return plan;
}

int main(int argc, char **argv)
{
    static fmi2CallbackFunctions callbacks = {quiet, calloc, free, NULL, NULL};
    void *library = argc == 9 ? dlopen(argv[1], RTLD_NOW) : NULL;
    Plan *plan = library ? open_plan(argv[3]) : NULL;
    double h, t, value = 0.0, sum = 0.0;
    long steps, rounds, i, round;
    fmi2ValueReference reference;
    fmi2Component c;

    if (!plan) {
        fprintf(stderr, "boundary_host: cannot open the FMU or its plan\n");
        return 2;
    }
    h = atof(argv[5]), steps = atol(argv[6]), rounds = atol(argv[7]);
    reference = (fmi2ValueReference)atol(argv[8]);

    {
        fmi2InstantiateTYPE *instantiate = (fmi2InstantiateTYPE *)find(library, "fmi2Instantiate");
        fmi2SetupExperimentTYPE *setup = (fmi2SetupExperimentTYPE *)find(library, "fmi2SetupExperiment");
        fmi2EnterInitializationModeTYPE *enter =
            (fmi2EnterInitializationModeTYPE *)find(library, "fmi2EnterInitializationMode");
        fmi2ExitInitializationModeTYPE *leave =
            (fmi2ExitInitializationModeTYPE *)find(library, "fmi2ExitInitializationMode");
        fmi2DoStepTYPE *do_step = (fmi2DoStepTYPE *)find(library, "fmi2DoStep");
        fmi2GetRealTYPE *get_real = (fmi2GetRealTYPE *)find(library, "fmi2GetReal");
        fmi2ResetTYPE *reset = (fmi2ResetTYPE *)find(library, "fmi2Reset");

        c = instantiate("benchmark", fmi2CoSimulation, argv[4], argv[2], &callbacks, fmi2False, fmi2False);
        if (!c)
            return 2;
        for (round = 0; round < rounds; round++) {
            double began, by_step, by_engine, by_get;

            setup(c, fmi2False, 0.0, 0.0, fmi2False, 0.0), enter(c), leave(c);
            began = now();
            for (i = 0; i < steps; i++)
                if (do_step(c, (double)i * h, h, fmi2True) != fmi2OK)
                    return 3;
            by_step = now() - began;

            began = now();
            for (i = 0; i < steps; i++) {
                if (get_real(c, &reference, 1, &value) != fmi2OK)
                    return 4;
                sum += value;
            }
            by_get = now() - began;
            reset(c);

            if (plan_start(plan, 0.0) != STATUS_END)
                return 5;
            began = now();
            for (i = 0; i < steps; i++) {
                t = (double)(i + 1) * h;
                if (plan_advance(plan, t, 1000000, NULL) != STATUS_END)
                    return 6;
            }
            by_engine = now() - began;
            if (plan->values[reference] != value) {
                fprintf(stderr, "the FMU ends at %.17g, the engine at %.17g\n", value, plan->values[reference]);
                return 7;
            }
            printf("%.4f %.4f %.4f\n", by_step / steps, by_engine / steps, by_get / steps);
        }
    }
    return sum == 1e300;
}
