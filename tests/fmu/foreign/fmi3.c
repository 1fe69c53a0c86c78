/* A front door of FMI 3.0 for small models, as other tools have one: Co-Simulation and Model Exchange.
   A model is a file named by -DMODEL="…" that defines what is declared as `model_…` below. A variable is a place in
   `values` by its reference, and as long as its size says. */

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3Functions.h"

#define MAX 64

typedef struct {
    double values[MAX];
    char string[64];
    double t, next_event;
    int configured, ended, initialized;
    /* what is above is the state */
    fmi3LogMessageCallback log;
    fmi3InstanceEnvironment environment;
} Model;

static const char* token;
static const int n_states, n_indicators;
static void model_start(Model* m);
static size_t model_size(const Model* m, fmi3ValueReference vr);    /* how many values a variable has */
static size_t model_place(fmi3ValueReference vr);
static void model_outputs(Model* m);
static void model_step(Model* m, double h);
static void model_derivatives(Model* m, double* dx);
static void model_indicators(Model* m, double* z);
static void model_event(Model* m);

#include MODEL

#define M Model* m = (Model*)c
#ifndef MODEL_FIXED                    /* by reference: what cannot be set after initialization */
#define MODEL_FIXED(vr) 0
#endif

const char* fmi3GetVersion(void) { return fmi3Version; }
fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String names[]) { return fmi3OK; }

static fmi3Instance instantiate(fmi3String given, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    Model* m;
    if (strcmp(given, token) != 0) { log(environment, fmi3Error, "error", "the instantiation token is another one"); return NULL; }
    m = calloc(1, sizeof(Model));
    m->log = log; m->environment = environment;
    model_start(m);
    return m;
}
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String given, fmi3String path, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) { return instantiate(given, environment, log); }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String given, fmi3String path, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early, const fmi3ValueReference needed[], size_t n,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
    return events || early ? NULL : instantiate(given, environment, log);
}
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String given, fmi3String path, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock) { return NULL; }
void fmi3FreeInstance(fmi3Instance c) { free(c); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean td, fmi3Float64 tol, fmi3Float64 start, fmi3Boolean sd, fmi3Float64 stop) { M; m->t = start; return fmi3OK; }
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { M; m->initialized = 1; return fmi3OK; }
fmi3Status fmi3EnterEventMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3Reset(fmi3Instance c) { M; model_start(m); return fmi3OK; }
fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) { M; m->configured = 1; return fmi3OK; }
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) { return fmi3OK; }

#define ACCESS(Type) \
    fmi3Status fmi3Get##Type(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3##Type v[], size_t nv) { \
        M; size_t i, k, at = 0; \
        model_outputs(m); \
        for (i = 0; i < n; i++) for (k = 0; k < model_size(m, vr[i]); k++) { if (at >= nv) return fmi3Error; v[at++] = (fmi3##Type)m->values[model_place(vr[i]) + k]; } \
        return at == nv ? fmi3OK : fmi3Error; \
    } \
    fmi3Status fmi3Set##Type(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3##Type v[], size_t nv) { \
        M; size_t i, k, at = 0; \
        for (i = 0; i < n; i++) for (k = 0; k < model_size(m, vr[i]); k++) { if (at >= nv || (m->initialized && MODEL_FIXED(vr[i]))) return fmi3Error; m->values[model_place(vr[i]) + k] = (double)v[at++]; } \
        return at == nv ? fmi3OK : fmi3Error; \
    }
ACCESS(Float32) ACCESS(Float64) ACCESS(Int8) ACCESS(UInt8) ACCESS(Int16) ACCESS(UInt16) ACCESS(Int32) ACCESS(UInt32)
ACCESS(Int64) ACCESS(UInt64) ACCESS(Boolean)

