/* FMI 3.0: event mode, and the clocks that tick in it. Part of fmi3.c.

   Every sample rate of the model is a triggered output clock. The model keeps its own time: fmi3UpdateDiscreteStates says
   when the next sample is due, and fmi3GetClock which rates have one in the present event. */

fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
    static const char function[] = "fmi3EnterEventMode";
    Instance* m = (Instance*)instance;
    /* OpenModelica says so at the first event of model exchange, which begins in this mode. */
    REQUIRE3(function, INSTANCE_CONTINUOUS | INSTANCE_STEP_COMPLETE
        | (m->interface == INTERFACE_MODEL_EXCHANGE ? INSTANCE_EVENT : 0));
    if (m->interface == INTERFACE_CO_SIMULATION && !fmi3_door(m)->event_mode)
        return (fmi3Status)instance_say(m, INSTANCE_FAILED,
            "%s is not allowed: the instance was made with eventModeUsed = fmi3False", function);
    return (fmi3Status)instance_enter_event(m);
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3EvaluateDiscreteStates", INSTANCE_INITIALIZATION | INSTANCE_EVENT);
    return (fmi3Status)instance_make_current(m, "fmi3EvaluateDiscreteStates");
}

fmi3Status fmi3UpdateDiscreteStates(
    fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate, fmi3Boolean* terminateSimulation,
    fmi3Boolean* nominalsOfContinuousStatesChanged, fmi3Boolean* valuesOfContinuousStatesChanged,
    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime
) {
    static const char function[] = "fmi3UpdateDiscreteStates";
    Instance* m = (Instance*)instance;
    DiscreteUpdate update = {0, 0, 0.0};
    int status;
    REQUIRE3(function, INSTANCE_EVENT);
    REQUIRE3_POINTER(function, discreteStatesNeedUpdate);
    REQUIRE3_POINTER(function, terminateSimulation);
    REQUIRE3_POINTER(function, nominalsOfContinuousStatesChanged);
    REQUIRE3_POINTER(function, valuesOfContinuousStatesChanged);
    REQUIRE3_POINTER(function, nextEventTimeDefined);
    REQUIRE3_POINTER(function, nextEventTime);
    status = instance_update_discrete(m, function, &update);
    if (status != INSTANCE_OK) return (fmi3Status)status;
    m->updated = 1;
    *discreteStatesNeedUpdate = fmi3False;
    *terminateSimulation = update.terminate != 0;
    *nominalsOfContinuousStatesChanged = fmi3False;
    *valuesOfContinuousStatesChanged = fmi3False;
    *nextEventTimeDefined = update.next_time_defined != 0;
    *nextEventTime = update.next_time_defined ? update.next_time : 0.0;
    return fmi3OK;
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3EnterStepMode", INSTANCE_EVENT);
    REQUIRE3_INTERFACE("fmi3EnterStepMode", INTERFACE_CO_SIMULATION);
    return (fmi3Status)instance_leave_event(m, "fmi3EnterStepMode", INSTANCE_STEP_COMPLETE);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3EnterContinuousTimeMode", INSTANCE_EVENT);
    REQUIRE3_INTERFACE("fmi3EnterContinuousTimeMode", INTERFACE_MODEL_EXCHANGE);
    return (fmi3Status)instance_leave_event(m, "fmi3EnterContinuousTimeMode", INSTANCE_CONTINUOUS);
}

/* A clock ticks from the entry into event mode until discrete states are updated. */
fmi3Status fmi3GetClock(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, fmi3Clock values[]
) {
    static const char function[] = "fmi3GetClock";
    Instance* m = (Instance*)instance;
    size_t i;
    REQUIRE3(function, INSTANCE_EVENT);
    if (nValueReferences == 0) return fmi3OK;
    REQUIRE3_POINTER(function, valueReferences);
    REQUIRE3_POINTER(function, values);
    for (i = 0; i < nValueReferences; i++) {
        const int* a = fmi3_array(m, valueReferences[i], FMI3_CLOCK);
        if (a == NULL) return (fmi3Status)fmi3_refuse_type(m, function, valueReferences[i], "Clock");
        values[i] = !m->updated && instance_clock_ticks(m, a[ARRAY_PLACE]);
    }
    return fmi3OK;
}
