/* FMI 2.0 front door: life, logging and initialization. Part of keelblocks.c.

   Which function may be called in which state follows sections 3.2.3 and 4.2.4 of the FMI 2.0 specification. */

#include "fmi2Functions.h"

/* --- messages --------------------------------------------------------------------------------------------- */

#define REQUIRE(function, states) REQUIRE_STATE(fmi2Status, function, states)
#define REQUIRE_POINTER(function, pointer) REQUIRE_ARGUMENT(fmi2Status, function, pointer)

/* Messages go through printf in the importing tool, and #…# has a meaning there: both are escaped. */
static void fmi2_write_log(Instance* m, int status, const char* category, const char* text) {
    const fmi2CallbackFunctions* callbacks = (const fmi2CallbackFunctions*)m->front_door;
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
    REQUIRE("fmi2SetDebugLogging", INSTANCE_ANY);
    return (fmi2Status)instance_set_logging(m, "fmi2SetDebugLogging", loggingOn != fmi2False, nCategories, categories);
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
    m->front_door = allocate(1, sizeof(fmi2CallbackFunctions));
    if (m->front_door == NULL) {
        instance_free(m);
        return NULL;
    }
    memcpy(m->front_door, functions, sizeof(fmi2CallbackFunctions));
    m->write_log = fmi2_write_log;
    m->interface = fmuType == fmi2ModelExchange ? INTERFACE_MODEL_EXCHANGE : INTERFACE_CO_SIMULATION;
    if (loggingOn) m->log = LOG_ALL;
    if (fmuType != fmi2CoSimulation && fmuType != fmi2ModelExchange) {
        instance_say(m, fmi2Error, "fmi2Instantiate: an FMU is for co-simulation or for model exchange, not of type %d",
            (int)fmuType);
    } else if (instance_open(m, "fmi2Instantiate", instanceName, "GUID", fmuGUID, fmuResourceLocation)) {
        return m;
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
    REQUIRE("fmi2SetupExperiment", INSTANCE_INSTANTIATED);
    return (fmi2Status)instance_set_experiment(m, "fmi2SetupExperiment", startTime, stopTimeDefined ? &stopTime : NULL,
        toleranceDefined ? &tolerance : NULL);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2EnterInitializationMode", INSTANCE_INSTANTIATED);
    return (fmi2Status)instance_begin_initialization(m);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2ExitInitializationMode", INSTANCE_INITIALIZATION);
    return (fmi2Status)instance_end_initialization(
        m, m->interface == INTERFACE_MODEL_EXCHANGE ? INSTANCE_EVENT : INSTANCE_STEP_COMPLETE);
}

fmi2Status fmi2Terminate(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2Terminate", INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED | INSTANCE_EVENT | INSTANCE_CONTINUOUS);
    return (fmi2Status)instance_terminate(m, "fmi2Terminate");
}

fmi2Status fmi2Reset(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2Reset", INSTANCE_ANY);
    return (fmi2Status)instance_reset(m, "fmi2Reset");
}

#include "fmi2_values.c"
#include "fmi2_states.c"
#include "fmi2_steps.c"
#include "fmi2_derivatives.c"
#include "fmi2_model_exchange.c"
