/* Instances of an FMU with damaged resources, by the FMI 2.0 functions. */

#include "fmi2_tool.h"

#include "fuzz.h"

#include "damage.h"

static Fmi2 f;

static void listen(
    fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String message, ...
) {
    va_list arguments;
    (void)environment, (void)name, (void)status, (void)category;
    va_start(arguments, message);
    vsnprintf(watched_message, sizeof watched_message, message, arguments);
    va_end(arguments);
}

/* All that a tool does with an instance, whatever comes of it. */
static void go_through(fmi2Component c, double step, Random* r) {
    fmi2FMUstate state = NULL;
    unsigned i;
    int k;
    f.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0);
    f.EnterInitializationMode(c);
    for (i = 0; i < REFERENCES; i++) {
        const fmi2Real real = some_number(r);
        f.SetReal(c, &i, 1, &real);
    }
    f.ExitInitializationMode(c);
    for (k = 0; k < 4; k++) {
        if (k == 2) f.GetFMUstate(c, &state);
        f.DoStep(c, k * step, step, fmi2True);
    }
    for (i = 0; i < REFERENCES; i++) {
        fmi2Real real;
        fmi2Integer integer;
        fmi2Boolean boolean;
        f.GetReal(c, &i, 1, &real);
        f.GetInteger(c, &i, 1, &integer);
        f.GetBoolean(c, &i, 1, &boolean);
    }
    if (state) f.SetFMUstate(c, state);
    f.FreeFMUstate(c, &state);
    f.Reset(c);
}

static int live(const char* token, const char* place, double step, int run, Random* r) {
    static const fmi2CallbackFunctions callbacks = {listen, calloc, free, NULL, NULL};
    fmi2Component c = f.Instantiate("damaged", fmi2CoSimulation, token, place, &callbacks, fmi2False, fmi2False);
    if (c == NULL) return 0;
    if (run) go_through(c, step, r);
    f.FreeInstance(c);
    return 1;
}

int main(int argc, char** argv) {
    if (argc > 1) fmi2_open(&f, argv[1]);
    return damage_rounds(argc, argv, live);
}
