/* Why the engine stopped, in words: the block, the value, the time. Part of instance.c. */

/* The place of the value that the engine found wrong, or -1. */
static long long instance_failed_place(const Plan* s) {
    const Failure* f = &s->failure;
    const int* block;
    if (f->block < 0 || f->block >= s->header.blocks) return -1;
    block = s->blocks + (size_t)f->block * BLOCK_FIELDS;
    if (f->part == PART_OUTPUT && f->fault >= 0 && f->fault < block[BLOCK_OUTPUTS])
        return (long long)s->ports[block[BLOCK_OUTPUTS + 1] + 2 * f->fault] + f->element;
    if (f->part == PART_DERIVATIVE || f->part == PART_STATE) return (long long)block[BLOCK_X] + f->element;
    return -1;
}

/* Say why the engine stopped, and take note that this instance has failed. */
static int instance_fail(Instance* m, int status) {
    const Plan* s = m->plan;
    const Failure* f = &s->failure;
    const char* block = "the model";
    char value[512] = "a value";
    const long long place = instance_failed_place(s);
    m->state = INSTANCE_ERROR;
    if (f->block >= 0 && f->block < s->header.blocks)
        block = s->strings + s->blocks[(size_t)f->block * BLOCK_FIELDS + BLOCK_NAME];
    if (place >= 0) {
        const char* what = f->part == PART_OUTPUT ? "output " : f->part == PART_STATE ? "state " : "the derivative of ";
        strcpy(value, what);
        variables_name(&m->variables, place, block, value + strlen(what), sizeof value - strlen(what));
    }
    switch (status) {
        case STATUS_FAULT:
            return instance_say(m, INSTANCE_FAILED, "%s stopped the run at t = %.9g s: %s",
                block, f->t, variables_fault(&m->variables, f->block, f->fault));
        case STATUS_NOT_FINITE:
            return instance_say(m, INSTANCE_FAILED, "%s: %s is not a finite number at t = %.9g s", block, value, f->t);
        case STATUS_STEP_TOO_SMALL:
            return instance_say(m, INSTANCE_FAILED,
                "the adaptive solver cannot go on at t = %.9g s: %s: %s changes too fast to be followed",
                f->t, block, value);
        case STATUS_UNSETTLED:
            return instance_say(m, INSTANCE_FAILED,
                "modes keep changing at t = %.9g s: an update of a block undoes itself again and again", f->t);
        case STATUS_TOO_MANY_EVENTS:
            return instance_say(m, INSTANCE_FAILED, "events follow each other without time going on at t = %.9g s", f->t);
        default:
            return instance_say(m, INSTANCE_FAILED, "the engine stopped with status %d at t = %.9g s", status, s->clock.t);
    }
}
