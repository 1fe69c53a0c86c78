/* FMI 3.0: what every element of an unknown depends on: in initialization, or while the model runs. Part of fmi3.c. */

/* What is known of the dependencies of a variable in the present phase; NULL, after a message, if it is no unknown. */
static const int* fmi3_unknown(Instance* m, const char* function, fmi3ValueReference reference) {
    const int phase = m->state & (INSTANCE_BEFORE_START | INSTANCE_CONFIGURATION) ? 0 : 1;
    int i;
    for (i = 0; i < m->variables.header.unknowns; i++) {
        const int* u = m->variables.unknowns + (size_t)i * UNKNOWN_FIELDS;
        if ((fmi3ValueReference)u[UNKNOWN_REFERENCE] == reference && u[UNKNOWN_PHASE] == phase) return u;
    }
    if (reference >= (unsigned int)m->variables.header.arrays)
        instance_say(m, INSTANCE_FAILED, "%s: there is no variable with value reference %u", function, (unsigned int)reference);
    else
        instance_say(m, INSTANCE_FAILED, "%s: %s is not among the unknowns of the model structure %s", function,
            fmi3_name(m, reference), phase ? "while the model runs" : "in initialization");
    return NULL;
}

fmi3Status fmi3GetNumberOfVariableDependencies(
    fmi3Instance instance, fmi3ValueReference valueReference, size_t* nDependencies
) {
    static const char function[] = "fmi3GetNumberOfVariableDependencies";
    Instance* m = (Instance*)instance;
    const int* u;
    REQUIRE3(function, FMI3_ANYTIME);
    if (nDependencies == NULL) return (fmi3Status)instance_refuse_null(m, function, "nDependencies");
    u = fmi3_unknown(m, function, valueReference);
    if (u == NULL) return fmi3Error;
    *nDependencies = (size_t)u[UNKNOWN_LINKS + 1];
    return fmi3OK;
}

fmi3Status fmi3GetVariableDependencies(
    fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[],
    fmi3ValueReference independents[], size_t elementIndicesOfIndependents[], fmi3DependencyKind dependencyKinds[],
    size_t nDependencies
) {
    static const char function[] = "fmi3GetVariableDependencies";
    Instance* m = (Instance*)instance;
    const int* u;
    size_t i;
    REQUIRE3(function, FMI3_ANYTIME);
    u = fmi3_unknown(m, function, dependent);
    if (u == NULL) return fmi3Error;
    if (nDependencies != (size_t)u[UNKNOWN_LINKS + 1])
        return (fmi3Status)instance_say(m, INSTANCE_FAILED, "%s: %s has %d dependencies, not %lu", function,
            fmi3_name(m, dependent), u[UNKNOWN_LINKS + 1], (unsigned long)nDependencies);
    if (nDependencies == 0) return fmi3OK;
    if (elementIndicesOfDependent == NULL)
        return (fmi3Status)instance_refuse_null(m, function, "elementIndicesOfDependent");
    if (independents == NULL) return (fmi3Status)instance_refuse_null(m, function, "independents");
    if (elementIndicesOfIndependents == NULL)
        return (fmi3Status)instance_refuse_null(m, function, "elementIndicesOfIndependents");
    if (dependencyKinds == NULL) return (fmi3Status)instance_refuse_null(m, function, "dependencyKinds");
    for (i = 0; i < nDependencies; i++) {
        const int* l = m->variables.links + ((size_t)u[UNKNOWN_LINKS] + i) * LINK_FIELDS;
        elementIndicesOfDependent[i] = (size_t)l[LINK_ELEMENT];
        independents[i] = (fmi3ValueReference)l[LINK_REFERENCE];
        elementIndicesOfIndependents[i] = (size_t)l[LINK_INDEPENDENT];
        dependencyKinds[i] = (fmi3DependencyKind)l[LINK_KIND];
    }
    return fmi3OK;
}
