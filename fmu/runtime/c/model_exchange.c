/* Model exchange: the importing tool integrates, this side evaluates between events and at them.

   Continuous-time mode holds samples and modes; event mode takes the samples that are due and lets modes settle; samples
   are committed when event mode is left. Continuous states never jump. */

typedef struct DiscreteUpdate {
    int terminate;                      /* the model wants to end the simulation */
    int next_time_defined;
    double next_time;                   /* of the next sample hit */
} DiscreteUpdate;

static int instance_wants_to_stop(const Instance* m) {
    return m->plan->header.stop >= 0 && m->values[m->plan->header.stop] > 0.5;
}

/* Solvers of variable step try points beyond the stop time and interpolate back from there: that is not refused. */
static int instance_set_time(Instance* m, const char* function, double t) {
    if (!isfinite(t)) return instance_say(m, INSTANCE_FAILED, "%s: the time must be a finite number, not %g", function, t);
    if (m->state == INSTANCE_EVENT && t == m->plan->clock.t) return INSTANCE_OK;
    m->plan->clock.t = t;
    instance_moved(m);
    return INSTANCE_OK;
}

static int instance_check_count(Instance* m, const char* function, const char* what, size_t given, int wanted) {
    if (given == (size_t)wanted) return INSTANCE_OK;
    return instance_say(m, INSTANCE_FAILED, "%s: there are %d %s, not %lu", function, wanted, what, (unsigned long)given);
}

static int instance_set_states(Instance* m, const char* function, const double* x, size_t n) {
    char name[512];
    size_t i;
    const int status = instance_check_count(m, function, "continuous states", n, m->plan->states);
    if (status != INSTANCE_OK) return status;
    for (i = 0; i < n; i++) {
        if (isfinite(x[i])) continue;
        variables_name(&m->variables, (long long)(m->plan->x - m->values) + (long long)i, NULL, name, sizeof name);
        return instance_say(m, INSTANCE_DISCARD, "%s: %s must be a finite number, not %g", function, name, x[i]);
    }
    if (n) memcpy(m->plan->x, x, n * sizeof(double));
    instance_placed(m);
    return INSTANCE_OK;
}

static int instance_get_states(Instance* m, const char* function, double* x, size_t n) {
    int status = instance_check_count(m, function, "continuous states", n, m->plan->states);
    if (status == INSTANCE_OK && m->restart) status = instance_make_current(m, function);
    if (status == INSTANCE_OK && n) memcpy(x, m->plan->x, n * sizeof(double));
    return status;
}

/* Copy numbers; INSTANCE_DISCARD, after a message, if one is not finite. */
static int instance_copy_finite(Instance* m, const char* function, const double* from, double* to, size_t n) {
    char name[512];
    size_t i;
    for (i = 0; i < n; i++) {
        if (!isfinite(from[i])) {
            variables_name(&m->variables, (long long)(from - m->values) + (long long)i, NULL, name, sizeof name);
            return instance_say(m, INSTANCE_DISCARD, "%s: %s is not a finite number at t = %.9g s",
                function, name, m->plan->clock.t);
        }
        to[i] = from[i];
    }
    return INSTANCE_OK;
}

static int instance_get_derivatives(Instance* m, const char* function, double* dx, size_t n) {
    int status = instance_check_count(m, function, "continuous states", n, m->plan->states);
    if (status == INSTANCE_OK) status = instance_make_current(m, function);
    if (status != INSTANCE_OK) return status;
    instance_make_derivatives(m);
    return instance_copy_finite(m, function, m->plan->dx, dx, n);
}

static int instance_get_indicators(Instance* m, const char* function, double* g, size_t n) {
    int status = instance_check_count(m, function, "event indicators", n, m->plan->header.g);
    unsigned long long found;
    if (status == INSTANCE_OK) status = instance_make_current(m, function);
    if (status != INSTANCE_OK) return status;
    found = kb_take_ieee_arithmetic();
    if (m->state != INSTANCE_CONTINUOUS) take_crossings(m->plan, m->plan->clock.t);
    kb_put_arithmetic_back(found);
    return instance_copy_finite(m, function, m->plan->g, g, n);
}

