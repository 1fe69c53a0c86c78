/* FMI 2.0 of the stub. Part of python_stub.c. */

#include "fmi2Functions.h"

typedef struct Wrapper2 {               /* the functions that calls are handed on to */
    fmi2InstantiateTYPE* instantiate;
    fmi2FreeInstanceTYPE* free_instance;
    fmi2SetupExperimentTYPE* setup_experiment;
    fmi2EnterInitializationModeTYPE* enter_initialization;
    fmi2ExitInitializationModeTYPE* exit_initialization;
    fmi2TerminateTYPE* terminate;
    fmi2ResetTYPE* reset;
    fmi2GetRealTYPE* get_real;
    fmi2GetIntegerTYPE* get_integer;
    fmi2GetBooleanTYPE* get_boolean;
    fmi2SetRealTYPE* set_real;
    fmi2SetIntegerTYPE* set_integer;
    fmi2SetBooleanTYPE* set_boolean;
    fmi2SetStringTYPE* set_string;
    fmi2GetFMUstateTYPE* get_state;
    fmi2SetFMUstateTYPE* set_state;
    fmi2FreeFMUstateTYPE* free_state;
    fmi2SerializedFMUstateSizeTYPE* state_size;
    fmi2SerializeFMUstateTYPE* serialize;
    fmi2DeSerializeFMUstateTYPE* deserialize;
    fmi2DoStepTYPE* do_step;
} Wrapper2;

typedef struct Stub2 {                  /* one instance */
    fmi2Component inner;                /* the wrapper's */
    Wrapper2 call;
    Shared shared;
    fmi2CallbackFunctions host;         /* what the host gave */
    fmi2CallbackFunctions callbacks;    /* what the wrapper gets, and keeps a pointer to */
    char* name;
    char* guid;
    int log;
    int broken;                         /* the wrapper met an exception: neither to be called nor freed any more */
} Stub2;

static fmi2Status say2(Stub2* m, fmi2Status status, const char* format, ...) {
    char text[STUB_TEXT], escaped[2 * STUB_TEXT];
    const int category = stub_category(NULL, (int)status);
    va_list arguments;
    if (!(m->log & (1 << category)) || m->host.logger == NULL) return status;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    stub_escape(escaped, sizeof escaped, text);
    m->host.logger(m->host.componentEnvironment, m->name, status, stub_categories[category], escaped);
    return status;
}

/* The messages of the slave come escaped and with a category; what the wrapper adds on its own has neither. */
static void message2(
    fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String message, ...
) {
    Stub2* m = (Stub2*)environment;
    int bit;
    (void)name;
    if (category == NULL || *category == 0) {
        say2(m, status >= fmi2Error ? fmi2Error : status, "%s", stub_bare(message));
        return;
    }
    bit = stub_category(category, (int)status);
    if (m->log & (1 << bit) && m->host.logger)
        m->host.logger(m->host.componentEnvironment, m->name, status, stub_categories[bit], message);
}

static int find2(Wrapper2* w) {
    void* library = loader.wrapper;
    return stub_find(library, "fmi2Instantiate", &w->instantiate)
        && stub_find(library, "fmi2FreeInstance", &w->free_instance)
        && stub_find(library, "fmi2SetupExperiment", &w->setup_experiment)
        && stub_find(library, "fmi2EnterInitializationMode", &w->enter_initialization)
        && stub_find(library, "fmi2ExitInitializationMode", &w->exit_initialization)
        && stub_find(library, "fmi2Terminate", &w->terminate)
        && stub_find(library, "fmi2Reset", &w->reset)
        && stub_find(library, "fmi2GetReal", &w->get_real)
        && stub_find(library, "fmi2GetInteger", &w->get_integer)
        && stub_find(library, "fmi2GetBoolean", &w->get_boolean)
        && stub_find(library, "fmi2SetReal", &w->set_real)
        && stub_find(library, "fmi2SetInteger", &w->set_integer)
        && stub_find(library, "fmi2SetBoolean", &w->set_boolean)
        && stub_find(library, "fmi2SetString", &w->set_string)
        && stub_find(library, "fmi2GetFMUstate", &w->get_state)
        && stub_find(library, "fmi2SetFMUstate", &w->set_state)
        && stub_find(library, "fmi2FreeFMUstate", &w->free_state)
        && stub_find(library, "fmi2SerializedFMUstateSize", &w->state_size)
        && stub_find(library, "fmi2SerializeFMUstate", &w->serialize)
        && stub_find(library, "fmi2DeSerializeFMUstate", &w->deserialize)
        && stub_find(library, "fmi2DoStep", &w->do_step);
}

