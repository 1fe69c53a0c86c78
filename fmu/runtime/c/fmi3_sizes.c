/* FMI 3.0: structural parameters, which are sizes of arrays, and the mode in which they may be changed. Part of fmi3.c.

   Sizes are fixed parameters: they may be changed before initialization, which then starts from the new ones. */

static int fmi3_has_sizes(const Instance* m) {
    int i;
    for (i = 0; i < m->variables.header.arrays; i++)
        if (m->variables.arrays[(size_t)i * ARRAY_FIELDS + ARRAY_KIND] & KIND_SIZE) return 1;
    return 0;
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) {
    static const char function[] = "fmi3EnterConfigurationMode";
    Instance* m = (Instance*)instance;
    REQUIRE3(function, INSTANCE_INSTANTIATED | INSTANCE_STEP_COMPLETE | INSTANCE_EVENT);
    if (m->state != INSTANCE_INSTANTIATED || !fmi3_has_sizes(m))
        return (fmi3Status)instance_say(m, INSTANCE_FAILED, "%s: this FMU has no structural parameters%s", function,
            m->state == INSTANCE_INSTANTIATED ? "" : " that may be changed after initialization");
    m->state = INSTANCE_CONFIGURATION;
    return fmi3OK;
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3ExitConfigurationMode", INSTANCE_CONFIGURATION);
    m->state = INSTANCE_INSTANTIATED;
    return fmi3OK;
}

fmi3Status fmi3GetUInt64(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, fmi3UInt64 values[],
    size_t nValues
) {
    static const char function[] = "fmi3GetUInt64";
    Instance* m = (Instance*)instance;
    size_t i;
    REQUIRE3(function, FMI3_ANYTIME);
    if (nValueReferences) {
        REQUIRE3_POINTER(function, valueReferences);
        REQUIRE3_POINTER(function, values);
    }
    for (i = 0; i < nValueReferences; i++) {
        const int* a = fmi3_array(m, valueReferences[i], FMI3_UINT64);
        if (a == NULL) return (fmi3Status)fmi3_refuse_type(m, function, valueReferences[i], "UInt64");
        if (i < nValues) values[i] = (fmi3UInt64)m->plan->numbers[a[ARRAY_PLACE]];
    }
    if (nValues == nValueReferences) return fmi3OK;
    return (fmi3Status)fmi3_refuse_count(m, function, valueReferences, nValueReferences, "nValues", nValues);
}

/* A size is a whole number, 1 or more, up to what there is room for. */
fmi3Status fmi3SetUInt64(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const fmi3UInt64 values[],
    size_t nValues
) {
    static const char function[] = "fmi3SetUInt64";
    Instance* m = (Instance*)instance;
    size_t i;
    REQUIRE3(function, FMI3_ANYTIME);
    if (nValueReferences) {
        REQUIRE3_POINTER(function, valueReferences);
        REQUIRE3_POINTER(function, values);
    }
    for (i = 0; i < nValueReferences; i++) {
        const int* a = fmi3_array(m, valueReferences[i], FMI3_UINT64);
        if (a == NULL) return (fmi3Status)fmi3_refuse_type(m, function, valueReferences[i], "UInt64");
        if (m->state != INSTANCE_CONFIGURATION)
            return (fmi3Status)instance_say(m, INSTANCE_FAILED,
                "%s: %s is a structural parameter and can be set in configuration mode only: the instance is %s",
                function, fmi3_name(m, valueReferences[i]), instance_state_name(m->state));
        if (i < nValues && !fmi3_within(m, a, (double)values[i]))
            return (fmi3Status)fmi3_refuse_value(m, function, valueReferences[i], 0, (double)values[i]);
    }
    if (nValues != nValueReferences)
        return (fmi3Status)fmi3_refuse_count(m, function, valueReferences, nValueReferences, "nValues", nValues);
    for (i = 0; i < nValueReferences; i++)
        m->plan->numbers[fmi3_array(m, valueReferences[i], FMI3_UINT64)[ARRAY_PLACE]] = (int)values[i];
    return fmi3OK;
}
