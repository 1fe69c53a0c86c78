/* FMI 3.0 of the stub: what the model description says is not offered, so that every function of the standard is there
   and says why. Part of python_stub_fmi3.c. */

static fmi3Status not_offered3(Stub3* m, const char* function, const char* why) {
    return say3(m, fmi3Error, "%s is not offered: modelDescription.xml says %s", function, why);
}

#define ABSENT3(function, why) \
    fmi3Status function(fmi3Instance instance) { \
        OPEN3(instance, #function); \
        return not_offered3(m, #function, why); \
    }

ABSENT3(fmi3EnterEventMode, "hasEventMode=\"false\"")
ABSENT3(fmi3EnterStepMode, "hasEventMode=\"false\"")
ABSENT3(fmi3EvaluateDiscreteStates, "hasEventMode=\"false\"")
ABSENT3(fmi3EnterConfigurationMode, "there is no structural parameter")
ABSENT3(fmi3ExitConfigurationMode, "there is no structural parameter")
ABSENT3(fmi3EnterContinuousTimeMode, "nothing of ModelExchange")

/* --- types that no variable has -------------------------------------------------------------------------------------- */

static fmi3Status no_type3(
    fmi3Instance instance, const char* function, int states, const char* type, const fmi3ValueReference references[],
    size_t n
) {
    OPEN3(instance, function);
    if (!(m->shared.state & states)) return say3(m, fmi3Error, "%s is not allowed now", function);
    if (n == 0) return fmi3OK;
    POINTER3(function, references);
    return say3(m, fmi3Error, "%s: there is no %s variable with value reference %u", function, type, references[0]);
}

#define NO_TYPE3(Name, Type) \
    fmi3Status fmi3Get##Name( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, Type values[], \
        size_t nValues \
    ) { \
        (void)values, (void)nValues; \
        return no_type3(instance, "fmi3Get" #Name, STUB_ANY, #Name, valueReferences, nValueReferences); \
    } \
    fmi3Status fmi3Set##Name( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const Type values[], \
        size_t nValues \
    ) { \
        (void)values, (void)nValues; \
        return no_type3(instance, "fmi3Set" #Name, STUB_SETTABLE, #Name, valueReferences, nValueReferences); \
    }

NO_TYPE3(Float32, fmi3Float32)
NO_TYPE3(Int8, fmi3Int8)
NO_TYPE3(UInt8, fmi3UInt8)
NO_TYPE3(Int16, fmi3Int16)
NO_TYPE3(UInt16, fmi3UInt16)
NO_TYPE3(UInt32, fmi3UInt32)
NO_TYPE3(UInt64, fmi3UInt64)
NO_TYPE3(String, fmi3String)

fmi3Status fmi3GetBinary(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, size_t valueSizes[],
    fmi3Binary values[], size_t nValues
) {
    (void)valueSizes, (void)values, (void)nValues;
    return no_type3(instance, "fmi3GetBinary", STUB_ANY, "Binary", valueReferences, nValueReferences);
}

fmi3Status fmi3SetBinary(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const size_t valueSizes[],
    const fmi3Binary values[], size_t nValues
) {
    (void)valueSizes, (void)values, (void)nValues;
    return no_type3(instance, "fmi3SetBinary", STUB_SETTABLE, "Binary", valueReferences, nValueReferences);
}

/* --- clocks ---------------------------------------------------------------------------------------------------------- */

#define NO_CLOCK3(function, Type) \
    fmi3Status function( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, Type values[] \
    ) { \
        (void)values; \
        return no_type3(instance, #function, STUB_ANY, "Clock", valueReferences, nValueReferences); \
    }

#define NO_CLOCK_PAIR3(function, First, Second) \
    fmi3Status function( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, First first[], \
        Second second[] \
    ) { \
        (void)first, (void)second; \
        return no_type3(instance, #function, STUB_ANY, "Clock", valueReferences, nValueReferences); \
    }

NO_CLOCK3(fmi3GetClock, fmi3Clock)
NO_CLOCK3(fmi3SetClock, const fmi3Clock)
NO_CLOCK3(fmi3GetShiftDecimal, fmi3Float64)
NO_CLOCK3(fmi3SetShiftDecimal, const fmi3Float64)
NO_CLOCK3(fmi3SetIntervalDecimal, const fmi3Float64)
NO_CLOCK_PAIR3(fmi3GetIntervalDecimal, fmi3Float64, fmi3IntervalQualifier)
NO_CLOCK_PAIR3(fmi3GetShiftFraction, fmi3UInt64, fmi3UInt64)
NO_CLOCK_PAIR3(fmi3SetShiftFraction, const fmi3UInt64, const fmi3UInt64)
NO_CLOCK_PAIR3(fmi3SetIntervalFraction, const fmi3UInt64, const fmi3UInt64)

fmi3Status fmi3GetIntervalFraction(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, fmi3UInt64 counters[],
    fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]
) {
    (void)counters, (void)resolutions, (void)qualifiers;
    return no_type3(instance, "fmi3GetIntervalFraction", STUB_ANY, "Clock", valueReferences, nValueReferences);
}

/* --- dependencies and derivatives ------------------------------------------------------------------------------------ */

fmi3Status fmi3GetNumberOfVariableDependencies(
    fmi3Instance instance, fmi3ValueReference valueReference, size_t* nDependencies
) {
    OPEN3(instance, "fmi3GetNumberOfVariableDependencies");
    (void)valueReference, (void)nDependencies;
    return not_offered3(m, "fmi3GetNumberOfVariableDependencies", "providesPerElementDependencies=\"false\"");
}

fmi3Status fmi3GetVariableDependencies(
    fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[],
    fmi3ValueReference independents[], size_t elementIndicesOfIndependents[], fmi3DependencyKind dependencyKinds[],
    size_t nDependencies
) {
    OPEN3(instance, "fmi3GetVariableDependencies");
    (void)dependent, (void)elementIndicesOfDependent, (void)independents, (void)elementIndicesOfIndependents;
    (void)dependencyKinds, (void)nDependencies;
    return not_offered3(m, "fmi3GetVariableDependencies", "providesPerElementDependencies=\"false\"");
}

#define NO_DERIVATIVE3(function, flag) \
    fmi3Status function( \
        fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns, const fmi3ValueReference knowns[], \
        size_t nKnowns, const fmi3Float64 seed[], size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity \
    ) { \
        OPEN3(instance, #function); \
        (void)unknowns, (void)nUnknowns, (void)knowns, (void)nKnowns; \
        (void)seed, (void)nSeed, (void)sensitivity, (void)nSensitivity; \
        return not_offered3(m, #function, flag); \
    }

NO_DERIVATIVE3(fmi3GetDirectionalDerivative, "providesDirectionalDerivatives=\"false\"")
NO_DERIVATIVE3(fmi3GetAdjointDerivative, "providesAdjointDerivatives=\"false\"")

fmi3Status fmi3GetOutputDerivatives(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const fmi3Int32 orders[],
    fmi3Float64 values[], size_t nValues
) {
    OPEN3(instance, "fmi3GetOutputDerivatives");
    (void)valueReferences, (void)orders, (void)values, (void)nValues;
    return nValueReferences ? not_offered3(m, "fmi3GetOutputDerivatives", "maxOutputDerivativeOrder=\"0\"") : fmi3OK;
}

/* --- model exchange and scheduled execution -------------------------------------------------------------------------- */

fmi3Status fmi3UpdateDiscreteStates(
    fmi3Instance instance, fmi3Boolean* discreteStatesNeedUpdate, fmi3Boolean* terminateSimulation,
    fmi3Boolean* nominalsOfContinuousStatesChanged, fmi3Boolean* valuesOfContinuousStatesChanged,
    fmi3Boolean* nextEventTimeDefined, fmi3Float64* nextEventTime
) {
    OPEN3(instance, "fmi3UpdateDiscreteStates");
    (void)discreteStatesNeedUpdate, (void)terminateSimulation, (void)nominalsOfContinuousStatesChanged;
    (void)valuesOfContinuousStatesChanged, (void)nextEventTimeDefined, (void)nextEventTime;
    return not_offered3(m, "fmi3UpdateDiscreteStates", "hasEventMode=\"false\"");
}

fmi3Status fmi3CompletedIntegratorStep(
    fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean* enterEventMode,
    fmi3Boolean* terminateSimulation
) {
    OPEN3(instance, "fmi3CompletedIntegratorStep");
    (void)noSetFMUStatePriorToCurrentPoint, (void)enterEventMode, (void)terminateSimulation;
    return not_offered3(m, "fmi3CompletedIntegratorStep", "nothing of ModelExchange");
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
    OPEN3(instance, "fmi3SetTime");
    (void)time;
    return not_offered3(m, "fmi3SetTime", "nothing of ModelExchange");
}

#define NO_STATES3(function, Type) \
    fmi3Status function(fmi3Instance instance, Type values[], size_t n) { \
        OPEN3(instance, #function); \
        (void)values, (void)n; \
        return not_offered3(m, #function, "nothing of ModelExchange"); \
    }

NO_STATES3(fmi3SetContinuousStates, const fmi3Float64)
NO_STATES3(fmi3GetContinuousStates, fmi3Float64)
NO_STATES3(fmi3GetContinuousStateDerivatives, fmi3Float64)
NO_STATES3(fmi3GetNominalsOfContinuousStates, fmi3Float64)
NO_STATES3(fmi3GetEventIndicators, fmi3Float64)

#define NO_COUNT3(function) \
    fmi3Status function(fmi3Instance instance, size_t* count) { \
        OPEN3(instance, #function); \
        (void)count; \
        return not_offered3(m, #function, "nothing of ModelExchange"); \
    }

NO_COUNT3(fmi3GetNumberOfEventIndicators)
NO_COUNT3(fmi3GetNumberOfContinuousStates)

fmi3Status fmi3ActivateModelPartition(
    fmi3Instance instance, fmi3ValueReference clockReference, fmi3Float64 activationTime
) {
    OPEN3(instance, "fmi3ActivateModelPartition");
    (void)clockReference, (void)activationTime;
    return not_offered3(m, "fmi3ActivateModelPartition", "nothing of ScheduledExecution");
}