/* The status of a call that the wrapper returned from: the slave's own word, if it left one. */
static fmi2Status done2(Stub2* m, fmi2Status status) {
    if (m->shared.status) return (fmi2Status)m->shared.status;
    if (status == fmi2Fatal) {          /* an exception passed through the wrapper, which is not to be used after that */
        m->broken = 1;
        return fmi2Error;
    }
    return status;
}

/* Return from a function unless there is an instance that can be used. */
#define OPEN2(c, function) \
    Stub2* m = (Stub2*)(c); \
    if (m == NULL) return fmi2Error; \
    if (m->broken) return say2(m, fmi2Error, "%s is not allowed now: the instance is lost after an exception: free it", function); \
    m->shared.status = 0

#define POINTER2(function, pointer) \
    do { \
        if ((pointer) == NULL) return say2(m, fmi2Error, "%s: the argument %s is NULL", function, #pointer); \
    } while (0)

/* Hand the slave the GUID and the address of what is shared. */
static fmi2Status shake_hands2(Stub2* m) {
    const fmi2ValueReference references[2] = {STUB_HANDSHAKE, STUB_HANDSHAKE};
    char address[40];
    fmi2String texts[2];
    snprintf(address, sizeof address, "%llx", (unsigned long long)(uintptr_t)&m->shared);
    texts[0] = m->guid;
    texts[1] = address;
    memset(&m->shared, 0, sizeof m->shared);
    return done2(m, m->call.set_string(m->inner, references, 2, texts));
}

const char* fmi2GetTypesPlatform(void) {
    return fmi2TypesPlatform;
}

const char* fmi2GetVersion(void) {
    return fmi2Version;
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void free2(Stub2* m) {
    free(m->name);
    free(m->guid);
    free(m);
}

fmi2Component fmi2Instantiate(
    fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID, fmi2String fmuResourceLocation,
    const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean loggingOn
) {
    char text[STUB_TEXT + 512];
    char* resources;
    Stub2* m;
    if (functions == NULL) return NULL;
    m = (Stub2*)calloc(1, sizeof(Stub2));
    if (m == NULL) return NULL;
    m->host = *functions;
    m->log = loggingOn ? STUB_LOG_ALL : STUB_LOG_PROBLEMS;
    m->name = strdup(instanceName ? instanceName : "");
    m->guid = strdup(fmuGUID ? fmuGUID : "");
    m->callbacks.logger = message2;
    m->callbacks.componentEnvironment = m;
    m->callbacks.allocateMemory = calloc;
    m->callbacks.freeMemory = free;
    if (m->name == NULL || m->guid == NULL) {
        say2(m, fmi2Error, "fmi2Instantiate: there is not enough memory");
    } else if (instanceName == NULL) {
        say2(m, fmi2Error, "fmi2Instantiate: the instance has no name");
    } else if (fmuType != fmi2CoSimulation) {
        say2(m, fmi2Error, "fmi2Instantiate: this FMU is for co-simulation, not for model exchange");
    } else if (fmuGUID == NULL) {
        say2(m, fmi2Error, "fmi2Instantiate: no GUID is given");
    } else if (!stub_ready(text, sizeof text)) {
        say2(m, fmi2Error, "fmi2Instantiate: %s", text);
    } else if (!find2(&m->call)) {
        say2(m, fmi2Error, "fmi2Instantiate: the wrapper next to this library is not that of FMI 2");
    } else if ((resources = stub_resources(fmuResourceLocation, text, sizeof text)) == NULL) {
        say2(m, fmi2Error, "fmi2Instantiate: %s", text);
    } else {
        m->inner = m->call.instantiate(m->name, fmi2CoSimulation, m->guid, resources, &m->callbacks, visible, fmi2True);
        free(resources);
        if (m->inner && shake_hands2(m) == fmi2OK) {
            say2(m, fmi2OK, "instantiated '%s'", m->name);
            return m;
        }
        if (m->inner && !m->broken) m->call.free_instance(m->inner);
    }
    free2(m);
    return NULL;
}

void fmi2FreeInstance(fmi2Component c) {
    Stub2* m = (Stub2*)c;
    if (m == NULL) return;
    if (!m->broken) m->call.free_instance(m->inner);
    free2(m);
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories, const fmi2String categories[]) {
    int mask = 0;
    size_t i;
    int k;
    OPEN2(c, "fmi2SetDebugLogging");
    if (nCategories == 0) {
        m->log = loggingOn ? STUB_LOG_ALL : STUB_LOG_PROBLEMS;
        return fmi2OK;
    }
    POINTER2("fmi2SetDebugLogging", categories);
    for (i = 0; i < nCategories; i++) {
        POINTER2("fmi2SetDebugLogging", categories[i]);
        for (k = 0; k < 4 && strcmp(categories[i], stub_categories[k]) != 0; k++) continue;
        if (k < 4) mask |= 1 << k;
        else if (strcmp(categories[i], "logAll") == 0) mask |= STUB_LOG_ALL;
        else return say2(m, fmi2Error, "fmi2SetDebugLogging: there is no log category '%.100s'", categories[i]);
    }
    m->log = loggingOn ? mask : m->log & ~mask;
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(
    fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
    fmi2Boolean stopTimeDefined, fmi2Real stopTime
) {
    OPEN2(c, "fmi2SetupExperiment");
    if (m->shared.state != STUB_INSTANTIATED)
        return say2(m, fmi2Error, "fmi2SetupExperiment is not allowed now: the instance has been initialized");
    /* The wrapper hands the experiment on when the initialization begins, which is late for saying what is wrong. */
    if (!isfinite(startTime))
        return say2(m, fmi2Error, "fmi2SetupExperiment: the start time must be finite, not %g", startTime);
    if (stopTimeDefined && !(stopTime > startTime))
        return say2(m, fmi2Error,
            "fmi2SetupExperiment: the stop time must be after the start time %.9g s, not %.9g s", startTime, stopTime);
    if (toleranceDefined && !(tolerance > 0.0 && isfinite(tolerance)))
        return say2(m, fmi2Error, "fmi2SetupExperiment: the tolerance must be > 0, not %g", tolerance);
    return done2(m, m->call.setup_experiment(m->inner, toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime));
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    OPEN2(c, "fmi2EnterInitializationMode");
    return done2(m, m->call.enter_initialization(m->inner));
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    OPEN2(c, "fmi2ExitInitializationMode");
    return done2(m, m->call.exit_initialization(m->inner));
}

fmi2Status fmi2Terminate(fmi2Component c) {
    OPEN2(c, "fmi2Terminate");
    return done2(m, m->call.terminate(m->inner));
}

fmi2Status fmi2Reset(fmi2Component c) { /* the wrapper makes a new slave, which has to be told again */
    fmi2Status status;
    OPEN2(c, "fmi2Reset");
    status = done2(m, m->call.reset(m->inner));
    return status == fmi2OK ? shake_hands2(m) : status;
}

/* --- values -------------------------------------------------------------------------------------------------------- */

#define VALUES2(function, Type, field) \
    fmi2Status function(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, Type value[]) { \
        OPEN2(c, #function); \
        if (nvr) POINTER2(#function, vr); \
        if (nvr) POINTER2(#function, value); \
        return done2(m, m->call.field(m->inner, vr, nvr, value)); \
    }

VALUES2(fmi2GetReal, fmi2Real, get_real)
VALUES2(fmi2GetInteger, fmi2Integer, get_integer)
VALUES2(fmi2GetBoolean, fmi2Boolean, get_boolean)
VALUES2(fmi2SetReal, const fmi2Real, set_real)
VALUES2(fmi2SetInteger, const fmi2Integer, set_integer)
VALUES2(fmi2SetBoolean, const fmi2Boolean, set_boolean)

static fmi2Status no_string2(Stub2* m, const char* function, int states, const fmi2ValueReference vr[], size_t nvr) {
    if (!(m->shared.state & states)) return say2(m, fmi2Error, "%s is not allowed now", function);
    if (nvr == 0) return fmi2OK;
    POINTER2(function, vr);
    return say2(m, fmi2Error, "%s: there is no String variable with value reference %u", function, vr[0]);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2String value[]) {
    OPEN2(c, "fmi2GetString");
    (void)value;
    return no_string2(m, "fmi2GetString", STUB_READABLE, vr, nvr);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2String value[]) {
    OPEN2(c, "fmi2SetString");
    (void)value;
    return no_string2(m, "fmi2SetString", STUB_SETTABLE, vr, nvr);
}

#include "python_stub_fmi2_states.c"

/* --- steps --------------------------------------------------------------------------------------------------------- */

fmi2Status fmi2DoStep(
    fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
    fmi2Boolean noSetFMUStatePriorToCurrentPoint
) {
    OPEN2(c, "fmi2DoStep");
    return done2(m, m->call.do_step(
        m->inner, currentCommunicationPoint, communicationStepSize, noSetFMUStatePriorToCurrentPoint));
}

static fmi2Status asked2(Stub2* m, const char* function, int known, const char* which) {
    if (!(m->shared.state & (STUB_STEP_COMPLETE | STUB_STEP_FAILED | STUB_TERMINATED)))
        return say2(m, fmi2Error, "%s is not allowed now: no step has been done", function);
    return known ? fmi2OK : say2(m, fmi2Discard, "%s: %s", function, which);
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
    fmi2Status status;
    OPEN2(c, "fmi2GetRealStatus");
    POINTER2("fmi2GetRealStatus", value);
    status = asked2(m, "fmi2GetRealStatus", s == fmi2LastSuccessfulTime, "only fmi2LastSuccessfulTime is known");
    if (status == fmi2OK) *value = m->shared.time;
    return status;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
    fmi2Status status;
    OPEN2(c, "fmi2GetBooleanStatus");
    POINTER2("fmi2GetBooleanStatus", value);
    status = asked2(m, "fmi2GetBooleanStatus", s == fmi2Terminated, "only fmi2Terminated is known");
    if (status == fmi2OK) *value = m->shared.stopped ? fmi2True : fmi2False;
    return status;
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* value) {
    OPEN2(c, "fmi2GetStatus");
    (void)s;
    (void)value;
    return asked2(m, "fmi2GetStatus", 0, "steps are never pending");
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer* value) {
    OPEN2(c, "fmi2GetIntegerStatus");
    (void)s;
    (void)value;
    return asked2(m, "fmi2GetIntegerStatus", 0, "steps are never pending");
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String* value) {
    OPEN2(c, "fmi2GetStringStatus");
    (void)s;
    (void)value;
    return asked2(m, "fmi2GetStringStatus", 0, "steps are never pending");
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    OPEN2(c, "fmi2CancelStep");
    return say2(m, fmi2Error, "fmi2CancelStep is not allowed now: steps are never pending");
}

#include "python_stub_fmi2_absent.c"
