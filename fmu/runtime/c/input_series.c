/* Inputs that go on between communication points by the derivatives that the importing tool gave. Part of instance.c.

   `series` holds one row for the values of all external inputs at the communication point, and one for every order of
   derivative. Derivatives hold for one step: where none are given for the next, inputs are held again. */

enum { SERIES_ORDERS = 3, SERIES_ROWS = SERIES_ORDERS + 1 };

static int series_room(Instance* m) {
    if (m->series == NULL)
        m->series = (double*)m->allocate(SERIES_ROWS * (size_t)m->plan->header.inputs + 1, sizeof(double));
    return m->series != NULL;
}

/* Give the derivative of an input for the next step. */
static int series_give(Instance* m, const char* function, unsigned int place, int order, double value) {
    const size_t inputs = (size_t)m->plan->header.inputs;
    if (!series_room(m)) return instance_say(m, INSTANCE_FAILED, "%s: there is not enough memory", function);
    if (!m->series_set) memset(m->series, 0, SERIES_ROWS * inputs * sizeof(double));
    m->series[(size_t)order * inputs + place] = value;
    m->series_set = 1;
    return INSTANCE_OK;
}

static void series_begin(Instance* m) {
    Plan* s = m->plan;
    memcpy(m->series, s->values, (size_t)s->header.inputs * sizeof(double));
    s->series = m->series;
    s->series_orders = SERIES_ROWS;
    s->series_start = s->clock.t;
}

static void series_end(Instance* m) {
    m->plan->series = NULL;
    m->series_set = 0;
}
