/* FMI 2.0 front door: co-simulation over the engine.

   One translation unit, so that a step of the model is inlined into fmi2DoStep. The same binary serves every exported
   model: what the model is stands in its resources. Which function may be called in which state follows section 4.2.4
   of the FMI 2.0 specification. A call that is refused has no effect; after a failure of the model itself the instance
   can be read, reset, set to a saved state or freed. */

#include "engine.c"

#include "resources.c"
#include "variables.c"
#include "instance.c"

#include "fmi2Functions.h"

typedef fmi2CallbackFunctions FrontDoor;

/* --- states and messages --------------------------------------------------------------------------------------------- */

static const char* state_name(int state) {
    switch (state) {
        case INSTANCE_INSTANTIATED: return "instantiated";
        case INSTANCE_INITIALIZATION: return "in initialization mode";
        case INSTANCE_STEP_COMPLETE: return "initialized (step complete)";
        case INSTANCE_STEP_FAILED: return "stopped within a step (step failed)";
        case INSTANCE_TERMINATED: return "terminated";
        default: return "in error: reset it, free it or set a saved state";
    }
}

static fmi2Status refuse_call(Instance* m, const char* function) {
    return (fmi2Status)instance_say(m, fmi2Error, "%s is not allowed now: the instance is %s", function, state_name(m->state));
}

/* Return from a function unless there is an instance and it is in one of these states. */
#define REQUIRE(function, states) \
    do { \
        if (m == NULL) return fmi2Error; \
        if (!(m->state & (states))) return refuse_call(m, function); \
    } while (0)

