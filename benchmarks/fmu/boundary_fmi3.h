/* The door of FMI 3.0, for boundary_host.c. */
#include "fmi3FunctionTypes.h"

void *find(void *library, const char *name);

static struct {
    fmi3Instance c;
    fmi3ValueReference reference;
    fmi3EnterInitializationModeTYPE *enter;
    fmi3ExitInitializationModeTYPE *leave;
    fmi3ResetTYPE *reset;
} door;
static fmi3DoStepTYPE *do_step;
static fmi3GetFloat64TYPE *get_float;

static void quiet(fmi3InstanceEnvironment e, fmi3Status s, fmi3String c, fmi3String m)
{
    (void)e, (void)s, (void)c;
    fprintf(stderr, "%s\n", m);
}

static int open_door(void *library, const char *token, const char *resources, unsigned reference)
{
    fmi3InstantiateCoSimulationTYPE *instantiate =
        (fmi3InstantiateCoSimulationTYPE *)find(library, "fmi3InstantiateCoSimulation");
    do_step = (fmi3DoStepTYPE *)find(library, "fmi3DoStep");
    get_float = (fmi3GetFloat64TYPE *)find(library, "fmi3GetFloat64");
    door.enter = (fmi3EnterInitializationModeTYPE *)find(library, "fmi3EnterInitializationMode");
    door.leave = (fmi3ExitInitializationModeTYPE *)find(library, "fmi3ExitInitializationMode");
    door.reset = (fmi3ResetTYPE *)find(library, "fmi3Reset");
    door.reference = reference;
    door.c = instantiate(
        "benchmark", token, resources, fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, NULL, quiet, NULL);
    return !door.c;
}

static int begin(void)
{
    return door.enter(door.c, fmi3False, 0.0, 0.0, fmi3False, 0.0) || door.leave(door.c);
}

static void end(void) { door.reset(door.c); }

static int step(double t, double h)
{
    fmi3Boolean event, terminate, early;
    fmi3Float64 last;
    return do_step(door.c, t, h, fmi3True, &event, &terminate, &early, &last);
}

static int get(double *value) { return get_float(door.c, &door.reference, 1, value, 1); }
