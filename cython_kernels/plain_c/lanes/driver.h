/* What of the engine is written by hand for lanes: where members have to agree, and where they come from and go to.
 *
 * Members of a group take a stride of steps together, by one clock, or by as many clocks of one step. Where one does
 * otherwise than the others (it stops, has a fault, jumps at an instant of its own) the whole stride is given up, and
 * their own plans are as they were at its begin: they take it one by one. So no branch of the engine's is taken for some
 * members only. What a stride that is given up has recorded is beyond the rows that count, and written over.
 */

enum { KL_STRIDE = 64 };

typedef struct {
    L_Plan plan; /* first: a pointer to it is one to the group */
    Plan *members[W];
    Recorder *recorders[W];
    long long rows;
    long long summarised;
    VD *fields; /* of summaries */
    int count;
    int uncounted[W];
    int apart;
    int one_clock; /* else each member has its own instants, all of them on grids of one step */
    double seen;   /* the group's clock when `time` was found */
    VD start, time, ahead; /* `ahead`: by how many points of the grid, of the first member */
} KlGroup;

/* Which point of its grid a clock stands on, or -1. */
static long long kl_point(Clock const *c, double step)
{
    double point = floor((c->t - c->start) / step + 0.5);
    return point < 9e15 && c->t == c->start + point * step ? (long long)point : -1;
}

static void kl_calls(L_Plan *s, int list, double t);

KL KlGroup *kl_group(L_Plan const *s) { return (KlGroup *)s; }
KL int kl_set_apart(L_Plan const *s)
{
    kl_group(s)->apart = 1;
    return 1;
}

/* The members' instants where the group's is t: of a step of a fixed-step method, its begin, middle or end. */
KL VD kl_time(L_Plan const *s, double t)
{
    KlGroup *g = kl_group(s);
    double h = s->header.step;
    if (g->one_clock)
        return kl_d(t);
    if (g->seen != s->clock.t) {
        Clock const now = {.t = s->clock.t, .start = s->clock.start};
        g->seen = now.t;
        g->time = g->start + (g->ahead + kl_d((double)kl_point(&now, h))) * kl_d(h);
    }
    if (t == s->clock.t)
        return g->time;
    return g->time + kl_d(t == s->clock.t + 0.5 * h ? 0.5 * h : h);
}

KL void kl_hand_take_outputs(L_Plan const *s, double t) { kl_calls((L_Plan *)s, CALLS_MAJORS, t); }
KL void kl_hand_take_continuous_outputs(L_Plan const *s, double t) { kl_calls((L_Plan *)s, CALLS_CONTINUOUS, t); }
KL void kl_hand_take_minors(L_Plan const *s, double t) { kl_calls((L_Plan *)s, CALLS_MINORS, t); }
KL void kl_hand_take_derivatives(L_Plan const *s, double t) { kl_calls((L_Plan *)s, CALLS_DERIVATIVES, t); }
KL void kl_hand_take_samples(L_Plan const *s, double t) { kl_calls((L_Plan *)s, CALLS_SAMPLES, t); }

/* Periods, offsets and hits are the same for all, or they would not have become a group. */
KL double kl_hand_hit_time(L_Plan const *s, int rate)
{
    return s->clock.start + s->values[s->rates[2 * rate + 1]][0] + s->hits[rate][0] * s->values[s->rates[2 * rate]][0];
}

KL int kl_hand_modes_changed(L_Plan *s)
{
    VI changed = KL_NONE;
    if (s->n_modes == 0)
        return 0;
    memcpy(s->scratch, s->z, (size_t)s->header.z * sizeof(VD));
    kl_calls(s, CALLS_MODES, s->clock.t);
    for (int i = 0; i < s->header.z; i++)
        changed |= (VI)s->scratch[i] != (VI)s->z[i];
    return kl_any(changed);
}

KL int kl_hand_faulty(L_Plan *s)
{
    VI found = KL_NONE;
    for (int i = 0; i < s->header.blocks; i++)
        found |= s->faults[i];
    return kl_any((VI)(found != KL_NONE)) && kl_set_apart(s);
}

KL int kl_hand_is_stopped(L_Plan const *s)
{
    return s->header.stop >= 0 && kl_any((VI)(s->values[s->header.stop] > kl_d(0.5))) && kl_set_apart(s);
}

KL int kl_hand_states_are_finite(L_Plan const *s)
{
    VD sum = kl_d(0.0);
    for (int i = 0; i < s->header.x; i++)
        sum += s->x[i] * kl_d(0.0);
    return !kl_any((VI)(sum != kl_d(0.0))) || !kl_set_apart(s);
}

