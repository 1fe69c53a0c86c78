/* FMI 3.0: what the model description says is not offered, so that every function of the standard is there and says why.
   Part of fmi3.c. */

/* --- types that no variable has -------------------------------------------------------------------------------------- */

static fmi3Status fmi3_refuse_absent_type(
    fmi3Instance instance, const char* function, int states, const fmi3ValueReference references[], size_t n,
    const char* type
) {
    Instance* m = (Instance*)instance;
    REQUIRE3(function, states);
    if (n == 0) return fmi3OK;
    if (references == NULL) return (fmi3Status)instance_refuse_null(m, function, "valueReferences");
    return (fmi3Status)fmi3_refuse_type(m, function, references[0], type);
}

#define FMI3_ABSENT_TYPE(Name, Type) \
    fmi3Status fmi3Get##Name( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, Type values[], \
        size_t nValues \
    ) { \
        (void)values; \
        (void)nValues; \
        return fmi3_refuse_absent_type( \
            instance, "fmi3Get" #Name, INSTANCE_ANY, valueReferences, nValueReferences, #Name); \
    } \
    fmi3Status fmi3Set##Name( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const Type values[], \
        size_t nValues \
    ) { \
        (void)values; \
        (void)nValues; \
        return fmi3_refuse_absent_type( \
            instance, "fmi3Set" #Name, INSTANCE_SETTABLE, valueReferences, nValueReferences, #Name); \
    }

FMI3_ABSENT_TYPE(Float32, fmi3Float32)
FMI3_ABSENT_TYPE(Int8, fmi3Int8)
FMI3_ABSENT_TYPE(UInt8, fmi3UInt8)
FMI3_ABSENT_TYPE(Int16, fmi3Int16)
FMI3_ABSENT_TYPE(UInt16, fmi3UInt16)
FMI3_ABSENT_TYPE(UInt32, fmi3UInt32)
FMI3_ABSENT_TYPE(String, fmi3String)

fmi3Status fmi3GetBinary(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, size_t valueSizes[],
    fmi3Binary values[], size_t nValues
) {
    (void)valueSizes;
    (void)values;
    (void)nValues;
    return fmi3_refuse_absent_type(instance, "fmi3GetBinary", INSTANCE_ANY, valueReferences, nValueReferences, "Binary");
}

fmi3Status fmi3SetBinary(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const size_t valueSizes[],
    const fmi3Binary values[], size_t nValues
) {
    (void)valueSizes;
    (void)values;
    (void)nValues;
    return fmi3_refuse_absent_type(
        instance, "fmi3SetBinary", INSTANCE_SETTABLE, valueReferences, nValueReferences, "Binary");
}

/* --- clocks that the importing tool would schedule ------------------------------------------------------------------- */

static fmi3Status fmi3_refuse_clock(
    fmi3Instance instance, const char* function, const fmi3ValueReference references[], size_t n, const char* why
) {
    Instance* m = (Instance*)instance;
    REQUIRE3(function, FMI3_ANYTIME);
    if (n == 0) return fmi3OK;
    if (references == NULL) return (fmi3Status)instance_refuse_null(m, function, "valueReferences");
    if (fmi3_array(m, references[0], FMI3_CLOCK) == NULL)
        return (fmi3Status)fmi3_refuse_type(m, function, references[0], "Clock");
    return (fmi3Status)instance_say(m, INSTANCE_FAILED, "%s: %s is a triggered output clock: %s",
        function, fmi3_name(m, references[0]), why);
}

#define FMI3_NO_INTERVAL "it has no interval or shift; fmi3UpdateDiscreteStates says when the next event is due"

#define FMI3_CLOCK_TIME_DECIMAL(function, Type, argument) \
    fmi3Status function( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, Type argument[] \
    ) { \
        (void)argument; \
        return fmi3_refuse_clock(instance, #function, valueReferences, nValueReferences, FMI3_NO_INTERVAL); \
    }

#define FMI3_CLOCK_TIME_FRACTION(function, Type) \
    fmi3Status function( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, Type counters[], \
        Type resolutions[] \
    ) { \
        (void)counters; \
        (void)resolutions; \
        return fmi3_refuse_clock(instance, #function, valueReferences, nValueReferences, FMI3_NO_INTERVAL); \
    }

FMI3_CLOCK_TIME_DECIMAL(fmi3GetShiftDecimal, fmi3Float64, shifts)
FMI3_CLOCK_TIME_DECIMAL(fmi3SetShiftDecimal, const fmi3Float64, shifts)
FMI3_CLOCK_TIME_DECIMAL(fmi3SetIntervalDecimal, const fmi3Float64, intervals)
FMI3_CLOCK_TIME_FRACTION(fmi3GetShiftFraction, fmi3UInt64)
FMI3_CLOCK_TIME_FRACTION(fmi3SetShiftFraction, const fmi3UInt64)
FMI3_CLOCK_TIME_FRACTION(fmi3SetIntervalFraction, const fmi3UInt64)

fmi3Status fmi3GetIntervalDecimal(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, fmi3Float64 intervals[],
    fmi3IntervalQualifier qualifiers[]
) {
    (void)intervals;
    (void)qualifiers;
    return fmi3_refuse_clock(instance, "fmi3GetIntervalDecimal", valueReferences, nValueReferences, FMI3_NO_INTERVAL);
}

fmi3Status fmi3GetIntervalFraction(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, fmi3UInt64 counters[],
    fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]
) {
    (void)counters;
    (void)resolutions;
    (void)qualifiers;
    return fmi3_refuse_clock(instance, "fmi3GetIntervalFraction", valueReferences, nValueReferences, FMI3_NO_INTERVAL);
}

fmi3Status fmi3SetClock(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const fmi3Clock values[]
) {
    (void)values;
    return fmi3_refuse_clock(instance, "fmi3SetClock", valueReferences, nValueReferences,
        "the model activates it, it cannot be set");
}

/* --- capabilities that are off --------------------------------------------------------------------------------------- */

static fmi3Status fmi3_not_offered(fmi3Instance instance, const char* function, const char* flag) {
    Instance* m = (Instance*)instance;
    REQUIRE3(function, INSTANCE_ANY);
    return (fmi3Status)instance_say(m, INSTANCE_FAILED, "%s is not offered: modelDescription.xml says %s", function, flag);
}

fmi3Status fmi3GetOutputDerivatives(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const fmi3Int32 orders[],
    fmi3Float64 values[], size_t nValues
) {
    (void)valueReferences;
    (void)orders;
    (void)values;
    (void)nValues;
    if (instance && nValueReferences == 0) return fmi3OK;
    return fmi3_not_offered(instance, "fmi3GetOutputDerivatives", "maxOutputDerivativeOrder=\"0\"");
}

fmi3Status fmi3ActivateModelPartition(
    fmi3Instance instance, fmi3ValueReference clockReference, fmi3Float64 activationTime
) {
    (void)clockReference;
    (void)activationTime;
    return fmi3_not_offered(instance, "fmi3ActivateModelPartition", "nothing of ScheduledExecution");
}
