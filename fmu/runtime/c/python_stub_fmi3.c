/* FMI 3.0 of the stub. Part of python_stub.c.

   The wrapper of PythonFMU3 passes neither the experiment nor numbers of values on, and answers what it does not have by
   C++ exceptions, which end a tool written in C: none of those functions is handed on. */

#include "fmi3Functions.h"

typedef struct Wrapper3 {               /* the functions that calls are handed on to */
    fmi3InstantiateCoSimulationTYPE* instantiate;
    fmi3FreeInstanceTYPE* free_instance;
    fmi3EnterInitializationModeTYPE* enter_initialization;
    fmi3ExitInitializationModeTYPE* exit_initialization;
    fmi3TerminateTYPE* terminate;
    fmi3ResetTYPE* reset;
    fmi3GetFloat64TYPE* get_float64;
    fmi3GetInt32TYPE* get_int32;
    fmi3GetInt64TYPE* get_int64;
    fmi3GetBooleanTYPE* get_boolean;
    fmi3SetFloat64TYPE* set_float64;
    fmi3SetInt32TYPE* set_int32;
    fmi3SetInt64TYPE* set_int64;
    fmi3SetBooleanTYPE* set_boolean;
    fmi3SetStringTYPE* set_string;
    fmi3GetFMUStateTYPE* get_state;
    fmi3SetFMUStateTYPE* set_state;
    fmi3FreeFMUStateTYPE* free_state;
    fmi3SerializedFMUStateSizeTYPE* state_size;
    fmi3SerializeFMUStateTYPE* serialize;
    fmi3DeserializeFMUStateTYPE* deserialize;
    fmi3DoStepTYPE* do_step;
} Wrapper3;

typedef struct Stub3 {                  /* one instance */
    fmi3Instance inner;                 /* the wrapper's */
    Wrapper3 call;
    Shared shared;
    fmi3InstanceEnvironment environment;        /* what the host gave */
    fmi3LogMessageCallback log_message;
    char* token;
    int log;
    int early_return;
    int broken;                         /* the wrapper met an exception: neither to be called nor freed any more */
} Stub3;

static fmi3Status say3(Stub3* m, fmi3Status status, const char* format, ...) {
    char text[STUB_TEXT];
    const int category = stub_category(NULL, (int)status);
    va_list arguments;
    if (!(m->log & (1 << category)) || m->log_message == NULL) return status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    m->log_message(m->environment, status, stub_categories[category], text);
    return status;
}

/* The messages of the slave come with a category; what the wrapper adds on its own has none. */
static void message3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
    Stub3* m = (Stub3*)environment;
    int bit;
    if (category == NULL || *category == 0) {
        say3(m, status >= fmi3Error ? fmi3Error : status, "%s", stub_bare(message));
        return;
    }
    bit = stub_category(category, (int)status);
    if (m->log & (1 << bit) && m->log_message) m->log_message(m->environment, status, stub_categories[bit], message);
}

static int find3(Wrapper3* w) {
    void* library = loader.wrapper;
    return stub_find(library, "fmi3InstantiateCoSimulation", &w->instantiate)
        && stub_find(library, "fmi3FreeInstance", &w->free_instance)
        && stub_find(library, "fmi3EnterInitializationMode", &w->enter_initialization)
        && stub_find(library, "fmi3ExitInitializationMode", &w->exit_initialization)
        && stub_find(library, "fmi3Terminate", &w->terminate)
        && stub_find(library, "fmi3Reset", &w->reset)
        && stub_find(library, "fmi3GetFloat64", &w->get_float64)
        && stub_find(library, "fmi3GetInt32", &w->get_int32)
        && stub_find(library, "fmi3GetInt64", &w->get_int64)
        && stub_find(library, "fmi3GetBoolean", &w->get_boolean)
        && stub_find(library, "fmi3SetFloat64", &w->set_float64)
        && stub_find(library, "fmi3SetInt32", &w->set_int32)
        && stub_find(library, "fmi3SetInt64", &w->set_int64)
        && stub_find(library, "fmi3SetBoolean", &w->set_boolean)
        && stub_find(library, "fmi3SetString", &w->set_string)
        && stub_find(library, "fmi3GetFMUState", &w->get_state)
        && stub_find(library, "fmi3SetFMUState", &w->set_state)
        && stub_find(library, "fmi3FreeFMUState", &w->free_state)
        && stub_find(library, "fmi3SerializedFMUStateSize", &w->state_size)
        && stub_find(library, "fmi3SerializeFMUState", &w->serialize)
        && stub_find(library, "fmi3DeserializeFMUState", &w->deserialize)
        && stub_find(library, "fmi3DoStep", &w->do_step);
}

/* The status of a call that the wrapper returned from: the slave's own word, if it left one. */
static fmi3Status done3(Stub3* m, fmi3Status status) {
    if (m->shared.status) return (fmi3Status)m->shared.status;
    if (status == fmi3Fatal) {          /* an exception passed through the wrapper, which is not to be used after that */
        m->broken = 1;
        return fmi3Error;
    }
    return status;
}

