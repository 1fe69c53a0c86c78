/* The door of FMI 2.0, for boundary_host.c. */
#include "fmi2FunctionTypes.h"

void *find(void *library, const char *name);

static struct {
    fmi2Component c;
    fmi2ValueReference reference;
    fmi2SetupExperimentTYPE *setup;
    fmi2EnterInitializationModeTYPE *enter;
    fmi2ExitInitializationModeTYPE *leave;
    fmi2ResetTYPE *reset;
} door;
static fmi2DoStepTYPE *do_step;
static fmi2GetRealTYPE *get_real;

static void quiet(fmi2ComponentEnvironment e, fmi2String i, fmi2Status s, fmi2String c, fmi2String m, ...)
{
    (void)e, (void)i, (void)s, (void)c;
    fprintf(stderr, "%s\n", m);
}

static int open_door(void *library, const char *token, const char *resources, unsigned reference)
{
    static fmi2CallbackFunctions callbacks = {quiet, calloc, free, NULL, NULL};
    fmi2InstantiateTYPE *instantiate = (fmi2InstantiateTYPE *)find(library, "fmi2Instantiate");
    do_step = (fmi2DoStepTYPE *)find(library, "fmi2DoStep");
    get_real = (fmi2GetRealTYPE *)find(library, "fmi2GetReal");
    door.setup = (fmi2SetupExperimentTYPE *)find(library, "fmi2SetupExperiment");
    door.enter = (fmi2EnterInitializationModeTYPE *)find(library, "fmi2EnterInitializationMode");
    door.leave = (fmi2ExitInitializationModeTYPE *)find(library, "fmi2ExitInitializationMode");
    door.reset = (fmi2ResetTYPE *)find(library, "fmi2Reset");
    door.reference = reference;
    door.c = instantiate("benchmark", fmi2CoSimulation, token, resources, &callbacks, fmi2False, fmi2False);
    return !door.c;
}

static int begin(void)
{
    return door.setup(door.c, fmi2False, 0.0, 0.0, fmi2False, 0.0) || door.enter(door.c) || door.leave(door.c);
}

static void end(void) { door.reset(door.c); }

static int step(double t, double h) { return do_step(door.c, t, h, fmi2True); }

static int get(double *value) { return get_real(door.c, &door.reference, 1, value); }
