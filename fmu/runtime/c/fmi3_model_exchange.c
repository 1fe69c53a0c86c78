/* FMI 3.0: model exchange, between events. Part of fmi3.c. */

#define REQUIRE3_MODEL_EXCHANGE(function, states) \
    do { \
        REQUIRE3(function, states); \
        REQUIRE3_INTERFACE(function, INTERFACE_MODEL_EXCHANGE); \
    } while (0)

fmi3Status fmi3CompletedIntegratorStep(
    fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean* enterEventMode,
    fmi3Boolean* terminateSimulation
) {
    static const char function[] = "fmi3CompletedIntegratorStep";
    Instance* m = (Instance*)instance;
    int enter = 0, terminate = 0, status;
    (void)noSetFMUStatePriorToCurrentPoint;
    REQUIRE3_MODEL_EXCHANGE(function, INSTANCE_CONTINUOUS);
    REQUIRE3_POINTER(function, enterEventMode);
    REQUIRE3_POINTER(function, terminateSimulation);
    status = instance_completed_step(m, function, &enter, &terminate);
    *enterEventMode = enter != 0;
    *terminateSimulation = terminate != 0;
    return (fmi3Status)status;
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
    Instance* m = (Instance*)instance;
    REQUIRE3_MODEL_EXCHANGE("fmi3SetTime", INSTANCE_EVENT | INSTANCE_CONTINUOUS);
    return (fmi3Status)instance_set_time(m, "fmi3SetTime", time);
}

fmi3Status fmi3SetContinuousStates(
    fmi3Instance instance, const fmi3Float64 continuousStates[], size_t nContinuousStates
) {
    Instance* m = (Instance*)instance;
    REQUIRE3_MODEL_EXCHANGE("fmi3SetContinuousStates", INSTANCE_CONTINUOUS);
    if (nContinuousStates) REQUIRE3_POINTER("fmi3SetContinuousStates", continuousStates);
    return (fmi3Status)instance_set_states(m, "fmi3SetContinuousStates", continuousStates, nContinuousStates);
}

/* Functions that read as many numbers as there are states or event indicators. */
#define FMI3_GET_NUMBERS(function, argument, states, get) \
    fmi3Status function(fmi3Instance instance, fmi3Float64 argument[], size_t n) { \
        Instance* m = (Instance*)instance; \
        REQUIRE3_MODEL_EXCHANGE(#function, states); \
        if (n) REQUIRE3_POINTER(#function, argument); \
        return (fmi3Status)get(m, #function, argument, n); \
    }

enum {
    FMI3_EVALUATED = INSTANCE_INITIALIZATION | INSTANCE_EVENT | INSTANCE_CONTINUOUS | INSTANCE_TERMINATED | INSTANCE_ERROR
};

FMI3_GET_NUMBERS(fmi3GetContinuousStates, continuousStates, FMI3_EVALUATED, instance_get_states)
FMI3_GET_NUMBERS(fmi3GetContinuousStateDerivatives, derivatives, FMI3_EVALUATED, instance_get_derivatives)
FMI3_GET_NUMBERS(fmi3GetEventIndicators, eventIndicators, FMI3_EVALUATED, instance_get_indicators)
FMI3_GET_NUMBERS(fmi3GetNominalsOfContinuousStates, nominals, FMI3_EVALUATED, instance_get_nominals)

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* nContinuousStates) {
    Instance* m = (Instance*)instance;
    REQUIRE3_MODEL_EXCHANGE("fmi3GetNumberOfContinuousStates", FMI3_ANYTIME);
    REQUIRE3_POINTER("fmi3GetNumberOfContinuousStates", nContinuousStates);
    *nContinuousStates = (size_t)m->plan->states;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* nEventIndicators) {
    Instance* m = (Instance*)instance;
    REQUIRE3_MODEL_EXCHANGE("fmi3GetNumberOfEventIndicators", FMI3_ANYTIME);
    REQUIRE3_POINTER("fmi3GetNumberOfEventIndicators", nEventIndicators);
    *nEventIndicators = (size_t)m->plan->header.g;
    return fmi3OK;
}
