/* A front door of FMI 2.0 for small models, as other tools have one: Co-Simulation, Model Exchange, saved states.
   A model is a file named by -DMODEL="…" that defines what is declared as `model_…` below. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2Functions.h"

#define MAX 16

typedef struct {
    double real[MAX];
    int integer[MAX], boolean[MAX];
    char string[MAX][64];
    double t, next_event;
    int has_next_event, in_step_mode, terminated, wants_event, strict;
    double set_since_step;
    /* what is above is the state */
    const fmi2CallbackFunctions* callbacks;
    char name[64];
    int logging;
} Model;

static const char* token;                           /* GUID */
static const int n_states, n_indicators;
static void model_start(Model* m);                  /* start values */
static void model_initialized(Model* m);
static fmi2Status model_step(Model* m, double h);   /* Co-Simulation: go on from m->t by h */
static void model_outputs(Model* m);
static void model_derivatives(Model* m, double* dx);
static void model_indicators(Model* m, double* z);
static void model_event(Model* m);                  /* Model Exchange: an iteration of an event */
static void say(Model* m, fmi2Status status, const char* text, double value) {
    m->callbacks->logger(m->callbacks->componentEnvironment, m->name, status, "logStatusError", text, value);
}

#include MODEL

#define M Model* m = (Model*)c

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[]) {
    M; (void)n; (void)names; m->logging = on; return fmi2OK;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    Model* m = calloc(1, sizeof(Model));
    (void)type; (void)resources; (void)visible;
    m->callbacks = callbacks;
    m->logging = logging;
    snprintf(m->name, sizeof m->name, "%s", name);
    if (strcmp(guid, token) != 0) {
        callbacks->logger(callbacks->componentEnvironment, name, fmi2Error, "logStatusError",
                          "the GUID is %s, and %s was given", token, guid);
        free(m);
        return NULL;
    }
    model_start(m);
    return m;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean td, fmi2Real tol, fmi2Real start, fmi2Boolean sd, fmi2Real stop) {
    M; (void)td; (void)tol; (void)sd; (void)stop; m->t = start; return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { M; m->in_step_mode = 1; m->set_since_step = 0; model_initialized(m); return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2Reset(fmi2Component c) { M; model_start(m); return fmi2OK; }

#define ACCESS(Type, CType, field) \
    fmi2Status fmi2Get##Type(fmi2Component c, const fmi2ValueReference vr[], size_t n, CType v[]) { \
        M; size_t i; \
        if (m->strict && m->in_step_mode && m->set_since_step) { say(m, fmi2Error, "read after %g inputs were set", m->set_since_step); return fmi2Error; } \
        model_outputs(m); \
        for (i = 0; i < n; i++) v[i] = m->field[vr[i]]; \
        return fmi2OK; \
    } \
    fmi2Status fmi2Set##Type(fmi2Component c, const fmi2ValueReference vr[], size_t n, const CType v[]) { \
        M; size_t i; \
        for (i = 0; i < n; i++) m->field[vr[i]] = v[i]; \
        m->set_since_step += (double)n; \
        return fmi2OK; \
    }
ACCESS(Real, fmi2Real, real)
ACCESS(Integer, fmi2Integer, integer)
ACCESS(Boolean, fmi2Boolean, boolean)
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String v[]) {
    M; size_t i; for (i = 0; i < n; i++) v[i] = m->string[vr[i]]; return fmi2OK;
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String v[]) {
    M; size_t i; for (i = 0; i < n; i++) snprintf(m->string[vr[i]], 64, "%s", v[i]); return fmi2OK;
}

#define STATE_SIZE offsetof(Model, callbacks)
fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* s) { if (!*s) *s = malloc(STATE_SIZE); memcpy(*s, c, STATE_SIZE); return fmi2OK; }
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate s) { memcpy(c, s, STATE_SIZE); return fmi2OK; }
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* s) { (void)c; free(*s); *s = NULL; return fmi2OK; }
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate s, size_t* n) { (void)c; (void)s; *n = STATE_SIZE; return fmi2OK; }
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate s, fmi2Byte to[], size_t n) { (void)c; memcpy(to, s, n); return fmi2OK; }
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte from[], size_t n, fmi2FMUstate* s) {
    (void)c; if (n != STATE_SIZE) return fmi2Error; *s = malloc(n); memcpy(*s, from, n); return fmi2OK;
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t nu, const fmi2ValueReference k[],
                                        size_t nk, const fmi2Real dk[], fmi2Real du[]) {
    (void)c; (void)u; (void)nu; (void)k; (void)nk; (void)dk; (void)du; return fmi2Error;
}

/* Co-Simulation */
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean forget) {
    M; fmi2Status status; (void)forget;
    if (fabs(t - m->t) > 1e-9 * (1.0 + fabs(t))) { say(m, fmi2Error, "the step does not begin where the last one ended, at %g", m->t); return fmi2Error; }
    status = model_step(m, h);
    m->set_since_step = 0;
    if (status <= fmi2Warning) m->t = t + h;
    return status;
}
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer o[], const fmi2Real v[]) {
    (void)c; (void)vr; (void)n; (void)o; (void)v; return fmi2Error;
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer o[], fmi2Real v[]) {
    (void)c; (void)vr; (void)n; (void)o; (void)v; return fmi2Error;
}
fmi2Status fmi2CancelStep(fmi2Component c) { (void)c; return fmi2Error; }
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind k, fmi2Status* v) { (void)c; (void)k; *v = fmi2OK; return fmi2OK; }
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind k, fmi2Real* v) { M; (void)k; *v = m->t; return fmi2OK; }
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind k, fmi2Integer* v) { (void)c; (void)k; (void)v; return fmi2Discard; }
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind k, fmi2Boolean* v) { M; (void)k; *v = m->terminated; return fmi2OK; }
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind k, fmi2String* v) { (void)c; (void)k; (void)v; return fmi2Discard; }

/* Model Exchange: states are real[0] … */
fmi2Status fmi2EnterEventMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* e) {
    M; memset(e, 0, sizeof *e);
    model_event(m);
    e->terminateSimulation = m->terminated;
    e->nextEventTimeDefined = m->has_next_event;
    e->nextEventTime = m->next_event;
    e->valuesOfContinuousStatesChanged = 1;
    return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { (void)c; return fmi2OK; }
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean forget, fmi2Boolean* event, fmi2Boolean* stop) {
    M; (void)forget; *event = m->wants_event; *stop = fmi2False; return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) { M; m->t = t; return fmi2OK; }
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) { M; memcpy(m->real, x, n * sizeof *x); return fmi2OK; }
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) { M; memcpy(x, m->real, n * sizeof *x); return fmi2OK; }
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) { size_t i; (void)c; for (i = 0; i < n; i++) x[i] = 1.0; return fmi2OK; }
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) { M; if (n != (size_t)n_states) return fmi2Error; model_derivatives(m, dx); return fmi2OK; }
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) { M; if (n != (size_t)n_indicators) return fmi2Error; model_indicators(m, z); return fmi2OK; }
