/* FMI 2.0: derivatives of inputs and outputs in time, and of unknowns by knowns. Part of fmi2.c. */

fmi2Status fmi2SetRealInputDerivatives(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[], const fmi2Real value[]
) {
    static const char function[] = "fmi2SetRealInputDerivatives";
    Instance* m = (Instance*)c;
    char name[512];
    size_t i;
    REQUIRE(function, INSTANCE_BEFORE_START | INSTANCE_STEP_COMPLETE);
    if (nvr == 0) return fmi2OK;
    if (m->interface != INTERFACE_CO_SIMULATION) return (fmi2Status)instance_say(m, fmi2Error, "%s is for co-simulation", function);
    REQUIRE_POINTER(function, vr);
    REQUIRE_POINTER(function, order);
    REQUIRE_POINTER(function, value);
    for (i = 0; i < nvr; i++) {         /* all are checked before any is taken */
        if (vr[i] >= m->count || m->kinds[vr[i]] == 0) return (fmi2Status)instance_unknown(m, function, vr[i], "Real");
        variables_name(&m->variables, vr[i], NULL, name, sizeof name);
        if (!(m->kinds[vr[i]] & KIND_INPUT) || !(m->kinds[vr[i]] & KIND_REAL))
            return (fmi2Status)instance_say(m, fmi2Error, "%s: %s is not a real input", function, name);
        if (order[i] < 1 || order[i] > SERIES_ORDERS)
            return (fmi2Status)instance_say(m, order[i] < 1 ? fmi2Error : fmi2Discard,
                "%s: derivatives of order 1 to %d are taken, not of order %d (of %s)", function, SERIES_ORDERS, order[i], name);
        if (!isfinite(value[i]))
            return (fmi2Status)instance_say(m, fmi2Discard,
                "%s: the derivative of %s must be a finite number, not %g", function, name, value[i]);
    }
    for (i = 0; i < nvr; i++)
        if (series_give(m, function, vr[i], order[i], value[i]) != INSTANCE_OK) return fmi2Error;
    return fmi2OK;
}

fmi2Status fmi2GetRealOutputDerivatives(
    fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[], fmi2Real value[]
) {
    Instance* m = (Instance*)c;
    (void)vr;
    (void)order;
    (void)value;
    REQUIRE("fmi2GetRealOutputDerivatives", INSTANCE_ANY);
    if (nvr == 0) return fmi2OK;
    return (fmi2Status)instance_say(m, fmi2Error,
        "fmi2GetRealOutputDerivatives is not offered: modelDescription.xml says maxOutputDerivativeOrder=\"0\"");
}

fmi2Status fmi2GetDirectionalDerivative(
    fmi2Component c, const fmi2ValueReference vUnknown_ref[], size_t nUnknown, const fmi2ValueReference vKnown_ref[],
    size_t nKnown, const fmi2Real dvKnown[], fmi2Real dvUnknown[]
) {
    static const char function[] = "fmi2GetDirectionalDerivative";
    Instance* m = (Instance*)c;
    REQUIRE(function, INSTANCE_DIFFERENTIABLE);
    if (nUnknown == 0) return fmi2OK;
    REQUIRE_POINTER(function, vUnknown_ref);
    REQUIRE_POINTER(function, dvUnknown);
    if (nKnown) {
        REQUIRE_POINTER(function, vKnown_ref);
        REQUIRE_POINTER(function, dvKnown);
    }
    return (fmi2Status)instance_directional(m, function, vUnknown_ref, nUnknown, vKnown_ref, nKnown, dvKnown, dvUnknown);
}
