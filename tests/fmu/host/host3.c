/* Load an FMU for co-simulation (FMI 3.0), step it and print variables.

       host3 LIBRARY RESOURCES TOKEN START STEP STEPS [OUTPUT[:ELEMENTS] ...] [-- INPUT[:ELEMENTS] ...]

   As host.c; RESOURCES is a path with a slash at its end. Steps are never interrupted: no event mode, no early return. */

#include "fmi3_tool.h"

#include "host.h"

static void set(const Fmi3* f, fmi3Instance c, const Variables* v) {
    if (v->n) fmi3_check("fmi3SetFloat64", f->SetFloat64(c, v->references, v->n, v->values, v->size));
}

static void print_row(const Fmi3* f, fmi3Instance c, double t, Variables* v) {
    fmi3_check("fmi3GetFloat64", f->GetFloat64(c, v->references, v->n, v->values, v->size));
    variables_print(t, v);
}

static void step(const Fmi3* f, fmi3Instance c, double t, double size) {
    fmi3Boolean event = fmi3True, terminate = fmi3True, early = fmi3True;
    fmi3Float64 reached = NAN;
    fmi3_check("fmi3DoStep", f->DoStep(c, t, size, fmi3True, &event, &terminate, &early, &reached));
    if (event || terminate || early) fail("fmi3DoStep", "has stopped on the way");
    if (!(fabs(reached - (t + size)) < 1e-6 * size)) fail("fmi3DoStep", "has reached another time");
}

int main(int argc, char** argv) {
    Fmi3 f;
    Variables inputs, outputs;
    fmi3Instance instance;
    double start, size;
    long k, steps;
    if (argc < 7) fail("usage", "host3 LIBRARY RESOURCES TOKEN START STEP STEPS [OUTPUT ...] [-- INPUT ...]");
    fmi3_open(&f, argv[1]);
    start = strtod(argv[4], NULL);
    size = strtod(argv[5], NULL);
    steps = strtol(argv[6], NULL, 10);
    variables_split(argc, argv, 7, &outputs, &inputs);

    instance = f.InstantiateCoSimulation(
        "host", argv[3], argv[2], fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, NULL, fmi3_print_message, NULL);
    if (instance == NULL) fail("fmi3InstantiateCoSimulation", "no instance");
    variables_read(&inputs);
    set(&f, instance, &inputs);
    fmi3_check("fmi3EnterInitializationMode", f.EnterInitializationMode(instance, fmi3False, 0.0, start, fmi3False, 0.0));
    fmi3_check("fmi3ExitInitializationMode", f.ExitInitializationMode(instance));
    print_row(&f, instance, start, &outputs);
    for (k = 0; k < steps; k++) {
        if (k) variables_read(&inputs);
        set(&f, instance, &inputs);
        step(&f, instance, start + (double)k * size, size);
        print_row(&f, instance, start + (double)(k + 1) * size, &outputs);
    }
    fmi3_check("fmi3Terminate", f.Terminate(instance));
    f.FreeInstance(instance);
    variables_free(&inputs);
    variables_free(&outputs);
    dlclose(f.library);
    return 0;
}
