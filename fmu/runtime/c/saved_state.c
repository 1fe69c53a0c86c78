/* Saved states of an instance: everything that what follows depends on, bit for bit. Part of instance.c. */

#define SAVED_STATE_VERSION 4

typedef struct SavedInstance {          /* followed by input series, sizes, and what `plan_save` writes */
    char magic[8];                      /* "KEELFMUS" */
    unsigned long long checksum;        /* FNV-1a of everything after this field up to what `plan_save` writes */
    unsigned long long size;            /* of all */
    int version;
    int interface;
    int state;
    int restart;
    int stopped;
    int dirty;
    int stale;
    int series_set;
    int updated;
    int tried;
    Experiment experiment;
} SavedInstance;

static size_t saved_series_size(const Instance* m) {
    return SERIES_ROWS * (size_t)m->plan->header.inputs * sizeof(double);
}

static size_t saved_numbers_size(const Instance* m) {
    return (size_t)m->plan->header.numbers * sizeof(int);
}

/* Where what `plan_save` writes begins. */
static size_t saved_plan_place(const Instance* m) {
    return aligned(sizeof(SavedInstance) + saved_series_size(m) + saved_numbers_size(m));
}

static size_t instance_state_size(const Instance* m) {
    return saved_plan_place(m) + plan_state_size(m->plan);
}

static void instance_save(const Instance* m, unsigned char* to) {
    const size_t place = saved_plan_place(m);
    SavedInstance head;
    memset(to, 0, place);
    memset(&head, 0, sizeof head);
    memcpy(head.magic, "KEELFMUS", 8);
    head.size = instance_state_size(m);
    head.version = SAVED_STATE_VERSION;
    head.interface = m->interface;
    head.state = m->state;
    head.restart = m->restart;
    head.stopped = m->stopped;
    head.dirty = m->plan->dirty;
    head.stale = m->plan->stale;
    head.series_set = m->series_set;
    head.updated = m->updated;
    head.tried = m->tried;
    head.experiment = m->experiment;
    memcpy(to, &head, sizeof head);
    if (m->series_set) memcpy(to + sizeof head, m->series, saved_series_size(m));
    memcpy(to + sizeof head + saved_series_size(m), m->plan->numbers, saved_numbers_size(m));
    plan_save(m->plan, to + place);
    head.checksum = fnv1a(to + 16, place - 16);
    memcpy(to, &head, sizeof head);
}

/* Whether the sizes in a saved state are ones that this model can have. */
static int saved_numbers_are_possible(const Instance* m, const unsigned char* saved) {
    const unsigned char* numbers = saved + sizeof(SavedInstance) + saved_series_size(m);
    int i, k, n;
    for (i = 0; i < m->plan->header.numbers; i++) {
        memcpy(&n, numbers + (size_t)i * sizeof n, sizeof n);
        for (k = 0; n != m->plan->numbers[i] && k < m->variables.header.arrays; k++) {
            const int* a = m->variables.arrays + (size_t)k * ARRAY_FIELDS;
            const double* limits = m->variables.limits + 2 * (size_t)(a[ARRAY_LIMITS] < 0 ? 0 : a[ARRAY_LIMITS]);
            if (a[ARRAY_KIND] & KIND_SIZE && a[ARRAY_PLACE] == i && n >= limits[0] && n <= limits[1]) break;
        }
        if (n != m->plan->numbers[i] && k == m->variables.header.arrays) return 0;
    }
    return 1;
}

/* Whether an instance of this interface can be in such a state. */
static int saved_head_is_possible(const SavedInstance* head) {
    const int bit = head->state, other = head->interface == INTERFACE_MODEL_EXCHANGE
        ? INSTANCE_STEP_COMPLETE | INSTANCE_STEP_FAILED | INSTANCE_INTERMEDIATE : INSTANCE_CONTINUOUS;
    const Experiment* e = &head->experiment;
    return bit > 0 && (bit & (bit - 1)) == 0 && bit & INSTANCE_ANY && !(bit & other)
        && (head->restart | head->stopped | head->dirty | head->stale | head->series_set | head->updated | head->tried
            | e->stop_defined | 1) == 1
        && isfinite(e->start) && isfinite(e->stop) && e->relative_tolerance > 0.0 && isfinite(e->relative_tolerance)
        && e->absolute_tolerance > 0.0 && isfinite(e->absolute_tolerance);
}

/* Whether the solver stands beside its grid, as it does in co-simulation; a step from anywhere else might not end. */
static int saved_clock_is_possible(const Instance* m, const unsigned char* saved) {
    const double step = m->plan->header.step;
    SavedState head;
    memcpy(&head, saved + saved_plan_place(m), sizeof head);
    return m->interface == INTERFACE_MODEL_EXCHANGE
        || (fabs(head.clock.start + (double)head.clock.grid * step - head.clock.t) <= 1.5 * step
            && hits_are_ahead(m->plan, saved + saved_plan_place(m)));
}

/* NULL, or why these bytes are no state of this model. */
static const char* instance_check_state(const Instance* m, const unsigned char* saved, size_t size) {
    SavedInstance head;
    if (saved == NULL) return "there is none";
    if (size < sizeof head) return "it is truncated";
    memcpy(&head, saved, sizeof head);
    if (memcmp(head.magic, "KEELFMUS", 8) != 0) return "it is not a state of such an FMU";
    if (head.version != SAVED_STATE_VERSION) return "it was saved by another version";
    if (head.size != size || size != instance_state_size(m)) return "it belongs to another model, or is truncated";
    if (fnv1a(saved + 16, saved_plan_place(m) - 16) != head.checksum) return "it is damaged";
    if (head.interface != m->interface) return "it was saved by an instance for the other interface (CS or ME)";
    if (!saved_numbers_are_possible(m, saved)) return "it belongs to another model";
    if (!saved_head_is_possible(&head) || !saved_clock_is_possible(m, saved)) return "no run of the model leads there";
    return NULL;
}

static const char* instance_restore(Instance* m, const unsigned char* saved, size_t size) {
    SavedInstance head;
    const char* problem = instance_check_state(m, saved, size);
    if (problem) return problem;
    memcpy(&head, saved, sizeof head);
    if (head.series_set && !series_room(m)) return "there is not enough memory";
    if (plan_restore(m->plan, saved + saved_plan_place(m), size - saved_plan_place(m)) != STATUS_END)
        return "it belongs to another model, or is damaged";
    if (head.series_set) memcpy(m->series, saved + sizeof head, saved_series_size(m));
    memcpy(m->plan->numbers, saved + sizeof head + saved_series_size(m), saved_numbers_size(m));
    m->series_set = head.series_set;
    m->held = 0;
    m->state = head.state;
    m->restart = head.restart;
    m->stopped = head.stopped;
    m->updated = head.updated;
    m->tried = head.tried;
    m->experiment = head.experiment;
    m->plan->dirty = head.dirty;
    m->plan->stale = head.stale;
    m->plan->header.relative_tolerance = head.experiment.relative_tolerance;
    m->plan->header.absolute_tolerance = head.experiment.absolute_tolerance;
    return NULL;
}
