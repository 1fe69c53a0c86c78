/* The FMI 2.0 functions of a library, and an importing tool's callbacks. */

#include "tool.h"

#include "fmi2Functions.h"

#define FMI2_FUNCTIONS(X) \
    X(GetTypesPlatform) X(GetVersion) X(SetDebugLogging) X(Instantiate) X(FreeInstance) X(SetupExperiment) \
    X(EnterInitializationMode) X(ExitInitializationMode) X(Terminate) X(Reset) \
    X(GetReal) X(GetInteger) X(GetBoolean) X(GetString) X(SetReal) X(SetInteger) X(SetBoolean) X(SetString) \
    X(GetFMUstate) X(SetFMUstate) X(FreeFMUstate) X(SerializedFMUstateSize) X(SerializeFMUstate) X(DeSerializeFMUstate) \
    X(GetDirectionalDerivative) X(SetRealInputDerivatives) X(GetRealOutputDerivatives) X(DoStep) X(CancelStep) \
    X(GetStatus) X(GetRealStatus) X(GetIntegerStatus) X(GetBooleanStatus) X(GetStringStatus)

typedef struct Fmi2 {
    void* library;
#define X(name) fmi2##name##TYPE* name;
    FMI2_FUNCTIONS(X)
#undef X
} Fmi2;

static inline void fmi2_open(Fmi2* f, const char* path) {
    f->library = tool_open(path);
#define X(name) tool_find(f->library, "fmi2" #name, &f->name);
    FMI2_FUNCTIONS(X)
#undef X
}

#define FMI2_EXCHANGE_FUNCTIONS(X) \
    X(EnterEventMode) X(NewDiscreteStates) X(EnterContinuousTimeMode) X(CompletedIntegratorStep) X(SetTime) \
    X(SetContinuousStates) X(GetDerivatives) X(GetEventIndicators) X(GetContinuousStates) X(GetNominalsOfContinuousStates)

typedef struct Fmi2Exchange {
#define X(name) fmi2##name##TYPE* name;
    FMI2_EXCHANGE_FUNCTIONS(X)
#undef X
} Fmi2Exchange;

static inline void fmi2_open_exchange(Fmi2Exchange* f, void* library) {
#define X(name) tool_find(library, "fmi2" #name, &f->name);
    FMI2_EXCHANGE_FUNCTIONS(X)
#undef X
}

/* Writes messages to the standard error stream as the standard says: the text is a format. */
static inline void fmi2_print_message(
    fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String message, ...
) {
    va_list arguments;
    (void)environment;
    va_start(arguments, message);
    fprintf(stderr, "%s [%s, %d] ", name, category, (int)status);
    vfprintf(stderr, message, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}

static inline void fmi2_check(const char* what, fmi2Status status) {
    if (status != fmi2OK) {
        fprintf(stderr, "%s returned %d\n", what, (int)status);
        exit(1);
    }
}
