/* FMI 2.0 of the stub: what the model description says is not offered. Part of python_stub_fmi2.c. */

static fmi2Status not_offered2(Stub2* m, const char* function, const char* flag) {
    return say2(m, fmi2Error, "%s is not offered: modelDescription.xml says %s", function, flag);
}

fmi2Status fmi2SetRealInputDerivatives(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[], const fmi2Real value[]
) {
    OPEN2(c, "fmi2SetRealInputDerivatives");
    (void)vr;
    (void)order;
    (void)value;
    return nvr ? not_offered2(m, "fmi2SetRealInputDerivatives", "canInterpolateInputs=\"false\"") : fmi2OK;
}

fmi2Status fmi2GetRealOutputDerivatives(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[], fmi2Real value[]
) {
    OPEN2(c, "fmi2GetRealOutputDerivatives");
    (void)vr;
    (void)order;
    (void)value;
    return nvr ? not_offered2(m, "fmi2GetRealOutputDerivatives", "maxOutputDerivativeOrder=\"0\"") : fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(
    fmi2Component c, const fmi2ValueReference vUnknown_ref[], size_t nUnknown, const fmi2ValueReference vKnown_ref[],
    size_t nKnown, const fmi2Real dvKnown[], fmi2Real dvUnknown[]
) {
    OPEN2(c, "fmi2GetDirectionalDerivative");
    (void)vUnknown_ref;
    (void)nUnknown;
    (void)vKnown_ref;
    (void)nKnown;
    (void)dvKnown;
    (void)dvUnknown;
    return not_offered2(m, "fmi2GetDirectionalDerivative", "providesDirectionalDerivative=\"false\"");
}

#define NOT_EXCHANGED2(function, arguments, unused) \
    fmi2Status function arguments { \
        OPEN2(c, #function); \
        unused; \
        return not_offered2(m, #function, "nothing of ModelExchange"); \
    }

NOT_EXCHANGED2(fmi2EnterEventMode, (fmi2Component c), (void)0)
NOT_EXCHANGED2(fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo* eventInfo), (void)eventInfo)
NOT_EXCHANGED2(fmi2EnterContinuousTimeMode, (fmi2Component c), (void)0)
NOT_EXCHANGED2(fmi2CompletedIntegratorStep,
    (fmi2Component c, fmi2Boolean noSetFMUStatePriorToCurrentPoint, fmi2Boolean* enterEventMode,
     fmi2Boolean* terminateSimulation),
    ((void)noSetFMUStatePriorToCurrentPoint, (void)enterEventMode, (void)terminateSimulation))
NOT_EXCHANGED2(fmi2SetTime, (fmi2Component c, fmi2Real time), (void)time)
NOT_EXCHANGED2(fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t nx), ((void)x, (void)nx))
NOT_EXCHANGED2(fmi2GetDerivatives, (fmi2Component c, fmi2Real derivatives[], size_t nx), ((void)derivatives, (void)nx))
NOT_EXCHANGED2(fmi2GetEventIndicators, (fmi2Component c, fmi2Real indicators[], size_t ni), ((void)indicators, (void)ni))
NOT_EXCHANGED2(fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t nx), ((void)x, (void)nx))
NOT_EXCHANGED2(fmi2GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real nominals[], size_t nx),
    ((void)nominals, (void)nx))