fmi3Status fmi3GetString(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3String v[], size_t nv) { M; v[0] = m->string; return fmi3OK; }
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3String v[], size_t nv) { M; snprintf(m->string, sizeof m->string, "%s", v[0]); return fmi3OK; }
fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, size_t sizes[], fmi3Binary v[], size_t nv) { return fmi3Error; }
fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const size_t sizes[], const fmi3Binary v[], size_t nv) { return fmi3Error; }
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Clock v[]) { return fmi3Error; }
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Clock v[]) { return fmi3Error; }
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t* n) { return fmi3Error; }
fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference d, size_t e[], fmi3ValueReference i[], size_t f[], fmi3DependencyKind k[], size_t n) { return fmi3Error; }

#define STATE_SIZE offsetof(Model, log)
fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* s) { if (!*s) *s = malloc(STATE_SIZE); memcpy(*s, c, STATE_SIZE); return fmi3OK; }
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState s) { memcpy(c, s, STATE_SIZE); return fmi3OK; }
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* s) { free(*s); *s = NULL; return fmi3OK; }
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState s, size_t* n) { *n = STATE_SIZE; return fmi3OK; }
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState s, fmi3Byte to[], size_t n) { memcpy(to, s, n); return fmi3OK; }
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte from[], size_t n, fmi3FMUState* s) { *s = malloc(n); memcpy(*s, from, n); return fmi3OK; }

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk, const fmi3Float64 s[], size_t ns, fmi3Float64 r[], size_t nr) { return fmi3Error; }
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk, const fmi3Float64 s[], size_t ns, fmi3Float64 r[], size_t nr) { return fmi3Error; }
fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 i[], fmi3IntervalQualifier q[]) { return fmi3Error; }
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3UInt64 i[], fmi3UInt64 r[], fmi3IntervalQualifier q[]) { return fmi3Error; }
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 s[]) { return fmi3Error; }
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3UInt64 s[], fmi3UInt64 r[]) { return fmi3Error; }
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 i[]) { return fmi3Error; }
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3UInt64 i[], const fmi3UInt64 r[]) { return fmi3Error; }
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 s[]) { return fmi3Error; }
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3UInt64 s[], const fmi3UInt64 r[]) { return fmi3Error; }
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* again, fmi3Boolean* end, fmi3Boolean* nominals, fmi3Boolean* states, fmi3Boolean* defined, fmi3Float64* instant) {
    M; model_event(m);
    *again = *nominals = fmi3False; *end = m->ended; *states = fmi3True;
    *defined = m->next_event > m->t; *instant = m->next_event;
    return fmi3OK;
}

/* Model Exchange: states are values[0] … */
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean forget, fmi3Boolean* event, fmi3Boolean* stop) { *event = *stop = fmi3False; return fmi3OK; }
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t) { M; m->t = t; return fmi3OK; }
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], size_t n) { M; memcpy(m->values, x, n * sizeof *x); return fmi3OK; }
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) { M; memcpy(x, m->values, n * sizeof *x); return fmi3OK; }
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) { size_t i; for (i = 0; i < n; i++) x[i] = 1.0; return fmi3OK; }
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 dx[], size_t n) { M; if (n != (size_t)n_states) return fmi3Error; model_derivatives(m, dx); return fmi3OK; }
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 z[], size_t n) { M; if (n != (size_t)n_indicators) return fmi3Error; model_indicators(m, z); return fmi3OK; }
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t* n) { *n = n_indicators; return fmi3OK; }
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t* n) { *n = n_states; return fmi3OK; }

/* Co-Simulation */
fmi3Status fmi3EnterStepMode(fmi3Instance c) { return fmi3OK; }
fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Int32 o[], fmi3Float64 v[], size_t nv) { return fmi3Error; }
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean forget, fmi3Boolean* event, fmi3Boolean* end, fmi3Boolean* early, fmi3Float64* last) {
    M; if (fabs(t - m->t) > 1e-9 * (1.0 + fabs(t))) return fmi3Error;
    model_step(m, h);
    m->t = t + h;
    *event = *early = fmi3False; *end = m->ended; *last = m->t;
    return fmi3OK;
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference vr, fmi3Float64 t) { return fmi3Error; }