/* Return from a function unless there is an instance that can be used. */
#define OPEN3(instance, function) \
    Stub3* m = (Stub3*)(instance); \
    if (m == NULL) return fmi3Error; \
    if (m->broken) return say3(m, fmi3Error, "%s is not allowed now: the instance is lost after an exception: free it", function); \
    m->shared.status = 0

#define POINTER3(function, pointer) \
    do { \
        if ((pointer) == NULL) return say3(m, fmi3Error, "%s: the argument %s is NULL", function, #pointer); \
    } while (0)

/* Hand the slave the token and the address of what is shared. */
static fmi3Status shake_hands3(Stub3* m) {
    const fmi3ValueReference references[2] = {STUB_HANDSHAKE, STUB_HANDSHAKE};
    char address[40];
    fmi3String texts[2];
    snprintf(address, sizeof address, "%llx", (unsigned long long)(uintptr_t)&m->shared);
    texts[0] = m->token;
    texts[1] = address;
    memset(&m->shared, 0, sizeof m->shared);
    return done3(m, m->call.set_string(m->inner, references, 2, texts, 2));
}

const char* fmi3GetVersion(void) {
    return fmi3Version;
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void free3(Stub3* m) {
    free(m->token);
    free(m);
}

static Stub3* new3(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message, fmi3Boolean logging) {
    Stub3* m = (Stub3*)calloc(1, sizeof(Stub3));
    if (m == NULL) return NULL;
    m->environment = environment;
    m->log_message = log_message;
    m->log = logging ? STUB_LOG_ALL : STUB_LOG_PROBLEMS;
    return m;
}

fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
    const fmi3ValueReference requiredIntermediateVariables[], size_t nRequiredIntermediateVariables,
    fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3IntermediateUpdateCallback intermediateUpdate
) {
    static const char function[] = "fmi3InstantiateCoSimulation";
    char text[STUB_TEXT + 512];
    char* resources;
    Stub3* m = new3(instanceEnvironment, logMessage, loggingOn);
    (void)requiredIntermediateVariables;
    (void)nRequiredIntermediateVariables;
    (void)intermediateUpdate;           /* providesIntermediateUpdate="false" */
    if (m == NULL) return NULL;
    m->token = strdup(instantiationToken ? instantiationToken : "");
    m->early_return = earlyReturnAllowed;
    if (m->token == NULL) {
        say3(m, fmi3Error, "%s: there is not enough memory", function);
    } else if (instanceName == NULL || instantiationToken == NULL) {
        say3(m, fmi3Error, "%s: no %s is given", function, instanceName ? "instantiation token" : "name of the instance");
    } else if (eventModeUsed) {
        say3(m, fmi3Error, "%s: there is no event mode: modelDescription.xml says hasEventMode=\"false\"", function);
    } else if (!stub_ready(text, sizeof text)) {
        say3(m, fmi3Error, "%s: %s", function, text);
    } else if (!find3(&m->call)) {
        say3(m, fmi3Error, "%s: the wrapper next to this library is not that of FMI 3", function);
    } else if ((resources = stub_resources(resourcePath, text, sizeof text)) == NULL) {
        say3(m, fmi3Error, "%s: %s", function, text);
    } else {
        m->inner = m->call.instantiate(instanceName, m->token, resources, visible, fmi3True, fmi3False, fmi3False,
            NULL, 0, m, message3, NULL);
        free(resources);
        if (m->inner && shake_hands3(m) == fmi3OK) {
            say3(m, fmi3OK, "instantiated '%s'", instanceName);
            return m;
        }
        if (m->inner && !m->broken) m->call.free_instance(m->inner);
    }
    free3(m);
    return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage
) {
    Stub3* m = new3(instanceEnvironment, logMessage, loggingOn);
    (void)instanceName;
    (void)instantiationToken;
    (void)resourcePath;
    (void)visible;
    if (m == NULL) return NULL;
    say3(m, fmi3Error, "fmi3InstantiateModelExchange: this FMU is for co-simulation, not for model exchange");
    free3(m);
    return NULL;
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, fmi3Boolean visible,
    fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
    fmi3ClockUpdateCallback clockUpdate, fmi3LockPreemptionCallback lockPreemption,
    fmi3UnlockPreemptionCallback unlockPreemption
) {
    Stub3* m = new3(instanceEnvironment, logMessage, loggingOn);
    (void)instanceName;
    (void)instantiationToken;
    (void)resourcePath;
    (void)visible;
    (void)clockUpdate;
    (void)lockPreemption;
    (void)unlockPreemption;
    if (m == NULL) return NULL;
    say3(m, fmi3Error, "fmi3InstantiateScheduledExecution: this FMU is for co-simulation, not for scheduled execution");
    free3(m);
    return NULL;
}

void fmi3FreeInstance(fmi3Instance instance) {
    Stub3* m = (Stub3*)instance;
    if (m == NULL) return;
    if (!m->broken) m->call.free_instance(m->inner);
    free3(m);
}

fmi3Status fmi3SetDebugLogging(
    fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories, const fmi3String categories[]
) {
    int mask = 0;
    size_t i;
    int k;
    OPEN3(instance, "fmi3SetDebugLogging");
    if (nCategories == 0) {
        m->log = loggingOn ? STUB_LOG_ALL : STUB_LOG_PROBLEMS;
        return fmi3OK;
    }
    POINTER3("fmi3SetDebugLogging", categories);
    for (i = 0; i < nCategories; i++) {
        POINTER3("fmi3SetDebugLogging", categories[i]);
        for (k = 0; k < 4 && strcmp(categories[i], stub_categories[k]) != 0; k++) continue;
        if (k < 4) mask |= 1 << k;
        else if (strcmp(categories[i], "logAll") == 0) mask |= STUB_LOG_ALL;
        else return say3(m, fmi3Error, "fmi3SetDebugLogging: there is no log category '%.100s'", categories[i]);
    }
    m->log = loggingOn ? mask : m->log & ~mask;
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(
    fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance, fmi3Float64 startTime,
    fmi3Boolean stopTimeDefined, fmi3Float64 stopTime
) {
    OPEN3(instance, "fmi3EnterInitializationMode");
    m->shared.tolerance_defined = toleranceDefined;
    m->shared.tolerance = tolerance;
    m->shared.start = startTime;
    m->shared.stop_defined = stopTimeDefined;
    m->shared.stop = stopTime;
    return done3(m, m->call.enter_initialization(m->inner, toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime));
}

#define CHANGE3(function, field) \
    fmi3Status function(fmi3Instance instance) { \
        OPEN3(instance, #function); \
        return done3(m, m->call.field(m->inner)); \
    }

CHANGE3(fmi3ExitInitializationMode, exit_initialization)
CHANGE3(fmi3Terminate, terminate)

fmi3Status fmi3Reset(fmi3Instance instance) {           /* the wrapper makes a new slave, which has to be told again */
    fmi3Status status;
    OPEN3(instance, "fmi3Reset");
    status = done3(m, m->call.reset(m->inner));
    return status == fmi3OK ? shake_hands3(m) : status;
}

/* --- values -------------------------------------------------------------------------------------------------------- */

/* The wrapper does not tell the slave how many values there is room for, so the stub does. */
#define VALUES3(function, Type, field) \
    fmi3Status function( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, Type values[], \
        size_t nValues \
    ) { \
        OPEN3(instance, #function); \
        if (nValueReferences) POINTER3(#function, valueReferences); \
        if (nValues) POINTER3(#function, values); \
        if (nValueReferences > INT_MAX || nValues > INT_MAX) \
            return say3(m, fmi3Error, "%s: there are too many values", #function); \
        m->shared.count = (int)nValues; \
        return done3(m, m->call.field(m->inner, valueReferences, nValueReferences, values, nValues)); \
    }

VALUES3(fmi3GetFloat64, fmi3Float64, get_float64)
VALUES3(fmi3GetInt32, fmi3Int32, get_int32)
VALUES3(fmi3GetInt64, fmi3Int64, get_int64)
VALUES3(fmi3GetBoolean, fmi3Boolean, get_boolean)
VALUES3(fmi3SetFloat64, const fmi3Float64, set_float64)
VALUES3(fmi3SetInt32, const fmi3Int32, set_int32)
VALUES3(fmi3SetInt64, const fmi3Int64, set_int64)
VALUES3(fmi3SetBoolean, const fmi3Boolean, set_boolean)

#include "python_stub_fmi3_states.c"

/* --- steps --------------------------------------------------------------------------------------------------------- */

/* If the model ends the simulation, that is no failure of the call. */
fmi3Status fmi3DoStep(
    fmi3Instance instance, fmi3Float64 currentCommunicationPoint, fmi3Float64 communicationStepSize,
    fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean* eventHandlingNeeded, fmi3Boolean* terminateSimulation,
    fmi3Boolean* earlyReturn, fmi3Float64* lastSuccessfulTime
) {
    fmi3Boolean event = fmi3False, terminate = fmi3False, early = fmi3False;
    fmi3Float64 reached = 0.0;
    fmi3Status status;
    OPEN3(instance, "fmi3DoStep");
    POINTER3("fmi3DoStep", eventHandlingNeeded);
    POINTER3("fmi3DoStep", terminateSimulation);
    POINTER3("fmi3DoStep", earlyReturn);
    POINTER3("fmi3DoStep", lastSuccessfulTime);
    status = done3(m, m->call.do_step(m->inner, currentCommunicationPoint, communicationStepSize,
        noSetFMUStatePriorToCurrentPoint, &event, &terminate, &early, &reached));
    *eventHandlingNeeded = fmi3False;
    *terminateSimulation = m->shared.stopped != 0;
    *earlyReturn = m->shared.stopped && m->early_return;
    *lastSuccessfulTime = m->shared.time;
    return m->shared.stopped && status == fmi3Discard ? fmi3OK : status;
}

#include "python_stub_fmi3_absent.c"
