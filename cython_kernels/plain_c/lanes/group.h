/* Members become a group, go on together, and are themselves again. */

/* The number of the last point of the grid that is not behind an instant. */
static double kl_last(Clock const *c, double step, double end)
{
    double point = floor((end - c->start) / step + 0.5);
    return c->start + point * step > end + (1e-9 * step + 2e-15 * fabs(end)) ? point - 1.0 : point;
}

/* Whether clocks go side by side until `end` of the one and `other_end` of the other: because they are the same or,
 * where nothing is sampled, jumps or is recorded, because as many steps of the grid lie ahead. */
static int kl_clocks_fit(Plan const *a, double end, Plan const *b, double other_end, int recorded)
{
    Clock const *c = &a->clock, *d = &b->clock;
    double step = a->header.step;
    long long at = kl_point(c, step), other = kl_point(d, step);
    if (c->t == d->t && c->start == d->start && c->grid == d->grid && end == other_end)
        return 1;
    if (recorded || a->header.rates > 0 || a->n_jumps > 0 || at < 0 || other < 0)
        return 0;
    return c->grid - at == d->grid - other &&
           kl_last(c, step, end) - (double)at == kl_last(d, step, other_end) - (double)other;
}

static int kl_records(Recorder const *r) { return r != NULL && (r->capacity > 0 || r->summary != NULL); }

/* Whether a member can go on beside the first of a group. */
static int kl_fits(Plan const *a, Recorder const *ra, double end, Plan const *b, Recorder const *rb, double other_end)
{
    Clock const *c = &a->clock, *d = &b->clock;
    if (a->header.checksum != b->header.checksum || a->header.step != b->header.step || b->series != NULL)
        return 0;
    if (!kl_clocks_fit(a, end, b, other_end, kl_records(ra)) || c->evaluated != d->evaluated)
        return 0;
    if (b->stale || b->watched || (a->header.rates > 0 && (c->steps == 0) != (d->steps == 0)))
        return 0;
    if (a->first_major != b->first_major || a->stale)
        return 0;
    for (int i = 0; i < a->header.rates; i++)
        if (a->hits[i] != b->hits[i] || a->values[a->rates[2 * i]] != b->values[b->rates[2 * i]] ||
            a->values[a->rates[2 * i + 1]] != b->values[b->rates[2 * i + 1]])
            return 0;
    if ((ra == NULL) != (rb == NULL) || memcmp(a->numbers, b->numbers, (size_t)a->header.numbers * sizeof(int)) != 0)
        return 0;
    if (ra == NULL)
        return 1;
    if (ra->channels != rb->channels || ra->every != rb->every || ra->capacity != rb->capacity || ra->rows != rb->rows)
        return 0;
    if ((ra->summary == NULL) != (rb->summary == NULL))
        return 0;
    if (ra->summary != NULL &&
        (ra->summary->channels != rb->summary->channels || ra->summary->count != rb->summary->count ||
         memcmp(ra->summary->places, rb->summary->places, (size_t)ra->summary->channels * sizeof(int)) != 0))
        return 0;
    return memcmp(ra->places, rb->places, (size_t)ra->channels * sizeof(int)) == 0;
}

/* Values of the members, W places at once: rows become columns. */
static void kl_take(KlGroup *g, size_t from, size_t to)
{
    VD rows[W], *values = g->plan.values;
    for (; from + W <= to; from += W) {
        for (int l = 0; l < W; l++)
            memcpy(&rows[l], g->members[l]->values + from, sizeof(VD));
        kl_transpose(rows);
        memcpy(values + from, rows, sizeof(rows));
    }
    for (; from < to; from++)
        for (int l = 0; l < W; l++)
            values[from][l] = g->members[l]->values[from];
}

static void kl_give(KlGroup *g, size_t from, size_t to)
{
    VD rows[W], *values = g->plan.values;
    for (; from + W <= to; from += W) {
        memcpy(rows, values + from, sizeof(rows));
        kl_transpose(rows);
        for (int l = 0; l < g->count; l++)
            memcpy(g->members[l]->values + from, &rows[l], sizeof(VD));
    }
    for (; from < to; from++)
        for (int l = 0; l < g->count; l++)
            g->members[l]->values[from] = values[from][l];
}

