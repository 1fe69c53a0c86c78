/* Load an FMU for co-simulation, step it and print variables: the shortest importing tool, with no Python in it.

       host LIBRARY RESOURCES GUID START STEP STEPS [OUTPUT ...] [-- INPUT ...]

   Inputs and outputs are value references. A line per communication point is printed, the time and the values of the
   outputs, so that nothing is lost in digits. A line with the values of the inputs is read before each step; the first
   one is set during initialization too. The exit code is 0, or 1 after a message on what went wrong. */

#include "fmi2_tool.h"

#include "host.h"

static void set(const Fmi2* f, fmi2Component c, const Variables* inputs) {
    if (inputs->n) fmi2_check("fmi2SetReal", f->SetReal(c, inputs->references, inputs->n, inputs->values));
}

static void print_row(const Fmi2* f, fmi2Component c, double t, Variables* outputs) {
    fmi2_check("fmi2GetReal", f->GetReal(c, outputs->references, outputs->n, outputs->values));
    variables_print(t, outputs);
}

int main(int argc, char** argv) {
    static const fmi2CallbackFunctions callbacks = {fmi2_print_message, calloc, free, NULL, NULL};
    Fmi2 f;
    Variables inputs, outputs;
    fmi2Component instance;
    double start, step;
    long k, steps;

    if (argc < 7) fail("usage", "host LIBRARY RESOURCES GUID START STEP STEPS [OUTPUT ...] [-- INPUT ...]");
    fmi2_open(&f, argv[1]);
    start = strtod(argv[4], NULL);
    step = strtod(argv[5], NULL);
    steps = strtol(argv[6], NULL, 10);
    variables_split(argc, argv, 7, &outputs, &inputs);

    instance = f.Instantiate("host", fmi2CoSimulation, argv[3], argv[2], &callbacks, fmi2False, fmi2False);
    if (instance == NULL) fail("fmi2Instantiate", "no instance");
    fmi2_check("fmi2SetupExperiment", f.SetupExperiment(instance, fmi2False, 0.0, start, fmi2False, 0.0));
    variables_read(&inputs);
    set(&f, instance, &inputs);
    fmi2_check("fmi2EnterInitializationMode", f.EnterInitializationMode(instance));
    fmi2_check("fmi2ExitInitializationMode", f.ExitInitializationMode(instance));
    print_row(&f, instance, start, &outputs);
    for (k = 0; k < steps; k++) {
        if (k) variables_read(&inputs);
        set(&f, instance, &inputs);
        fmi2_check("fmi2DoStep", f.DoStep(instance, start + (double)k * step, step, fmi2True));
        print_row(&f, instance, start + (double)(k + 1) * step, &outputs);
    }
    fmi2_check("fmi2Terminate", f.Terminate(instance));
    f.FreeInstance(instance);
    variables_free(&inputs);
    variables_free(&outputs);
    dlclose(f.library);
    return 0;
}
