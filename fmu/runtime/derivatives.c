/* Directional and adjoint derivatives, by five-point central differences.

   Every kernel is evaluated as it is: there is no second set of equations that could say something else. With steps of
   about a thousandth of the known's magnitude truncation and rounding are both near 1e-12 of it for a smooth model. Where
   a model has a kink within the step (a saturation, |u|u at rest), the result is a mean of both sides. Samples and modes
   are held; in initialization mode the initial state follows too. */

#define DERIVATIVE_STEP 0.0009765625    /* 2^-10, about the fifth root of the unit roundoff */

/* The magnitude on which a known changes. */
static double derivatives_scale(const Instance* m, unsigned int place) {
    const double size = fabs(m->values[place]);
    const long long state = (long long)place - (m->plan->x - m->values);
    if (m->kinds[place] & KIND_STATE && state >= 0 && state < m->plan->states)
        return fmax(size, m->variables.nominals[state]);
    if (m->kinds[place] & KIND_PARAMETER) return size > 0.0 ? size : 1.0;    /* so that it keeps its sign */
    return fmax(size, 1.0);
}

/* Everything at the present values, samples and modes held. */
static int derivatives_evaluate(Instance* m) {
    int status = m->state & INSTANCE_BEFORE_START ? plan_start(m->plan, m->experiment.start) : STATUS_END;
    if (status == STATUS_END) status = held_evaluation(m->plan);
    return status;
}

static int derivatives_check(
    Instance* m, const char* function, const unsigned int* places, size_t n, int kinds, const char* role
) {
    char name[512];
    size_t i;
    for (i = 0; i < n; i++) {
        if (places[i] >= m->count || m->kinds[places[i]] == 0)
            return instance_say(m, INSTANCE_FAILED, "%s: there is no variable with value reference %u", function, places[i]);
        if (m->kinds[places[i]] & KIND_REAL && m->kinds[places[i]] & kinds) continue;
        variables_name(&m->variables, places[i], NULL, name, sizeof name);
        return instance_say(m, INSTANCE_FAILED, "%s: %s cannot be %s", function, name, role);
    }
    return INSTANCE_OK;
}

/* One derivative in the direction `seed` of the knowns; `before` holds all values at the point. */
static int derivatives_along(
    Instance* m, const double* before, const unsigned int* unknowns, size_t n_unknown, const unsigned int* knowns,
    size_t n_known, const double* seed, double* sensitivity
) {
    static const double points[4] = {-2.0, -1.0, 1.0, 2.0}, weights[4] = {1.0, -8.0, 8.0, -1.0};
    double step = 0.0;
    size_t i;
    int k, parameters = 0;
    for (i = 0; i < n_unknown; i++) sensitivity[i] = 0.0;
    for (i = 0; i < n_known; i++) {
        const double wanted = DERIVATIVE_STEP * derivatives_scale(m, knowns[i]) / fabs(seed[i]);
        if (!isfinite(seed[i])) return STATUS_NOT_FINITE;
        if (seed[i] != 0.0 && (step == 0.0 || wanted < step)) step = wanted;
        parameters |= m->kinds[knowns[i]] & KIND_PARAMETER;
    }
    if (step == 0.0) return STATUS_END;
    for (k = 0; k < 4; k++) {
        int status;
        memcpy(m->values, before, (size_t)m->count * sizeof(double));
        for (i = 0; i < n_known; i++) m->values[knowns[i]] += points[k] * step * seed[i];
        m->plan->stale = parameters != 0;
        status = derivatives_evaluate(m);
        if (status != STATUS_END) return status;
        for (i = 0; i < n_unknown; i++) sensitivity[i] += weights[k] * m->values[unknowns[i]];
    }
    for (i = 0; i < n_unknown; i++) {
        sensitivity[i] /= 12.0 * step;
        if (!isfinite(sensitivity[i])) return STATUS_NOT_FINITE;
    }
    return STATUS_END;
}

/* Both kinds of derivatives; `adjoint` weighs the unknowns by `seed` and gives one number for each known. */
static int derivatives_get(
    Instance* m, const char* function, const unsigned int* unknowns, size_t n_unknown, const unsigned int* knowns,
    size_t n_known, const double* seed, double* sensitivity, int adjoint
) {
    Plan* s = m->plan;
    double* before = instance_backup(m, function);
    double* column;
    Clock clock;
    int status, dirty, stale, fresh;
    size_t i, k;
    if (before == NULL) return INSTANCE_FAILED;
    status = derivatives_check(m, function, unknowns, n_unknown, ~0, "differentiated");
    if (status == INSTANCE_OK)
        status = derivatives_check(m, function, knowns, n_known, KIND_INPUT | KIND_PARAMETER | KIND_STATE,
            "what is differentiated by: it is neither an input, a parameter nor a continuous state");
    if (status == INSTANCE_OK) status = instance_make_current(m, function);
    if (status != INSTANCE_OK) return status;
    memcpy(before, m->values, (size_t)m->count * sizeof(double));
    clock = s->clock;
    dirty = s->dirty;
    stale = s->stale;
    fresh = s->fresh_derivatives;
    if (!adjoint) {
        status = derivatives_along(m, before, unknowns, n_unknown, knowns, n_known, seed, sensitivity);
    } else {
        column = (double*)m->allocate(n_unknown + 1, sizeof(double));
        if (column == NULL) return instance_say(m, INSTANCE_FAILED, "%s: there is not enough memory", function);
        for (k = 0; k < n_known && status == STATUS_END; k++) {
            const double one = 1.0;
            memcpy(m->values, before, (size_t)m->count * sizeof(double));
            status = derivatives_along(m, before, unknowns, n_unknown, knowns + k, 1, &one, column);
            sensitivity[k] = 0.0;
            for (i = 0; i < n_unknown; i++) sensitivity[k] += seed[i] * column[i];
        }
        m->release(column);
    }
    memcpy(m->values, before, (size_t)m->count * sizeof(double));
    s->clock = clock;
    s->dirty = dirty;
    s->stale = stale;
    s->fresh_derivatives = fresh;
    s->first_major = 0;
    if (status == STATUS_END) return INSTANCE_OK;
    return instance_discard(m, function, status);
}

static int instance_directional(
    Instance* m, const char* function, const unsigned int* unknowns, size_t n_unknown, const unsigned int* knowns,
    size_t n_known, const double* seed, double* sensitivity
) {
    return derivatives_get(m, function, unknowns, n_unknown, knowns, n_known, seed, sensitivity, 0);
}

static int instance_adjoint(
    Instance* m, const char* function, const unsigned int* unknowns, size_t n_unknown, const unsigned int* knowns,
    size_t n_known, const double* seed, double* sensitivity
) {
    return derivatives_get(m, function, unknowns, n_unknown, knowns, n_known, seed, sensitivity, 1);
}