static void kl_pack(KlGroup *g, L_Recorder *r, VD *memory)
{
    Plan *const *m = g->members;
    Plan const *a = m[0];
    L_Plan *s = &g->plan;
    memset(s, 0, sizeof(*s));
#define KL_OF_HEADER(name) s->header.name = a->header.name;
    KL_OF_HEADER(blocks) KL_OF_HEADER(majors) KL_OF_HEADER(steady) KL_OF_HEADER(minors) KL_OF_HEADER(rates)
    KL_OF_HEADER(inputs) KL_OF_HEADER(signals) KL_OF_HEADER(parameters) KL_OF_HEADER(work) KL_OF_HEADER(x)
    KL_OF_HEADER(z) KL_OF_HEADER(g) KL_OF_HEADER(solver) KL_OF_HEADER(stop) KL_OF_HEADER(step) KL_OF_HEADER(start)
    s->clock.t = a->clock.t;
    s->clock.start = a->clock.start;
    s->clock.grid = a->clock.grid;
    s->clock.steps = a->clock.steps;
    s->clock.evaluations = a->clock.evaluations;
    s->clock.evaluated = a->clock.evaluated;
    s->first_major = a->first_major;
    for (int l = 0; l < g->count; l++)
        s->dirty |= m[l]->dirty;
    for (int l = 0; l < W; l++) /* evaluated anew beside others whose inputs changed: it counts as it would have alone */
        g->uncounted[l] = s->dirty && a->clock.evaluated && !m[l]->dirty;
    s->values = memory;
    s->x = memory + (a->x - a->values);
    s->z = memory + (a->z - a->values);
    s->hits = memory + (a->hits - a->values);
    s->dx = memory + (a->dx - a->values);
    s->g = memory + (a->g - a->values);
    s->scratch = memory + (a->scratch - a->values);
    s->blocks = a->blocks;
    s->rates = a->rates;
    s->states = a->states;
    s->n_modes = a->n_modes;
    s->n_jumps = a->n_jumps;
    s->n_samples = a->n_samples;
    s->due = a->due;
    kl_take(g, 0, (size_t)a->saved);
    memset((void *)s->dx, 0, (size_t)(a->scratch - a->dx) * sizeof(VD));
    g->apart = 0;
    g->one_clock = 1;
    g->seen = a->clock.t;
    for (int l = 0; l < W; l++) {
        Clock const *c = &m[l]->clock;
        g->start[l] = c->start;
        g->time[l] = c->t;
        g->ahead[l] = (double)(kl_point(c, a->header.step) - kl_point(&a->clock, a->header.step));
        g->one_clock = g->one_clock && c->t == a->clock.t && c->start == a->clock.start;
    }
    if (g->recorders[0] == NULL)
        return;
    r->every = g->recorders[0]->every;
    g->rows = g->recorders[0]->rows;
    if (g->recorders[0]->summary == NULL)
        return;
    r->summary = (L_Summary *)r; /* it is only asked whether there is one */
    g->summarised = g->recorders[0]->summary->count;
    for (int l = 0; l < W; l++)
        for (int i = 0; i < g->recorders[0]->summary->channels * SUMMARY_FIELDS; i++)
            g->fields[i][l] = g->recorders[l < g->count ? l : 0]->summary->fields[i];
}

/* Let the members be where the group is. */
static void kl_unpack(KlGroup *g, long long steps, long long evaluations)
{
    L_Plan const *s = &g->plan;
    Clock const before = g->members[0]->clock;
    Clock const now = {.t = s->clock.t, .start = s->clock.start};
    long long points = kl_point(&now, s->header.step) - kl_point(&before, s->header.step);
    size_t signals = (size_t)s->header.signals; /* behind them what does not change: parameters, and what comes of them */
    kl_give(g, 0, signals);
    kl_give(g, signals + (size_t)(s->header.parameters + s->header.work), (size_t)g->members[0]->saved);
    for (int l = 0; l < g->count; l++) {
        Plan *m = g->members[l];
        Recorder *r = g->recorders[l];
        if (m->clock.t == before.t && m->clock.start == before.start)
            m->clock.t = s->clock.t;
        else
            m->clock.t = m->clock.start + (double)(kl_point(&m->clock, s->header.step) + points) * s->header.step;
        m->clock.grid += s->clock.grid - before.grid;
        m->clock.steps += steps;
        m->clock.evaluations += evaluations - g->uncounted[l];
        g->uncounted[l] = 0;
        m->clock.evaluated = s->clock.evaluated;
        m->fresh_derivatives = 0;
        m->first_major = s->first_major;
        m->dirty = s->dirty;
        if (r == NULL)
            continue;
        r->rows = g->rows;
        if (r->summary == NULL)
            continue;
        r->summary->count = g->summarised;
        for (int i = 0; i < r->summary->channels * SUMMARY_FIELDS; i++)
            r->summary->fields[i] = g->fields[i][l];
    }
}