#define REQUIRE_POINTER(function, pointer) \
    do { \
        if ((pointer) == NULL) \
            return (fmi2Status)instance_say(m, fmi2Error, "%s: the argument %s is NULL", function, #pointer); \
    } while (0)

/* Messages go through printf in the importing tool, and #…# has a meaning there: both are escaped. */
static void write_log(Instance* m, int status, const char* category, const char* text) {
    const FrontDoor* callbacks = (const FrontDoor*)m->front_door;
    char message[2048];
    size_t i = 0;
    if (callbacks->logger == NULL) return;
    for (; *text && i + 3 < sizeof message; text++) {
        if (*text == '%' || *text == '#') message[i++] = *text;
        message[i++] = *text;
    }
    message[i] = 0;
    callbacks->logger(callbacks->componentEnvironment, m->name, (fmi2Status)status, category, message);
}

const char* fmi2GetTypesPlatform(void) {
    return fmi2TypesPlatform;
}

const char* fmi2GetVersion(void) {
    return fmi2Version;
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories, const fmi2String categories[]) {
    Instance* m = (Instance*)c;
    int mask = 0;
    size_t i, k;
    REQUIRE("fmi2SetDebugLogging", INSTANCE_ANY);
    if (nCategories == 0) {
        m->log = loggingOn ? LOG_ALL : LOG_PROBLEMS;
        return fmi2OK;
    }
    REQUIRE_POINTER("fmi2SetDebugLogging", categories);
    for (i = 0; i < nCategories; i++) {
        REQUIRE_POINTER("fmi2SetDebugLogging", categories[i]);
        for (k = 0; k < 4 && strcmp(categories[i], instance_categories[k]) != 0; k++) continue;
        if (k < 4) mask |= 1 << k;
        else if (strcmp(categories[i], "logAll") == 0) mask |= LOG_ALL;
        else return (fmi2Status)instance_say(m, fmi2Error,
            "fmi2SetDebugLogging: there is no log category '%.100s'", categories[i]);
    }
    m->log = loggingOn ? mask : m->log & ~mask;
    return fmi2OK;
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

fmi2Component fmi2Instantiate(
    fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID, fmi2String fmuResourceLocation,
    const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean loggingOn
) {
    Instance* m;
    ResourceAllocate allocate = calloc;
    ResourceRelease release = free;
    (void)visible;
    if (functions == NULL) return NULL;
    if (functions->allocateMemory && functions->freeMemory) {
        allocate = functions->allocateMemory;
        release = functions->freeMemory;
    }
    m = instance_new(instanceName ? instanceName : "", allocate, release);
    if (m == NULL) return NULL;
    m->front_door = allocate(1, sizeof(FrontDoor));
    if (m->front_door == NULL) {
        instance_free(m);
        return NULL;
    }
    memcpy(m->front_door, functions, sizeof(FrontDoor));
    m->write_log = write_log;
    if (loggingOn) m->log = LOG_ALL;
    if (instanceName == NULL) {
        instance_say(m, fmi2Error, "fmi2Instantiate: the instance has no name");
    } else if (fmuType != fmi2CoSimulation) {
        instance_say(m, fmi2Error, "fmi2Instantiate: this FMU is for co-simulation, not for model exchange");
    } else if (fmuGUID == NULL) {
        instance_say(m, fmi2Error, "fmi2Instantiate: no GUID is given");
    } else if (instance_load(m, fmuResourceLocation)) {
        if (strcmp(fmuGUID, m->variables.header.token) == 0) {
            instance_say(m, fmi2OK, "instantiated '%s' with %d blocks from '%s'",
                m->name, m->plan->header.blocks, m->plan_file.path);
            return m;
        }
        instance_say(m, fmi2Error, "fmi2Instantiate: the GUID %.100s is not that of '%s', which is %s: "
            "modelDescription.xml and resources are not of the same FMU",
            fmuGUID, m->variables_file.path, m->variables.header.token);
    }
    instance_free(m);
    return NULL;
}

void fmi2FreeInstance(fmi2Component c) {
    if (c) instance_free((Instance*)c);
}

fmi2Status fmi2SetupExperiment(
    fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
    fmi2Boolean stopTimeDefined, fmi2Real stopTime
) {
    Instance* m = (Instance*)c;
    const Header* h;
    REQUIRE("fmi2SetupExperiment", INSTANCE_INSTANTIATED);
    h = &m->plan->header;
    if (!isfinite(startTime))
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2SetupExperiment: the start time must be finite, not %g", startTime);
    if (stopTimeDefined && !(stopTime > startTime))
        return (fmi2Status)instance_say(m, fmi2Error,
            "fmi2SetupExperiment: the stop time must be after the start time %.9g s, not %.9g s", startTime, stopTime);
    if (toleranceDefined && !(tolerance > 0.0 && isfinite(tolerance)))
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2SetupExperiment: the tolerance must be > 0, not %g", tolerance);
    m->experiment.start = startTime;
    m->experiment.stop_defined = stopTimeDefined != fmi2False;
    m->experiment.stop = stopTimeDefined ? stopTime : 0.0;
    if (toleranceDefined) {             /* the absolute tolerance keeps its ratio to the relative one */
        m->experiment.absolute_tolerance = h->absolute_tolerance * (tolerance / h->relative_tolerance);
        m->experiment.relative_tolerance = tolerance;
    }
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2EnterInitializationMode", INSTANCE_INSTANTIATED);
    return (fmi2Status)instance_begin_initialization(m);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2ExitInitializationMode", INSTANCE_INITIALIZATION);
    return (fmi2Status)instance_end_initialization(m);
}

fmi2Status fmi2Terminate(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2Terminate", INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED);
    if (instance_make_current(m) != INSTANCE_OK) return fmi2Error;
    m->state = INSTANCE_TERMINATED;
    return (fmi2Status)instance_say(m, fmi2OK, "terminated at t = %.9g s", m->plan->clock.t);
}

fmi2Status fmi2Reset(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2Reset", INSTANCE_ANY);
    if (instance_open_plan(m) != STATUS_END) {
        m->state = INSTANCE_ERROR;
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2Reset: the plan cannot be opened again");
    }
    return (fmi2Status)instance_say(m, fmi2OK, "reset");
}

#include "fmi2_values.c"
#include "fmi2_states.c"
#include "fmi2_steps.c"
