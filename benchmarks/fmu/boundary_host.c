/* What the FMI front door costs: the same plan stepped through doStep and straight through the engine, by turns.
 *
 * boundary.py builds it, with the engine of the FMU and for its version of FMI, FMI_VERSION, and runs it:
 * boundary_host LIBRARY RESOURCES PLAN TOKEN STEP STEPS ROUNDS VALUE_REFERENCE PLACE
 * RESOURCES: a URI in FMI 2.0, a path in FMI 3.0. One line per round: ns per step by doStep, by the engine, and ns per
 * value that is read.
 */
#define _POSIX_C_SOURCE 199309L
#include "engine.c"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Of either version: begin, end, step, read. All return 0 if that is well. */
#if FMI_VERSION == 2
#include "boundary_fmi2.h"
#else
#include "boundary_fmi3.h"
#endif

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

void *find(void *library, const char *name)
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

/* A function of its own, as doStep is, which a profiler can tell. */
__attribute__((noinline)) int engine_step(Plan *plan, double t)
{
    return plan_advance(plan, t, LLONG_MAX / 2, NULL);
}

int main(int argc, char **argv)
{
    void *library = argc == 10 ? dlopen(argv[1], RTLD_NOW) : NULL;
    Plan *plan = library ? open_plan(argv[3]) : NULL;
    double h, value = 0.0, sum = 0.0;
    long steps, rounds, i, round, place;

    if (!plan || open_door(library, argv[4], argv[2], (unsigned)atol(argv[8]))) {
        fprintf(stderr, "boundary_host: cannot open the FMU or its plan\n");
        return 2;
    }
    (void)kb_choose_path(2);
    h = atof(argv[5]), steps = atol(argv[6]), rounds = atol(argv[7]), place = atol(argv[9]);
    for (round = 0; round < rounds; round++) {
        double began, by_step, by_engine, by_get;

        if (begin())
            return 3;
        began = now();
        for (i = 0; i < steps; i++)
            if (step((double)i * h, h))
                return 3;
        by_step = now() - began;

        began = now();
        for (i = 0; i < steps; i++) {
            if (get(&value))
                return 4;
            sum += value;
        }
        by_get = now() - began;
        end();

        if (plan_start(plan, 0.0) != STATUS_END)
            return 5;
        began = now();
        for (i = 0; i < steps; i++)
            if (engine_step(plan, (double)(i + 1) * h) != STATUS_END)
                return 6;
        by_engine = now() - began;
        if (plan->values[place] != value) {
            fprintf(stderr, "the FMU ends at %.17g, the engine at %.17g\n", value, plan->values[place]);
            return 7;
        }
        printf("%.4f %.4f %.4f\n", by_step / steps, by_engine / steps, by_get / steps);
    }
    return sum == 1e300;
}