/* Kernels of libraries run in the members' own plans, see kl_by_member: what these were at the begin of a stride. */
static size_t kl_kept(Plan const *s)
{
    return KL_ALONE ? (size_t)(s->scratch - s->values) * sizeof(double) + (size_t)s->header.blocks * sizeof(int) : 0;
}

static void kl_keep_or_put_back(KlGroup const *g, char *kept, int put_back)
{
    for (int l = 0; KL_ALONE && l < g->count; l++) {
        Plan *m = g->members[l];
        size_t values = (size_t)(m->scratch - m->values) * sizeof(double);
        size_t faults = (size_t)m->header.blocks * sizeof(int);
        char *own = kept + (size_t)l * kl_kept(m);
        memcpy(put_back ? (char *)m->values : own, put_back ? own : (char *)m->values, values);
        memcpy(put_back ? (char *)m->faults : own + values, put_back ? own + values : (char *)m->faults, faults);
    }
}

KB_EXPORTED int keelblocks_width(void) { return W; }

KB_EXPORTED int keelblocks_fits(
    Plan const *a, Recorder const *ra, double end, Plan const *b, Recorder const *rb, double other_end)
{
    return kl_fits(a, ra, end, b, rb, other_end);
}

/* How many bytes a group needs. */
static size_t kl_size(Plan const *s, Recorder const *r)
{
    size_t fields = r != NULL && r->summary != NULL ? (size_t)r->summary->channels * SUMMARY_FIELDS : 0;
    size_t values = (size_t)(s->scratch - s->values) + (size_t)s->header.z + 2 * (size_t)s->header.g +
                    SOLVER_VECTORS * (size_t)s->header.x;
    return (values + fields + (size_t)s->header.blocks) * sizeof(VD) + W * kl_kept(s);
}

/* Let `count` members that fit go on together, at most `steps` steps and no further than the last point of the grid that
 * is not behind `end`. How many steps they took; *apart: whether one does otherwise then, so that each has to go on by
 * itself for a while. What is left to do to `end` is left to the members themselves. Without memory all of it is. */
KB_EXPORTED long long keelblocks_go_together(
    Plan **plans, Recorder **recorders, int count, double end, long long steps, int *apart)
{
    void *allocated = malloc(kl_size(plans[0], recorders[0]) + sizeof(VD));
    VD *memory = (VD *)(((uintptr_t)allocated + sizeof(VD) - 1) / sizeof(VD) * sizeof(VD));
    KlGroup group = {.count = count};
    L_Recorder recorder = {0};
    Plan const *a = plans[0];
    unsigned long long found;
    char *kept;
    double tolerance = 1e-9 * a->header.step + 2e-15 * fabs(end);
    double last = a->clock.start + kl_last(&a->clock, a->header.step, end) * a->header.step;
    long long done = 0;
    for (int l = 0; l < W; l++) {
        group.members[l] = plans[l < count ? l : 0];
        group.recorders[l] = l < count ? recorders[l] : NULL;
    }
    *apart = 0;
    if (allocated == NULL)
        return 0;
    found = kb_take_ieee_arithmetic();
    group.fields = memory;
    if (recorders[0] != NULL && recorders[0]->summary != NULL)
        memory += recorders[0]->summary->channels * SUMMARY_FIELDS;
    kl_pack(&group, &recorder, memory + a->header.blocks);
    group.plan.faults = (VI *)memory;
    kept = (char *)(memory + a->header.blocks + (a->scratch - a->values) + a->header.z + 2 * a->header.g) +
           SOLVER_VECTORS * (size_t)a->header.x * sizeof(VD);
    memset(memory, 0, (size_t)a->header.blocks * sizeof(VI));
    while (done < steps && group.plan.clock.t < last - tolerance) {
        long long stride = steps - done < KL_STRIDE ? steps - done : KL_STRIDE;
        long long before = group.plan.clock.steps, evaluations = group.plan.clock.evaluations;
        kl_keep_or_put_back(&group, kept, 0);
        KL_STEP_ON(&group.plan, last, stride, recorders[0] != NULL ? &recorder : NULL, NULL, 0);
        if (group.apart) {
            *apart = 1;
            kl_keep_or_put_back(&group, kept, 1);
            break;
        }
        kl_unpack(&group, group.plan.clock.steps - before, group.plan.clock.evaluations - evaluations);
        done += group.plan.clock.steps - before;
    }
    kb_put_arithmetic_back(found);
    free(allocated);
    return done;
}
