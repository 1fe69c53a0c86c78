/* FMU states as both versions of the standard hand them out: a pointer to a saved state. Part of keelblocks.c. */

typedef struct State {                  /* the bytes follow */
    size_t size;
    size_t reserved;
} State;

static unsigned char* state_bytes(State* state) {
    return (unsigned char*)(state + 1);
}

static State* state_new(Instance* m, const char* function) {
    const size_t size = instance_state_size(m);
    State* state = (State*)m->allocate(sizeof(State) + size, 1);
    if (state == NULL) instance_say(m, INSTANCE_FAILED, "%s: there is not enough memory", function);
    else state->size = size;
    return state;
}

static int state_refuse(Instance* m, const char* function, const char* problem) {
    return instance_say(m, INSTANCE_FAILED, "%s: the state cannot be used: %s", function, problem);
}

static int state_get(Instance* m, const char* function, void** FMUstate) {
    State* state;
    if (FMUstate == NULL) return instance_refuse_null(m, function, "FMUstate");
    state = (State*)*FMUstate;          /* an existing one is overwritten, as the standard has it */
    if (state == NULL) state = state_new(m, function);
    if (state == NULL) return INSTANCE_FAILED;
    if (state->size != instance_state_size(m))
        return instance_say(m, INSTANCE_FAILED, "%s: the state given belongs to another model", function);
    instance_save(m, state_bytes(state));
    *FMUstate = state;
    return INSTANCE_OK;
}

static int state_set(Instance* m, const char* function, void* FMUstate) {
    State* state = (State*)FMUstate;
    const char* problem;
    if (state == NULL) return instance_refuse_null(m, function, "FMUstate");
    problem = instance_restore(m, state_bytes(state), state->size);
    return problem ? state_refuse(m, function, problem) : INSTANCE_OK;
}

static int state_free(Instance* m, void** FMUstate) {
    if (FMUstate && *FMUstate) {
        m->release(*FMUstate);
        *FMUstate = NULL;
    }
    return INSTANCE_OK;
}

static int state_serialized_size(Instance* m, const char* function, void* FMUstate, size_t* size) {
    if (FMUstate == NULL) return instance_refuse_null(m, function, "FMUstate");
    if (size == NULL) return instance_refuse_null(m, function, "size");
    *size = ((State*)FMUstate)->size;
    return INSTANCE_OK;
}

static int state_serialize(Instance* m, const char* function, void* FMUstate, void* to, size_t size) {
    State* state = (State*)FMUstate;
    if (state == NULL) return instance_refuse_null(m, function, "FMUstate");
    if (to == NULL) return instance_refuse_null(m, function, "serializedState");
    if (size < state->size)
        return instance_say(m, INSTANCE_FAILED, "%s: %lu bytes are needed, not %lu",
            function, (unsigned long)state->size, (unsigned long)size);
    memcpy(to, state_bytes(state), state->size);
    return INSTANCE_OK;
}

static int state_deserialize(Instance* m, const char* function, const void* from, size_t size, void** FMUstate) {
    State* state;
    const char* problem;
    if (from == NULL) return instance_refuse_null(m, function, "serializedState");
    if (FMUstate == NULL) return instance_refuse_null(m, function, "FMUstate");
    problem = instance_check_state(m, (const unsigned char*)from, size);
    if (problem) return state_refuse(m, function, problem);
    state = (State*)*FMUstate;
    if (state == NULL || state->size != size) {
        state = state_new(m, function);
        if (state == NULL) return INSTANCE_FAILED;
    }
    memcpy(state_bytes(state), from, size);
    *FMUstate = state;
    return INSTANCE_OK;
}