KL double kl_hand_next_jump(L_Plan const *s, double limit)
{
    double first = limit;
    if (s->n_jumps == 0)
        return limit;
    kl_calls((L_Plan *)s, CALLS_JUMPS, s->clock.t);
    for (int l = 0; l < W; l++) {
        double found = limit, before = limit - (1e-9 * s->header.step + 2e-15 * fabs(s->clock.t));
        for (int i = 0; i < s->n_jumps; i++) {
            int const *b = s->blocks + (size_t)kl_group(s)->members[0]->jumps[i].block * BLOCK_FIELDS;
            for (int k = 0; k < b[BLOCK_G + 1]; k++) {
                double candidate = s->clock.t - s->values[b[BLOCK_G] + k][l];
                if (s->clock.t < candidate && candidate < before)
                    found = before = candidate;
            }
        }
        if (l == 0)
            first = found;
        else if (found != first)
            kl_set_apart(s);
    }
    return first;
}

KL void kl_summarise(KlGroup *g)
{
    Summary const *r = g->recorders[0]->summary;
    VD *field = g->fields;
    g->summarised += 1;
    for (int i = 0; i < r->channels; i++, field += SUMMARY_FIELDS) {
        VD value = g->plan.values[r->places[i]], apart = value - field[SUMMARY_MEAN];
        field[SUMMARY_MEAN] += apart / kl_d((double)g->summarised);
        field[SUMMARY_DEVIATION] += apart * (value - field[SUMMARY_MEAN]);
        VI first = kl_truth(g->summarised == 1);
        field[SUMMARY_LEAST] = kl_seld(first | (VI)(value < field[SUMMARY_LEAST]), value, field[SUMMARY_LEAST]);
        field[SUMMARY_GREATEST] = kl_seld(first | (VI)(value > field[SUMMARY_GREATEST]), value, field[SUMMARY_GREATEST]);
    }
}

static int kl_hand_write_record(L_Plan *s, double t, L_Recorder *recorder)
{
    KlGroup *g = kl_group(s);
    Recorder const *r = g->recorders[0];
    VD total = kl_d(0.0);
    (void)recorder;
    if (r->summary != NULL)
        kl_summarise(g);
    if (g->rows >= r->capacity || (r->every != 1 && s->clock.grid % r->every != 0))
        return STATUS_END;
    for (int i = 0; i < r->channels; i++) {
        VD value = s->values[r->places[i]];
        for (int l = 0; l < g->count; l++)
            g->recorders[l]->out[g->rows * r->channels + i] = value[l];
        total += value * kl_d(0.0);
    }
    for (int l = 0; l < g->count; l++)
        g->recorders[l]->time[g->rows] = t;
    g->rows += 1;
    if (kl_any((VI)(total != kl_d(0.0))))
        kl_set_apart(s);
    return g->apart ? STATUS_NOT_FINITE : STATUS_END;
}

KL int kl_hand_plan_setup(L_Plan *s) { return kl_set_apart(s); }
KL int kl_hand_not_finite(L_Plan *s, double h)
{
    (void)h;
    kl_set_apart(s);
    return STATUS_NOT_FINITE;
}
KL void kl_hand_follow_inputs(L_Plan const *s, double t) { (void)s, (void)t; }
KL void kl_hand_watch(L_Plan *s, double t) { (void)s, (void)t; }
KL int kl_hand_cuts(L_Plan *s, double end) { return (void)s, (void)end, 0; }
KL int kl_hand_adaptive_way(L_Plan *s, double end, L_Recorder *r) { return (void)end, (void)r, kl_set_apart(s); }
KL void kl_hand_keep(L_Detour *d, L_Plan const *s, L_Recorder const *r) { (void)d, (void)s, (void)r; }

/* A kernel of a library: each member by itself, in its own plan, which is put back if the stride is given up.
 * places: of what it reads, and of what it writes, each with how many; both ended by -1. */
static void kl_by_member(L_Plan *s, const int *reads, const int *writes, int list, int number, VD t)
{
    KlGroup *g = kl_group(s);
    for (int l = 0; l < g->count; l++) {
        Plan *m = g->members[l];
        Task const *tasks[] = {NULL, NULL, m->majors, m->majors, m->minors, m->derivatives, m->modes, m->samples, NULL,
                               m->jumps}; /* in the order of `Calls` */
        Task const *task = tasks[list] + number;
        for (const int *at = reads; *at >= 0; at += 2)
            for (int i = at[0]; i < at[0] + at[1]; i++)
                m->values[i] = s->values[i][l];
        task->run(&task->view, t[l]);
        for (const int *at = writes; *at >= 0; at += 2)
            for (int i = at[0]; i < at[0] + at[1]; i++)
                s->values[i][l] = m->values[i];
        if (m->faults[task->block] != 0)
            kl_set_apart(s);
    }
    for (int l = g->count; l < W; l++)
        for (const int *at = writes; *at >= 0; at += 2)
            for (int i = at[0]; i < at[0] + at[1]; i++)
                s->values[i][l] = s->values[i][0];
}
