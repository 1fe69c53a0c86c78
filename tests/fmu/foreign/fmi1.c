/* A front door of FMI 1.0 for the models of `fmi2.c`, which are the same here: Co-Simulation and Model Exchange.
   A model is a file named by -DMODEL="…"; the names of functions begin with -DID=…, as FMI 1.0 wants it. */

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi1Functions.h"

#define MAX 16
#define fmi2Status fmi1Status
#define fmi2OK fmi1OK
#define fmi2Warning fmi1Warning
#define fmi2Discard fmi1Discard
#define fmi2Error fmi1Error
#define fmi2Fatal fmi1Fatal

typedef struct {
    double real[MAX];
    int integer[MAX], boolean[MAX];
    char string[MAX][64];
    double t, next_event;
    int has_next_event, in_step_mode, terminated, wants_event, strict;
    double set_since_step;
    fmi1CallbackFunctions callbacks;
    char name[64];
    int pending;
} Model;

static const char* token;
static const int n_states, n_indicators;
static void model_start(Model* m);
static void model_initialized(Model* m);
static fmi1Status model_step(Model* m, double h);
static void model_outputs(Model* m);
static void model_derivatives(Model* m, double* dx);
static void model_indicators(Model* m, double* z);
static void model_event(Model* m);
static void say(Model* m, fmi1Status status, const char* text, double value) {
    m->callbacks.logger(m, m->name, status, "logStatusError", text, value);
}

#include MODEL

#define JOIN_(a, b) a##_fmi##b
#define JOIN(a, b) JOIN_(a, b)
#define F(name) JOIN(ID, name)
#define M Model* m = (Model*)c

const char* F(GetVersion)(void) { return "1.0"; }
const char* F(GetTypesPlatform)(void) { return "standard32"; }
const char* F(GetModelTypesPlatform)(void) { return "standard32"; }
fmi1Status F(SetDebugLogging)(fmi1Component c, fmi1Boolean on) { (void)c; (void)on; return fmi1OK; }

static fmi1Component instantiate(fmi1String name, fmi1String guid, fmi1CallbackFunctions callbacks) {
    Model* m = callbacks.allocateMemory(1, sizeof(Model));
    m->callbacks = callbacks;
    snprintf(m->name, sizeof m->name, "%s", name);
    if (strcmp(guid, token) != 0) {
        callbacks.logger(NULL, name, fmi1Error, "logStatusError", "the GUID is %s, and %s was given", token, guid);
        callbacks.freeMemory(m);
        return NULL;
    }
    model_start(m);
    return m;
}
fmi1Component F(InstantiateModel)(fmi1String name, fmi1String guid, fmi1CallbackFunctions callbacks, fmi1Boolean logging) {
    (void)logging; return instantiate(name, guid, callbacks);
}
fmi1Component F(InstantiateSlave)(fmi1String name, fmi1String guid, fmi1String location, fmi1String mime, fmi1Real timeout,
                                  fmi1Boolean visible, fmi1Boolean interactive, fmi1CallbackFunctions callbacks, fmi1Boolean logging) {
    (void)timeout; (void)logging;
    if (strncmp(location, "file:///", 8) != 0 || strcmp(mime, "application/x-fmu-sharedlibrary") != 0 || visible || interactive) return NULL;
    return instantiate(name, guid, callbacks);
}
static void release(fmi1Component c) { M; m->callbacks.freeMemory(m); }
void F(FreeModelInstance)(fmi1Component c) { release(c); }
void F(FreeSlaveInstance)(fmi1Component c) { release(c); }

#define ACCESS(Type, CType, field) \
    fmi1Status F(Get##Type)(fmi1Component c, const fmi1ValueReference vr[], size_t n, CType v[]) { \
        M; size_t i; \
        if (m->strict && m->in_step_mode && m->set_since_step) { say(m, fmi1Error, "read after %g inputs were set", m->set_since_step); return fmi1Error; } \
        model_outputs(m); \
        for (i = 0; i < n; i++) v[i] = (CType)m->field[vr[i]]; \
        return fmi1OK; \
    } \
    fmi1Status F(Set##Type)(fmi1Component c, const fmi1ValueReference vr[], size_t n, const CType v[]) { \
        M; size_t i; \
        for (i = 0; i < n; i++) m->field[vr[i]] = v[i]; \
        m->set_since_step += (double)n; \
        return fmi1OK; \
    }
ACCESS(Real, fmi1Real, real)
ACCESS(Integer, fmi1Integer, integer)
ACCESS(Boolean, fmi1Boolean, boolean)
fmi1Status F(GetString)(fmi1Component c, const fmi1ValueReference vr[], size_t n, fmi1String v[]) {
    M; size_t i; for (i = 0; i < n; i++) v[i] = m->string[vr[i]]; return fmi1OK;
}
fmi1Status F(SetString)(fmi1Component c, const fmi1ValueReference vr[], size_t n, const fmi1String v[]) {
    M; size_t i; for (i = 0; i < n; i++) snprintf(m->string[vr[i]], 64, "%s", v[i]); return fmi1OK;
}

