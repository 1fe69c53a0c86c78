/* FMI 2.0: model exchange, section 3.2 of the specification. Part of fmi2.c. */

#define REQUIRE_MODEL_EXCHANGE(function, states) \
    do { \
        REQUIRE(function, states); \
        if (m->interface != INTERFACE_MODEL_EXCHANGE) \
            return (fmi2Status)instance_say(m, fmi2Error, "%s is for model exchange; this instance is for co-simulation", function); \
    } while (0)

fmi2Status fmi2EnterEventMode(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE_MODEL_EXCHANGE("fmi2EnterEventMode", INSTANCE_EVENT | INSTANCE_CONTINUOUS);
    return (fmi2Status)instance_enter_event(m);
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* eventInfo) {
    Instance* m = (Instance*)c;
    DiscreteUpdate update = {0, 0, 0.0};
    int status;
    REQUIRE_MODEL_EXCHANGE("fmi2NewDiscreteStates", INSTANCE_EVENT);
    REQUIRE_POINTER("fmi2NewDiscreteStates", eventInfo);
    status = instance_update_discrete(m, "fmi2NewDiscreteStates", &update);
    if (status != INSTANCE_OK) return (fmi2Status)status;
    eventInfo->newDiscreteStatesNeeded = fmi2False;
    eventInfo->terminateSimulation = update.terminate ? fmi2True : fmi2False;
    eventInfo->nominalsOfContinuousStatesChanged = fmi2False;
    eventInfo->valuesOfContinuousStatesChanged = fmi2False;
    eventInfo->nextEventTimeDefined = update.next_time_defined ? fmi2True : fmi2False;
    eventInfo->nextEventTime = update.next_time_defined ? update.next_time : 0.0;
    return fmi2OK;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
    Instance* m = (Instance*)c;
    REQUIRE_MODEL_EXCHANGE("fmi2EnterContinuousTimeMode", INSTANCE_EVENT);
    return (fmi2Status)instance_leave_event(m, "fmi2EnterContinuousTimeMode", INSTANCE_CONTINUOUS);
}

fmi2Status fmi2CompletedIntegratorStep(
    fmi2Component c, fmi2Boolean noSetFMUStatePriorToCurrentPoint, fmi2Boolean* enterEventMode,
    fmi2Boolean* terminateSimulation
) {
    Instance* m = (Instance*)c;
    int enter = 0, terminate = 0, status;
    (void)noSetFMUStatePriorToCurrentPoint;
    REQUIRE_MODEL_EXCHANGE("fmi2CompletedIntegratorStep", INSTANCE_CONTINUOUS);
    REQUIRE_POINTER("fmi2CompletedIntegratorStep", enterEventMode);
    REQUIRE_POINTER("fmi2CompletedIntegratorStep", terminateSimulation);
    status = instance_completed_step(m, "fmi2CompletedIntegratorStep", &enter, &terminate);
    *enterEventMode = enter ? fmi2True : fmi2False;
    *terminateSimulation = terminate ? fmi2True : fmi2False;
    return (fmi2Status)status;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
    Instance* m = (Instance*)c;
    REQUIRE_MODEL_EXCHANGE("fmi2SetTime", INSTANCE_EVENT | INSTANCE_CONTINUOUS);
    return (fmi2Status)instance_set_time(m, "fmi2SetTime", time);
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t nx) {
    Instance* m = (Instance*)c;
    REQUIRE_MODEL_EXCHANGE("fmi2SetContinuousStates", INSTANCE_EVENT | INSTANCE_CONTINUOUS);  /* event: for OpenModelica */
    if (nx) REQUIRE_POINTER("fmi2SetContinuousStates", x);
    return (fmi2Status)instance_set_states(m, "fmi2SetContinuousStates", x, nx);
}

/* Functions that read as many numbers as there are states or event indicators. */
#define GET_NUMBERS(function, argument, states, get) \
    fmi2Status function(fmi2Component c, fmi2Real argument[], size_t n) { \
        Instance* m = (Instance*)c; \
        REQUIRE_MODEL_EXCHANGE(#function, states); \
        if (n) REQUIRE_POINTER(#function, argument); \
        return (fmi2Status)get(m, #function, argument, n); \
    }

#define RUNNING (INSTANCE_INITIALIZATION | INSTANCE_EVENT | INSTANCE_CONTINUOUS | INSTANCE_TERMINATED | INSTANCE_ERROR)

GET_NUMBERS(fmi2GetContinuousStates, x, RUNNING, instance_get_states)
GET_NUMBERS(fmi2GetDerivatives, derivatives, RUNNING, instance_get_derivatives)
GET_NUMBERS(fmi2GetEventIndicators, eventIndicators, RUNNING, instance_get_indicators)
GET_NUMBERS(fmi2GetNominalsOfContinuousStates, x_nominal, INSTANCE_ANY, instance_get_nominals)
