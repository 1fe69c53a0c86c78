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

/* --- values -------------------------------------------------------------------------------------------------------- */

/* Get and set functions for a type: which kind of variables they serve, how a stored number becomes a value and back. */

#define GET(function, Type, type_name, kind_wanted, from_stored) \
    fmi2Status function(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, Type value[]) { \
        Instance* m = (Instance*)c; \
        double total = 0.0; \
        size_t i; \
        REQUIRE(#function, INSTANCE_READABLE); \
        if (nvr == 0) return fmi2OK; \
        REQUIRE_POINTER(#function, vr); \
        REQUIRE_POINTER(#function, value); \
        if (!instance_is_current(m) && instance_make_current(m) != INSTANCE_OK) return fmi2Error; \
        for (i = 0; i < nvr; i++) { \
            double stored; \
            int kind; \
            if (vr[i] >= m->count || !((kind = m->kinds[vr[i]]) & (kind_wanted))) \
                return (fmi2Status)instance_unknown(m, #function, vr[i], type_name); \
            (void)kind; \
            stored = m->values[vr[i]]; \
            total += stored * 0.0; \
            value[i] = from_stored; \
        } \
        if (total == 0.0) return fmi2OK; \
        for (i = 0; isfinite(m->values[vr[i]]); i++) continue; \
        return (fmi2Status)instance_read_not_finite(m, #function, vr[i]); \
    }

#define SET(function, Type, type_name, kind_wanted, to_stored) \
    fmi2Status function(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const Type value[]) { \
        Instance* m = (Instance*)c; \
        int settable, kinds = 0; \
        size_t i; \
        REQUIRE(#function, INSTANCE_SETTABLE); \
        if (nvr == 0) return fmi2OK; \
        REQUIRE_POINTER(#function, vr); \
        REQUIRE_POINTER(#function, value); \
        settable = instance_settable(m); \
        for (i = 0; i < nvr; i++) {     /* all are checked before any is set */ \
            const int kind = vr[i] < m->count ? m->kinds[vr[i]] : 0; \
            const double stored = to_stored; \
            if (!(kind & (kind_wanted)) || !(kind & settable) || !isfinite(stored) \
                || (kind & KIND_LIMITED && !variables_within(&m->variables, vr[i], stored))) \
                return (fmi2Status)instance_refuse(m, #function, vr[i], type_name, stored); \
            kinds |= kind; \
        } \
        for (i = 0; i < nvr; i++) { \
            const int kind = m->kinds[vr[i]]; \
            (void)kind; \
            m->values[vr[i]] = to_stored; \
        } \
        instance_was_set(m, kinds); \
        return fmi2OK; \
    }

#define IS_ENUMERATION ((kind & KIND_ENUMERATION) != 0)

GET(fmi2GetReal, fmi2Real, "Real", KIND_REAL, stored)
GET(fmi2GetInteger, fmi2Integer, "Integer", KIND_INTEGER, (fmi2Integer)(stored + IS_ENUMERATION))
GET(fmi2GetBoolean, fmi2Boolean, "Boolean", KIND_BOOLEAN, stored != 0.0 ? fmi2True : fmi2False)

SET(fmi2SetReal, fmi2Real, "Real", KIND_REAL, value[i])
SET(fmi2SetInteger, fmi2Integer, "Integer", KIND_INTEGER, (double)value[i] - IS_ENUMERATION)
SET(fmi2SetBoolean, fmi2Boolean, "Boolean", KIND_BOOLEAN, value[i] ? 1.0 : 0.0)

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2String value[]) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2GetString", INSTANCE_READABLE);
    (void)value;
    if (nvr == 0) return fmi2OK;
    REQUIRE_POINTER("fmi2GetString", vr);
    return (fmi2Status)instance_unknown(m, "fmi2GetString", vr[0], "String");
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2String value[]) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2SetString", INSTANCE_SETTABLE);
    (void)value;
    if (nvr == 0) return fmi2OK;
    REQUIRE_POINTER("fmi2SetString", vr);
    return (fmi2Status)instance_unknown(m, "fmi2SetString", vr[0], "String");
}

/* --- saved states -------------------------------------------------------------------------------------------------- */

typedef struct State {                  /* what an fmi2FMUstate points to; the bytes follow */
    size_t size;
    size_t reserved;
} State;

static unsigned char* state_bytes(State* state) {
    return (unsigned char*)(state + 1);
}

static State* state_new(Instance* m, const char* function) {
    const size_t size = instance_state_size(m);
    State* state = (State*)m->allocate(sizeof(State) + size, 1);
    if (state == NULL) instance_say(m, fmi2Error, "%s: there is not enough memory", function);
    else state->size = size;
    return state;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    State* state;
    REQUIRE("fmi2GetFMUstate", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2GetFMUstate", FMUstate);
    state = (State*)*FMUstate;          /* an existing one is overwritten, as the standard has it */
    if (state == NULL) state = state_new(m, "fmi2GetFMUstate");
    if (state == NULL) return fmi2Error;
    if (state->size != instance_state_size(m))
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2GetFMUstate: the state given belongs to another model");
    instance_save(m, state_bytes(state));
    *FMUstate = state;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
    Instance* m = (Instance*)c;
    State* state = (State*)FMUstate;
    const char* problem;
    REQUIRE("fmi2SetFMUstate", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2SetFMUstate", FMUstate);
    problem = instance_restore(m, state_bytes(state), state->size);
    if (problem) return (fmi2Status)instance_say(m, fmi2Error, "fmi2SetFMUstate: the state cannot be used: %s", problem);
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2FreeFMUstate", INSTANCE_ANY);
    if (FMUstate && *FMUstate) {
        m->release(*FMUstate);
        *FMUstate = NULL;
    }
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2SerializedFMUstateSize", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2SerializedFMUstateSize", FMUstate);
    REQUIRE_POINTER("fmi2SerializedFMUstateSize", size);
    *size = ((State*)FMUstate)->size;
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size) {
    Instance* m = (Instance*)c;
    State* state = (State*)FMUstate;
    REQUIRE("fmi2SerializeFMUstate", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2SerializeFMUstate", FMUstate);
    REQUIRE_POINTER("fmi2SerializeFMUstate", serializedState);
    if (size < state->size)
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2SerializeFMUstate: %lu bytes are needed, not %lu",
            (unsigned long)state->size, (unsigned long)size);
    memcpy(serializedState, state_bytes(state), state->size);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    State* state;
    const char* problem;
    REQUIRE("fmi2DeSerializeFMUstate", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2DeSerializeFMUstate", serializedState);
    REQUIRE_POINTER("fmi2DeSerializeFMUstate", FMUstate);
    problem = instance_check_state(m, (const unsigned char*)serializedState, size);
    if (problem)
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2DeSerializeFMUstate: the state cannot be used: %s", problem);
    state = (State*)*FMUstate;
    if (state == NULL || state->size != size) {
        state = state_new(m, "fmi2DeSerializeFMUstate");
        if (state == NULL) return fmi2Error;
    }
    memcpy(state_bytes(state), serializedState, size);
    *FMUstate = state;
    return fmi2OK;
}

/* --- steps --------------------------------------------------------------------------------------------------------- */

fmi2Status fmi2DoStep(
    fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
    fmi2Boolean noSetFMUStatePriorToCurrentPoint
) {
    Instance* m = (Instance*)c;
    (void)noSetFMUStatePriorToCurrentPoint;
    REQUIRE("fmi2DoStep", INSTANCE_STEP_COMPLETE);
    return (fmi2Status)instance_step(m, "fmi2DoStep", currentCommunicationPoint, communicationStepSize);
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2GetRealStatus", INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED | INSTANCE_TERMINATED);
    REQUIRE_POINTER("fmi2GetRealStatus", value);
    if (s != fmi2LastSuccessfulTime)
        return (fmi2Status)instance_say(m, fmi2Discard, "fmi2GetRealStatus: only fmi2LastSuccessfulTime is known");
    *value = m->plan->clock.t;
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2GetBooleanStatus", INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED | INSTANCE_TERMINATED);
    REQUIRE_POINTER("fmi2GetBooleanStatus", value);
    if (s != fmi2Terminated)
        return (fmi2Status)instance_say(m, fmi2Discard, "fmi2GetBooleanStatus: only fmi2Terminated is known");
    *value = m->stopped ? fmi2True : fmi2False;
    return fmi2OK;
}

/* Steps are never pending: nothing is known of their status, and none can be cancelled. */

static fmi2Status refuse_status(Instance* m, const char* function) {
    REQUIRE(function, INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED | INSTANCE_TERMINATED);
    return (fmi2Status)instance_say(m, fmi2Discard, "%s: steps are never pending", function);
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* value) {
    (void)s;
    (void)value;
    return refuse_status((Instance*)c, "fmi2GetStatus");
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer* value) {
    (void)s;
    (void)value;
    return refuse_status((Instance*)c, "fmi2GetIntegerStatus");
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String* value) {
    (void)s;
    (void)value;
    return refuse_status((Instance*)c, "fmi2GetStringStatus");
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    Instance* m = (Instance*)c;
    if (m == NULL) return fmi2Error;
    return refuse_call(m, "fmi2CancelStep");
}

/* --- what the model description says is not offered ---------------------------------------------------------------- */

static fmi2Status not_offered(fmi2Component c, const char* function, const char* flag) {
    Instance* m = (Instance*)c;
    if (m == NULL) return fmi2Error;
    return (fmi2Status)instance_say(m, fmi2Error, "%s is not offered: modelDescription.xml says %s", function, flag);
}

fmi2Status fmi2SetRealInputDerivatives(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[], const fmi2Real value[]
) {
    (void)vr;
    (void)order;
    (void)value;
    if (c && nvr == 0) return fmi2OK;
    return not_offered(c, "fmi2SetRealInputDerivatives", "canInterpolateInputs=\"false\"");
}

fmi2Status fmi2GetRealOutputDerivatives(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[], fmi2Real value[]
) {
    (void)vr;
    (void)order;
    (void)value;
    if (c && nvr == 0) return fmi2OK;
    return not_offered(c, "fmi2GetRealOutputDerivatives", "maxOutputDerivativeOrder=\"0\"");
}

fmi2Status fmi2GetDirectionalDerivative(
    fmi2Component c, const fmi2ValueReference vUnknown_ref[], size_t nUnknown, const fmi2ValueReference vKnown_ref[],
    size_t nKnown, const fmi2Real dvKnown[], fmi2Real dvUnknown[]
) {
    (void)vUnknown_ref;
    (void)nUnknown;
    (void)vKnown_ref;
    (void)nKnown;
    (void)dvKnown;
    (void)dvUnknown;
    return not_offered(c, "fmi2GetDirectionalDerivative", "providesDirectionalDerivative=\"false\"");
}