/* Co-Simulation; with FMI1_PENDING in the environment a step goes on after the call, until it is asked for twice */
fmi1Status F(InitializeSlave)(fmi1Component c, fmi1Real start, fmi1Boolean defined, fmi1Real stop) {
    M; (void)defined; (void)stop; m->t = start; m->in_step_mode = 1; m->set_since_step = 0; model_initialized(m); return fmi1OK;
}
fmi1Status F(TerminateSlave)(fmi1Component c) { (void)c; return fmi1OK; }
fmi1Status F(ResetSlave)(fmi1Component c) { M; model_start(m); return fmi1OK; }
fmi1Status F(DoStep)(fmi1Component c, fmi1Real t, fmi1Real h, fmi1Boolean anew) {
    M; fmi1Status status;
    if (!anew || fabs(t - m->t) > 1e-9 * (1.0 + fabs(t))) { say(m, fmi1Error, "the step does not begin where the last one ended, at %g", m->t); return fmi1Error; }
    status = model_step(m, h);
    m->set_since_step = 0;
    if (status <= fmi1Warning) m->t = t + h;
    if (status == fmi1OK && getenv("FMI1_PENDING")) { m->pending = 2; return (fmi1Status)5; }
    return status;
}
fmi1Status F(CancelStep)(fmi1Component c) { (void)c; return fmi1Error; }
fmi1Status F(SetRealInputDerivatives)(fmi1Component c, const fmi1ValueReference vr[], size_t n, const fmi1Integer o[], const fmi1Real v[]) {
    (void)c; (void)vr; (void)n; (void)o; (void)v; return fmi1Error;
}
fmi1Status F(GetRealOutputDerivatives)(fmi1Component c, const fmi1ValueReference vr[], size_t n, const fmi1Integer o[], fmi1Real v[]) {
    (void)c; (void)vr; (void)n; (void)o; (void)v; return fmi1Error;
}
fmi1Status F(GetStatus)(fmi1Component c, const fmi1StatusKind k, fmi1Status* v) { M; (void)k; *v = m->pending-- > 0 ? (fmi1Status)5 : fmi1OK; return fmi1OK; }
fmi1Status F(GetRealStatus)(fmi1Component c, const fmi1StatusKind k, fmi1Real* v) { M; (void)k; *v = m->t; return fmi1OK; }
fmi1Status F(GetIntegerStatus)(fmi1Component c, const fmi1StatusKind k, fmi1Integer* v) { (void)c; (void)k; (void)v; return fmi1Discard; }
fmi1Status F(GetBooleanStatus)(fmi1Component c, const fmi1StatusKind k, fmi1Boolean* v) { (void)c; (void)k; (void)v; return fmi1Discard; }
fmi1Status F(GetStringStatus)(fmi1Component c, const fmi1StatusKind k, fmi1String* v) { (void)c; (void)k; (void)v; return fmi1Discard; }

/* Model Exchange: states are real[0] … */
static fmi1Status event(Model* m, fmi1EventInfo* e) {
    memset(e, 0, sizeof *e);
    model_event(m);
    e->iterationConverged = e->stateValuesChanged = fmi1True;
    e->terminateSimulation = (fmi1Boolean)m->terminated;
    e->upcomingTimeEvent = (fmi1Boolean)m->has_next_event;
    e->nextEventTime = m->next_event;
    return fmi1OK;
}
fmi1Status F(Initialize)(fmi1Component c, fmi1Boolean controlled, fmi1Real tolerance, fmi1EventInfo* e) {
    M; m->real[MAX - 1] = controlled ? tolerance : 0.0; m->in_step_mode = 1; m->set_since_step = 0; model_initialized(m); return event(m, e);
}
fmi1Status F(EventUpdate)(fmi1Component c, fmi1Boolean intermediate, fmi1EventInfo* e) { M; return intermediate ? fmi1Error : event(m, e); }
fmi1Status F(CompletedIntegratorStep)(fmi1Component c, fmi1Boolean* wanted) { M; *wanted = (fmi1Boolean)m->wants_event; return fmi1OK; }
fmi1Status F(SetTime)(fmi1Component c, fmi1Real t) { M; m->t = t; return fmi1OK; }
fmi1Status F(SetContinuousStates)(fmi1Component c, const fmi1Real x[], size_t n) { M; memcpy(m->real, x, n * sizeof *x); return fmi1OK; }
fmi1Status F(GetContinuousStates)(fmi1Component c, fmi1Real x[], size_t n) { M; memcpy(x, m->real, n * sizeof *x); return fmi1OK; }
fmi1Status F(GetNominalContinuousStates)(fmi1Component c, fmi1Real x[], size_t n) { size_t i; (void)c; for (i = 0; i < n; i++) x[i] = 1.0; return fmi1OK; }
fmi1Status F(GetStateValueReferences)(fmi1Component c, fmi1ValueReference v[], size_t n) { size_t i; (void)c; for (i = 0; i < n; i++) v[i] = (fmi1ValueReference)i; return fmi1OK; }
fmi1Status F(GetDerivatives)(fmi1Component c, fmi1Real dx[], size_t n) { M; if (n != (size_t)n_states) return fmi1Error; model_derivatives(m, dx); return fmi1OK; }
fmi1Status F(GetEventIndicators)(fmi1Component c, fmi1Real z[], size_t n) { M; if (n != (size_t)n_indicators) return fmi1Error; model_indicators(m, z); return fmi1OK; }
fmi1Status F(Terminate)(fmi1Component c) { (void)c; return fmi1OK; }
