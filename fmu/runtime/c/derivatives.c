/* Directional and adjoint derivatives, by central differences: see plan_differences. Samples and modes are held; in
   initialization mode the initial state follows too. Where a model has a kink within the step (a saturation, |u|u at
   rest), the result is a mean of both sides. */

/* The magnitude on which a known changes. */
static double derivatives_scale(const Instance* m, unsigned int place) {
    const double size = fabs(m->values[place]);
    const long long state = (long long)place - (m->plan->x - m->values);
    if (m->kinds[place] & KIND_STATE && state >= 0 && state < m->plan->states)
        return fmax(size, m->variables.nominals[state]);
    if (m->kinds[place] & KIND_PARAMETER) return size > 0.0 ? size : 1.0;    /* so that it keeps its sign */
    return fmax(size, 1.0);
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

/* One derivative in the direction `seed` of the knowns; `before` holds all values at the point. `room` is for as many
   numbers as there are unknowns. */
static int derivatives_along(
    Instance* m, const double* before, const unsigned int* unknowns, size_t n_unknown, const unsigned int* knowns,
    size_t n_known, const double* seed, double* sensitivity, double* room
) {
    const double* start = m->state & INSTANCE_BEFORE_START ? &m->experiment.start : NULL;
    double step = 0.0;
    size_t i;
    int status, parameters = 0;
    for (i = 0; i < n_unknown; i++) sensitivity[i] = 0.0;
    for (i = 0; i < n_known; i++) {
        const double wanted = DIFFERENCE_STEP * derivatives_scale(m, knowns[i]) / fabs(seed[i]);
        if (!isfinite(seed[i])) return STATUS_NOT_FINITE;
        if (seed[i] != 0.0 && (step == 0.0 || wanted < step)) step = wanted;
        parameters |= m->kinds[knowns[i]] & KIND_PARAMETER;
    }
    if (step == 0.0) return STATUS_END;
    status = plan_differences(m->plan, before, (size_t)m->count, knowns, seed, n_known, unknowns, n_unknown, step,
        parameters != 0, start, sensitivity, room, NULL);
    for (i = 0; i < n_unknown; i++) sensitivity[i] = extrapolated(sensitivity[i], room[i]);
    return status;
}

/* Both kinds of derivatives; `adjoint` weighs the unknowns by `seed` and gives one number for each known. */
static int derivatives_make(
    Instance* m, const char* function, const unsigned int* unknowns, size_t n_unknown, const unsigned int* knowns,
    size_t n_known, const double* seed, double* sensitivity, int adjoint
) {
    Plan* s = m->plan;
    double* before = instance_backup(m, function);
    double* room;
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
    room = (double*)m->allocate(2 * n_unknown + 1, sizeof(double));
    if (room == NULL) return instance_say(m, INSTANCE_FAILED, "%s: there is not enough memory", function);
    memcpy(before, m->values, (size_t)m->count * sizeof(double));
    clock = s->clock;
    dirty = s->dirty;
    stale = s->stale;
    fresh = s->fresh_derivatives;
    if (!adjoint) {
        status = derivatives_along(m, before, unknowns, n_unknown, knowns, n_known, seed, sensitivity, room);
    } else {
        double* column = room + n_unknown;
        for (k = 0; k < n_known && status == STATUS_END; k++) {
            const double one = 1.0;
            memcpy(m->values, before, (size_t)m->count * sizeof(double));
            status = derivatives_along(m, before, unknowns, n_unknown, knowns + k, 1, &one, column, room);
            sensitivity[k] = 0.0;
            for (i = 0; i < n_unknown; i++) sensitivity[k] += seed[i] * column[i];
        }
    }
    m->release(room);
    memcpy(m->values, before, (size_t)m->count * sizeof(double));
    s->clock = clock;
    s->dirty = dirty;
    s->stale = stale;
    s->fresh_derivatives = fresh;
    s->first_major = 0;
    if (status == STATUS_END) return INSTANCE_OK;
    return instance_discard(m, function, status);
}

static int derivatives_get(
    Instance* m, const char* function, const unsigned int* unknowns, size_t n_unknown, const unsigned int* knowns,
    size_t n_known, const double* seed, double* sensitivity, int adjoint
) {
    const unsigned long long found = kb_take_ieee_arithmetic();
    const int status =
        derivatives_make(m, function, unknowns, n_unknown, knowns, n_known, seed, sensitivity, adjoint);
    kb_put_arithmetic_back(found);
    return status;
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
