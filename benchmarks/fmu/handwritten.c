/* The benchmark model as an FMI 2.0 FMU for co-simulation that an engineer would write by hand: the right-hand side and
 * the Runge-Kutta step of c_loop.c behind the functions of the standard, with no checks and nothing that is optional.
 * Value references 0 to 5 are x, y, psi, u, v, r. contenders.py builds it. */
#include "../c_loop.c"

#include "fmi2Functions.h"

#include <stdlib.h>

static const double step = 0.02;

typedef struct Model {
    double s[STATES];
    double t;
} Model;

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(
    fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *callbacks,
    fmi2Boolean visible, fmi2Boolean logging)
{
    (void)name, (void)type, (void)guid, (void)resources, (void)callbacks, (void)visible, (void)logging;
    return calloc(1, sizeof(Model));
}

void fmi2FreeInstance(fmi2Component c) { free(c); }

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    memcpy(((Model *)c)->s, start, sizeof start);
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real point, fmi2Real size, fmi2Boolean keep)
{
    Model *m = c;
    const double end = point + size - 0.5 * step;
    (void)keep;
    for (; m->t < end; m->t += step)
        rk4(m->s, step);
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    size_t i;
    for (i = 0; i < n; i++)
        value[i] = ((Model *)c)->s[vr[i]];
    return fmi2OK;
}

/* What tools may call without a need. */
#define FINE(name, ...) fmi2Status name(__VA_ARGS__) { return fmi2OK; }
#define REFUSED(name, ...) fmi2Status name(__VA_ARGS__) { return fmi2Error; }
#pragma GCC diagnostic ignored "-Wunused-parameter"

FINE(fmi2SetupExperiment, fmi2Component c, fmi2Boolean d, fmi2Real r, fmi2Real t, fmi2Boolean e, fmi2Real s)
FINE(fmi2ExitInitializationMode, fmi2Component c)
FINE(fmi2Terminate, fmi2Component c)
FINE(fmi2SetDebugLogging, fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[])
REFUSED(fmi2Reset, fmi2Component c)
REFUSED(fmi2GetInteger, fmi2Component c, const fmi2ValueReference v[], size_t n, fmi2Integer a[])
REFUSED(fmi2GetBoolean, fmi2Component c, const fmi2ValueReference v[], size_t n, fmi2Boolean a[])
REFUSED(fmi2GetString, fmi2Component c, const fmi2ValueReference v[], size_t n, fmi2String a[])
REFUSED(fmi2SetReal, fmi2Component c, const fmi2ValueReference v[], size_t n, const fmi2Real a[])
REFUSED(fmi2SetInteger, fmi2Component c, const fmi2ValueReference v[], size_t n, const fmi2Integer a[])
REFUSED(fmi2SetBoolean, fmi2Component c, const fmi2ValueReference v[], size_t n, const fmi2Boolean a[])
REFUSED(fmi2SetString, fmi2Component c, const fmi2ValueReference v[], size_t n, const fmi2String a[])
REFUSED(fmi2GetFMUstate, fmi2Component c, fmi2FMUstate *s)
REFUSED(fmi2SetFMUstate, fmi2Component c, fmi2FMUstate s)
REFUSED(fmi2FreeFMUstate, fmi2Component c, fmi2FMUstate *s)
REFUSED(fmi2SerializedFMUstateSize, fmi2Component c, fmi2FMUstate s, size_t *n)
REFUSED(fmi2SerializeFMUstate, fmi2Component c, fmi2FMUstate s, fmi2Byte b[], size_t n)
REFUSED(fmi2DeSerializeFMUstate, fmi2Component c, const fmi2Byte b[], size_t n, fmi2FMUstate *s)
REFUSED(fmi2GetDirectionalDerivative, fmi2Component c, const fmi2ValueReference u[], size_t n,
        const fmi2ValueReference k[], size_t m, const fmi2Real d[], fmi2Real r[])
REFUSED(fmi2SetRealInputDerivatives, fmi2Component c, const fmi2ValueReference v[], size_t n, const fmi2Integer o[],
        const fmi2Real a[])
REFUSED(fmi2GetRealOutputDerivatives, fmi2Component c, const fmi2ValueReference v[], size_t n, const fmi2Integer o[],
        fmi2Real a[])
REFUSED(fmi2CancelStep, fmi2Component c)
REFUSED(fmi2GetStatus, fmi2Component c, const fmi2StatusKind s, fmi2Status *v)
REFUSED(fmi2GetRealStatus, fmi2Component c, const fmi2StatusKind s, fmi2Real *v)
REFUSED(fmi2GetIntegerStatus, fmi2Component c, const fmi2StatusKind s, fmi2Integer *v)
REFUSED(fmi2GetBooleanStatus, fmi2Component c, const fmi2StatusKind s, fmi2Boolean *v)
REFUSED(fmi2GetStringStatus, fmi2Component c, const fmi2StatusKind s, fmi2String *v)
