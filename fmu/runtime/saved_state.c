/* Saved states of an instance: everything that what follows depends on, bit for bit. Part of instance.c. */

#define SAVED_STATE_VERSION 1

typedef struct SavedInstance {          /* followed by what `plan_save` writes */
    char magic[8];                      /* "KEELFMUS" */
    unsigned long long checksum;        /* FNV-1a of everything after this field */
    unsigned long long size;            /* of all */
    int version;
    int state;
    int restart;
    int stopped;
    int dirty;
    int stale;
    Experiment experiment;
} SavedInstance;

static size_t instance_state_size(const Instance* m) {
    return sizeof(SavedInstance) + plan_state_size(m->plan);
}

static void instance_save(const Instance* m, unsigned char* to) {
    const size_t size = instance_state_size(m);
    SavedInstance head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, "KEELFMUS", 8);
    head.size = size;
    head.version = SAVED_STATE_VERSION;
    head.state = m->state;
    head.restart = m->restart;
    head.stopped = m->stopped;
    head.dirty = m->plan->dirty;
    head.stale = m->plan->stale;
    head.experiment = m->experiment;
    plan_save(m->plan, to + sizeof head);
    memcpy(to, &head, sizeof head);
    head.checksum = fnv1a(to + 16, sizeof head - 16);
    memcpy(to, &head, sizeof head);
}

/* NULL, or why these bytes are no state of this model. */
static const char* instance_check_state(const Instance* m, const unsigned char* saved, size_t size) {
    SavedInstance head;
    if (saved == NULL) return "there is none";
    if (size < sizeof head) return "it is truncated";
    memcpy(&head, saved, sizeof head);
    if (memcmp(head.magic, "KEELFMUS", 8) != 0) return "it is not a state of such an FMU";
    if (head.version != SAVED_STATE_VERSION) return "it was saved by another version";
    if (fnv1a(saved + 16, sizeof head - 16) != head.checksum) return "it is damaged";
    if (head.size != size || size != instance_state_size(m)) return "it belongs to another model, or is truncated";
    return NULL;
}

static const char* instance_restore(Instance* m, const unsigned char* saved, size_t size) {
    SavedInstance head;
    const char* problem = instance_check_state(m, saved, size);
    if (problem) return problem;
    memcpy(&head, saved, sizeof head);
    if (plan_restore(m->plan, saved + sizeof head, size - sizeof head) != STATUS_END)
        return "it belongs to another model, or is damaged";
    m->state = head.state;
    m->restart = head.restart;
    m->stopped = head.stopped;
    m->experiment = head.experiment;
    m->plan->dirty = head.dirty;
    m->plan->stale = head.stale;
    m->plan->header.relative_tolerance = head.experiment.relative_tolerance;
    m->plan->header.absolute_tolerance = head.experiment.absolute_tolerance;
    return NULL;
}
