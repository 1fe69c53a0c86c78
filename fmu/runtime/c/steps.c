/* Initialization and steps of an instance in time. Part of instance.c. */

static int instance_begin_initialization(Instance* m) {
    m->plan->header.relative_tolerance = m->experiment.relative_tolerance;
    m->plan->header.absolute_tolerance = m->experiment.absolute_tolerance;
    m->state = INSTANCE_INITIALIZATION;
    m->restart = 1;
    m->updated = 0;
    return INSTANCE_OK;
}

/* The initial state is computed from scratch, so that nothing remains of values set and read on the way. */
static int instance_end_initialization(Instance* m, int next) {
    int status;
    m->restart = 1;
    status = instance_refresh(m, "");
    if (status != INSTANCE_OK) return status;
    m->state = next;
    return instance_say(m, INSTANCE_OK, "initialized at t = %.9g s", m->plan->clock.t);
}

DOORS_FAST

/* A jump that a processor foresees, so that the step begins before its end is known; a choice between numbers, as it would
   be compiled otherwise, has to wait for both. */
#ifdef __GNUC__
#define INSTANCE_RARELY(condition) __builtin_expect((condition) != 0, 0)
#else
#define INSTANCE_RARELY(condition) (condition)
#endif

/* The point of the solver's grid that `end` stands for, if it is nearer than rounding can explain; else `end`. */
static inline double instance_on_grid(const Plan* s, double end) {
    const double step = s->header.step, slack = INSTANCE_GRID_TOLERANCE * step;
    double point = grid_time(s);
    if (INSTANCE_RARELY(fabs(end - point) > slack)) {
        point = s->clock.start + floor((end - s->clock.start) / step + 0.5) * step;
        if (!(fabs(end - point) <= slack)) return end;
    }
    if (INSTANCE_RARELY(!(point > s->clock.t + slack))) return end;
    return point;
}

DOORS_SMALL

static int instance_refuse_step(Instance* m, const char* function, double point, double size) DOOR_RARE;
static int instance_end_early(Instance* m, int status) DOOR_RARE;

static int instance_refuse_step(Instance* m, const char* function, double point, double size) {
    const double t = m->plan->clock.t, step = m->plan->header.step;
    if (!(size > 0.0) || !isfinite(size))
        return instance_say(m, INSTANCE_FAILED, "%s: the communication step size must be > 0 s, not %.9g", function, size);
    if (!(size <= INSTANCE_STEPS_LIMIT * step))
        return instance_say(m, INSTANCE_FAILED, "%s: a communication step of %.9g s takes more than %g steps of %.9g s",
            function, size, INSTANCE_STEPS_LIMIT, step);
    if (!(fabs(point - t) <= INSTANCE_TIME_TOLERANCE * step))
        return instance_say(m, INSTANCE_FAILED,
            "%s: the communication point is %.17g s, but the instance stands at t = %.17g s", function, point, t);
    return instance_say(m, INSTANCE_FAILED, "%s: a step from %.9g s of %.9g s goes beyond the stop time %.9g s",
        function, point, size, m->experiment.stop);
}

/* The engine did not reach the end of a step: the model ended the simulation, or it failed. */
static int instance_end_early(Instance* m, int status) {
    if (status != STATUS_STOPPED) return instance_fail(m, status);
    m->stopped = 1;
    m->state = INSTANCE_STEP_FAILED;
    return instance_say(m, INSTANCE_DISCARD, "the model ends the simulation at t = %.9g s", m->plan->clock.t);
}

DOORS_FAST

/* True if the importing tool may ask for this step. */
static inline int instance_may_step(const Instance* m, double point, double size, double end) {
    const double step = m->plan->header.step;
    return size > 0.0 && size <= INSTANCE_STEPS_LIMIT * step
        && fabs(point - m->plan->clock.t) <= INSTANCE_TIME_TOLERANCE * step
        && !(m->experiment.stop_defined && end > m->experiment.stop + INSTANCE_TIME_TOLERANCE * step);
}

/* Go on from the communication point by `size`. Nothing happens if that is not allowed. */
static inline int instance_step(Instance* m, const char* function, double point, double size) {
    Plan* s = m->plan;
    const unsigned long long found = kb_take_ieee_arithmetic();
    const double end = instance_on_grid(s, point + size);
    const int may = instance_may_step(m, point, size, end);
    int status = STATUS_END;
    if (!INSTANCE_RARELY(!may)) {
        if (m->series_set) series_begin(m);
        status = step_on(s, end, LLONG_MAX / 2, NULL, NULL, 1);     /* plan_advance in the arithmetic that is there */
        if (m->series_set) series_end(m);
    }
    kb_put_arithmetic_back(found);
    if (INSTANCE_RARELY(!may)) return instance_refuse_step(m, function, point, size);
    return status == STATUS_END ? INSTANCE_OK : instance_end_early(m, status);
}

DOORS_SMALL
