/* The FMI 3.0 functions of a library, and an importing tool's callbacks. */

#include "tool.h"

#include "fmi3Functions.h"

#define FMI3_FUNCTIONS(X) \
    X(GetVersion) X(SetDebugLogging) X(InstantiateModelExchange) X(InstantiateCoSimulation) X(InstantiateScheduledExecution) \
    X(FreeInstance) X(EnterInitializationMode) X(ExitInitializationMode) X(EnterEventMode) X(Terminate) X(Reset) \
    X(GetFloat32) X(GetFloat64) X(GetInt8) X(GetUInt8) X(GetInt16) X(GetUInt16) X(GetInt32) X(GetUInt32) X(GetInt64) \
    X(GetUInt64) X(GetBoolean) X(GetString) X(GetBinary) X(GetClock) \
    X(SetFloat32) X(SetFloat64) X(SetInt8) X(SetUInt8) X(SetInt16) X(SetUInt16) X(SetInt32) X(SetUInt32) X(SetInt64) \
    X(SetUInt64) X(SetBoolean) X(SetString) X(SetBinary) X(SetClock) \
    X(GetNumberOfVariableDependencies) X(GetVariableDependencies) \
    X(GetFMUState) X(SetFMUState) X(FreeFMUState) X(SerializedFMUStateSize) X(SerializeFMUState) X(DeserializeFMUState) \
    X(GetDirectionalDerivative) X(GetAdjointDerivative) X(EnterConfigurationMode) X(ExitConfigurationMode) \
    X(GetIntervalDecimal) X(GetIntervalFraction) X(GetShiftDecimal) X(GetShiftFraction) \
    X(SetIntervalDecimal) X(SetIntervalFraction) X(SetShiftDecimal) X(SetShiftFraction) \
    X(EvaluateDiscreteStates) X(UpdateDiscreteStates) X(EnterContinuousTimeMode) X(CompletedIntegratorStep) X(SetTime) \
    X(SetContinuousStates) X(GetContinuousStateDerivatives) X(GetEventIndicators) X(GetContinuousStates) \
    X(GetNominalsOfContinuousStates) X(GetNumberOfEventIndicators) X(GetNumberOfContinuousStates) \
    X(EnterStepMode) X(GetOutputDerivatives) X(DoStep) X(ActivateModelPartition)

typedef struct Fmi3 {
    void* library;
#define X(name) fmi3##name##TYPE* name;
    FMI3_FUNCTIONS(X)
#undef X
} Fmi3;

static inline void fmi3_open(Fmi3* f, const char* path) {
    f->library = tool_open(path);
#define X(name) tool_find(f->library, "fmi3" #name, &f->name);
    FMI3_FUNCTIONS(X)
#undef X
}

/* Writes messages to the standard error stream: in FMI 3.0 they are plain text. */
static inline void fmi3_print_message(
    fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message
) {
    (void)environment;
    fprintf(stderr, "[%s, %d] %s\n", category, (int)status, message);
}

static inline void fmi3_check(const char* what, fmi3Status status) {
    if (status != fmi3OK) {
        fprintf(stderr, "%s returned %d\n", what, (int)status);
        exit(1);
    }
}
