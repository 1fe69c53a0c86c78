/* FMI 3.0: directional and adjoint derivatives of arrays. Part of fmi3.c. */

/* How many elements variables have together; -1, after a message, if one is not a Float64 variable of the model. */
static long long fmi3_total(Instance* m, const char* function, const fmi3ValueReference references[], size_t n) {
    long long total = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        const int* a = fmi3_array(m, references[i], FMI3_FLOAT64);
        if (a == NULL) {
            fmi3_refuse_type(m, function, references[i], "Float64");
            return -1;
        }
        if (a[ARRAY_KIND] & KIND_TIME) {
            instance_say(m, INSTANCE_FAILED, "%s: there are no derivatives by %s", function, fmi3_name(m, references[i]));
            return -1;
        }
        total += variables_count(&m->variables, m->plan, references[i]);
    }
    return total;
}

/* The places in values of all elements. */
static unsigned int* fmi3_fill_places(const Instance* m, const fmi3ValueReference references[], size_t n, unsigned int* to) {
    size_t i;
    long long j;
    for (i = 0; i < n; i++) {
        const long long count = variables_count(&m->variables, m->plan, references[i]);
        const int place = m->variables.arrays[(size_t)references[i] * ARRAY_FIELDS + ARRAY_PLACE];
        for (j = 0; j < count; j++) *to++ = (unsigned int)(place + j);
    }
    return to;
}

static int fmi3_differentiate(
    Instance* m, const char* function, const fmi3ValueReference unknowns[], size_t nUnknowns,
    const fmi3ValueReference knowns[], size_t nKnowns, const double seed[], size_t nSeed, double sensitivity[],
    size_t nSensitivity, int adjoint
) {
    const size_t n_unknown = adjoint ? nSeed : nSensitivity, n_known = adjoint ? nSensitivity : nSeed;
    unsigned int* places;
    unsigned int* known_places;
    long long total;
    int status;
    if (nUnknowns && unknowns == NULL) return instance_refuse_null(m, function, "unknowns");
    if (nKnowns && knowns == NULL) return instance_refuse_null(m, function, "knowns");
    if (nSeed && seed == NULL) return instance_refuse_null(m, function, "seed");
    if (nSensitivity && sensitivity == NULL) return instance_refuse_null(m, function, "sensitivity");
    total = fmi3_total(m, function, unknowns, nUnknowns);
    if (total < 0) return INSTANCE_FAILED;
    if ((size_t)total != n_unknown)
        return fmi3_refuse_count(m, function, unknowns, nUnknowns, adjoint ? "nSeed" : "nSensitivity", n_unknown);
    total = fmi3_total(m, function, knowns, nKnowns);
    if (total < 0) return INSTANCE_FAILED;
    if ((size_t)total != n_known)
        return fmi3_refuse_count(m, function, knowns, nKnowns, adjoint ? "nSensitivity" : "nSeed", n_known);
    places = (unsigned int*)m->allocate(n_unknown + n_known + 1, sizeof(unsigned int));
    if (places == NULL) return instance_say(m, INSTANCE_FAILED, "%s: there is not enough memory", function);
    known_places = fmi3_fill_places(m, unknowns, nUnknowns, places);
    fmi3_fill_places(m, knowns, nKnowns, known_places);
    status = (adjoint ? instance_adjoint : instance_directional)(
        m, function, places, n_unknown, known_places, n_known, seed, sensitivity);
    m->release(places);
    return status;
}

fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns, const fmi3ValueReference knowns[],
    size_t nKnowns, const fmi3Float64 seed[], size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity
) {
    static const char function[] = "fmi3GetDirectionalDerivative";
    Instance* m = (Instance*)instance;
    REQUIRE3(function, INSTANCE_DIFFERENTIABLE);
    return (fmi3Status)fmi3_differentiate(
        m, function, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity, nSensitivity, 0);
}

fmi3Status fmi3GetAdjointDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns, const fmi3ValueReference knowns[],
    size_t nKnowns, const fmi3Float64 seed[], size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity
) {
    static const char function[] = "fmi3GetAdjointDerivative";
    Instance* m = (Instance*)instance;
    REQUIRE3(function, INSTANCE_DIFFERENTIABLE);
    return (fmi3Status)fmi3_differentiate(
        m, function, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity, nSensitivity, 1);
}
