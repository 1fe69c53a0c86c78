/* What the front doors of both versions do alike when an instance is made and set up. Part of keelblocks.c. */

/* Return from a function of FMI, of the status type Status, unless there is an instance and it is in one of these
   states. */
#define REQUIRE_STATE(Status, function, states) \
    do { \
        if (m == NULL) return (Status)INSTANCE_FAILED; \
        if (!(m->state & (states))) return (Status)instance_refuse_call(m, function); \
    } while (0)

/* Return unless an argument points to something; `argument` is its name in the standard. */
#define REQUIRE_ARGUMENT(Status, function, argument) \
    do { \
        if ((argument) == NULL) return (Status)instance_refuse_null(m, function, #argument); \
    } while (0)

static int instance_refuse_null(Instance* m, const char* function, const char* argument) {
    return instance_say(m, INSTANCE_FAILED, "%s: the argument %s is NULL", function, argument);
}

/* Load the model from its resources and compare its token (`what` the version calls it) with the one that the importing
   tool read in modelDescription.xml. False, after a message, if the instance cannot be used. */
static int instance_open(
    Instance* m, const char* function, const char* name, const char* what, const char* token, const char* location
) {
    if (name == NULL || *name == 0) {
        instance_say(m, INSTANCE_FAILED, "%s: the instance has no name", function);
        return 0;
    }
    if (token == NULL) {
        instance_say(m, INSTANCE_FAILED, "%s: no %s is given", function, what);
        return 0;
    }
    if (!instance_load(m, location)) return 0;
    if (strcmp(token, m->variables.header.token) != 0) {
        instance_say(m, INSTANCE_FAILED, "%s: the %s %.100s is not that of '%s', which is %s: "
            "modelDescription.xml and resources are not of the same FMU",
            function, what, token, m->variables_file.path, m->variables.header.token);
        return 0;
    }
    instance_say(m, INSTANCE_OK, "instantiated '%s' with %d blocks from '%s'",
        m->name, m->plan->header.blocks, m->plan_file.path);
    return 1;
}

/* Choose the messages that the importing tool gets; without categories all of them, or those on problems. */
static int instance_set_logging(Instance* m, const char* function, int on, size_t n, const char* const categories[]) {
    int mask = 0;
    size_t i, k;
    if (n == 0) {
        m->log = on ? LOG_ALL : LOG_PROBLEMS;
        return INSTANCE_OK;
    }
    if (categories == NULL) return instance_refuse_null(m, function, "categories");
    for (i = 0; i < n; i++) {
        if (categories[i] == NULL) return instance_refuse_null(m, function, "categories[i]");
        for (k = 0; k < 4 && strcmp(categories[i], instance_categories[k]) != 0; k++) continue;
        if (k < 4) mask |= 1 << k;
        else if (strcmp(categories[i], "logAll") == 0) mask |= LOG_ALL;
        else return instance_say(m, INSTANCE_FAILED, "%s: there is no log category '%.100s'", function, categories[i]);
    }
    m->log = on ? mask : m->log & ~mask;
    return INSTANCE_OK;
}

/* Take note of the start, the stop and the tolerance, NULL where there is none. */
static int instance_set_experiment(
    Instance* m, const char* function, double start, const double* stop, const double* tolerance
) {
    const Header* h = &m->plan->header;
    /* the absolute tolerance keeps its ratio to the relative one */
    const unsigned long long found = kb_take_ieee_arithmetic();
    const double absolute = tolerance ? h->absolute_tolerance * (*tolerance / h->relative_tolerance) : 1.0;
    kb_put_arithmetic_back(found);
    if (!isfinite(start))
        return instance_say(m, INSTANCE_FAILED, "%s: the start time must be finite, not %g", function, start);
    if (stop && !(*stop > start))
        return instance_say(m, INSTANCE_FAILED,
            "%s: the stop time must be after the start time %.9g s, not %.9g s", function, start, *stop);
    if (tolerance && !(*tolerance > 0.0 && isfinite(*tolerance) && absolute > 0.0 && isfinite(absolute)))
        return instance_say(m, INSTANCE_FAILED, "%s: the tolerance must be > 0 and of a sensible size, not %g",
            function, *tolerance);
    m->experiment.start = start;
    m->experiment.stop_defined = stop != NULL && isfinite(*stop);     /* an infinite one is none */
    m->experiment.stop = m->experiment.stop_defined ? *stop : 0.0;
    if (tolerance) {
        m->experiment.absolute_tolerance = absolute;
        m->experiment.relative_tolerance = *tolerance;
    }
    return INSTANCE_OK;
}

static int instance_reset(Instance* m, const char* function) {
    if (instance_open_plan(m) != STATUS_END) {
        m->state = INSTANCE_ERROR;
        return instance_say(m, INSTANCE_FAILED, "%s: the plan cannot be opened again", function);
    }
    return instance_say(m, INSTANCE_OK, "reset");
}

static int instance_terminate(Instance* m, const char* function) {
    if (instance_make_current(m, function) >= INSTANCE_FAILED) return INSTANCE_FAILED;
    m->state = INSTANCE_TERMINATED;
    return instance_say(m, INSTANCE_OK, "terminated at t = %.9g s", m->plan->clock.t);
}