static int instance_get_nominals(Instance* m, const char* function, double* nominals, size_t n) {
    const int status = instance_check_count(m, function, "continuous states", n, m->plan->states);
    if (status == INSTANCE_OK && n) memcpy(nominals, m->variables.nominals, n * sizeof(double));
    return status;
}

static int instance_enter_event(Instance* m) {
    m->state = INSTANCE_EVENT;
    m->updated = 0;
    m->tried = 0;
    m->held = 0;
    m->plan->clock.evaluated = 0;
    return INSTANCE_OK;
}

/* Take the samples that are due and let modes settle. One call is always enough. */
static int instance_update_discrete(Instance* m, const char* function, DiscreteUpdate* update) {
    const int status = instance_refresh(m, function);
    unsigned long long found;
    if (status != INSTANCE_OK) return status;
    found = kb_take_ieee_arithmetic();
    update->next_time = next_hit_time(m->plan);
    kb_put_arithmetic_back(found);
    update->next_time_defined = isfinite(update->next_time);
    update->terminate = instance_wants_to_stop(m);
    return INSTANCE_OK;
}

/* Leave event mode: the samples that were due are over. `next` is the state that follows. */
static int instance_leave_event(Instance* m, const char* function, int next) {
    const int status = instance_refresh(m, function);
    unsigned long long found;
    if (status != INSTANCE_OK) return status;
    found = kb_take_ieee_arithmetic();
    commit(m->plan);
    kb_put_arithmetic_back(found);
    m->plan->clock.steps++;
    m->state = next;
    m->tried = 0;
    m->held = 0;
    return INSTANCE_OK;
}

/* True if one of `n` numbers is another one, and not because of rounding. */
static int instance_differ(const double* a, const double* b, long long n) {
    long long i;
    for (i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-9 * (fabs(a[i]) + fabs(b[i])) + 1e-12)) return 1;
    return 0;
}

/* Let modes follow an accepted step of the importing tool. It is an event if signals or derivatives jump because of it:
   memories of the last step, such as that of a rate limiter, change with every step and make none. */
static int instance_complete_step(Instance* m, const char* function, int* enter_event, int* terminate) {
    Plan* s = m->plan;
    const long long derivatives = s->dx - s->values;
    double* before;
    int status = instance_refresh(m, function);
    *enter_event = 0;
    *terminate = 0;
    if (status != INSTANCE_OK) return status;
    *enter_event = s->header.rates && mark_due(s);
    if (s->n_modes) {
        before = instance_backup(m, function);
        if (before == NULL) return INSTANCE_FAILED;
        memcpy(before, s->values, (size_t)m->count * sizeof(double));
        if (modes_changed(s)) {
            status = held_evaluation(s);
            if (status != STATUS_END || instance_differ(before, s->values, s->header.signals)
                || instance_differ(before + derivatives, s->dx, s->states)) {
                *enter_event = 1;       /* which will change them again, together with what depends on them */
                forget_faults(s);
                memcpy(s->values, before, (size_t)m->count * sizeof(double));
            }
        }
    }
    s->clock.steps++;
    *terminate = instance_wants_to_stop(m);
    return INSTANCE_OK;
}

static int instance_completed_step(Instance* m, const char* function, int* enter_event, int* terminate) {
    const unsigned long long found = kb_take_ieee_arithmetic();
    const int status = instance_complete_step(m, function, enter_event, terminate);
    kb_put_arithmetic_back(found);
    return status;
}

/* Whether a sample rate (from 0) has a hit in the present event. */
static int instance_clock_ticks(Instance* m, int rate) {
    return m->state == INSTANCE_EVENT && hit_time(m->plan, rate) <= m->plan->clock.t + tolerance(m->plan);
}
