/* FMI 2.0: steps and their status. Part of fmi2.c. */

#define REQUIRE_CO_SIMULATION(function, states) \
    do { \
        REQUIRE(function, states); \
        if (m->interface != INTERFACE_CO_SIMULATION) \
            return (fmi2Status)instance_say(m, fmi2Error, "%s is for co-simulation; this instance is for model exchange", function); \
    } while (0)

DOORS_FAST

fmi2Status fmi2DoStep(
    fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
    fmi2Boolean noSetFMUStatePriorToCurrentPoint
) {
    Instance* m = (Instance*)c;
    (void)noSetFMUStatePriorToCurrentPoint;
    REQUIRE("fmi2DoStep", INSTANCE_STEP_COMPLETE);
    return (fmi2Status)instance_step(m, "fmi2DoStep", currentCommunicationPoint, communicationStepSize);
}

DOORS_SMALL

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real* value) {
    Instance* m = (Instance*)c;
    REQUIRE_CO_SIMULATION("fmi2GetRealStatus", INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED | INSTANCE_TERMINATED);
    REQUIRE_POINTER("fmi2GetRealStatus", value);
    if (s != fmi2LastSuccessfulTime)
        return (fmi2Status)instance_say(m, fmi2Discard, "fmi2GetRealStatus: only fmi2LastSuccessfulTime is known");
    *value = m->plan->clock.t;
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean* value) {
    Instance* m = (Instance*)c;
    REQUIRE_CO_SIMULATION("fmi2GetBooleanStatus", INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED | INSTANCE_TERMINATED);
    REQUIRE_POINTER("fmi2GetBooleanStatus", value);
    if (s != fmi2Terminated)
        return (fmi2Status)instance_say(m, fmi2Discard, "fmi2GetBooleanStatus: only fmi2Terminated is known");
    *value = m->stopped ? fmi2True : fmi2False;
    return fmi2OK;
}

/* Steps are never pending: nothing is known of their status, and none can be cancelled. */

static fmi2Status refuse_status(Instance* m, const char* function) {
    REQUIRE_CO_SIMULATION(function, INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED | INSTANCE_TERMINATED);
    return (fmi2Status)instance_say(m, fmi2Discard, "%s: steps are never pending", function);
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status* value) {
    (void)s;
    (void)value;
    return refuse_status((Instance*)c, "fmi2GetStatus");
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer* value) {
    (void)s;
    (void)value;
    return refuse_status((Instance*)c, "fmi2GetIntegerStatus");
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String* value) {
    (void)s;
    (void)value;
    return refuse_status((Instance*)c, "fmi2GetStringStatus");
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    Instance* m = (Instance*)c;
    if (m == NULL) return fmi2Error;
    return (fmi2Status)instance_refuse_call(m, "fmi2CancelStep");
}
