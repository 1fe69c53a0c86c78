/* FMI 2.0: saved states. Part of fmi2.c. */

typedef struct State {                  /* what an fmi2FMUstate points to; the bytes follow */
    size_t size;
    size_t reserved;
} State;

static unsigned char* state_bytes(State* state) {
    return (unsigned char*)(state + 1);
}

static State* state_new(Instance* m, const char* function) {
    const size_t size = instance_state_size(m);
    State* state = (State*)m->allocate(sizeof(State) + size, 1);
    if (state == NULL) instance_say(m, fmi2Error, "%s: there is not enough memory", function);
    else state->size = size;
    return state;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    State* state;
    REQUIRE("fmi2GetFMUstate", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2GetFMUstate", FMUstate);
    state = (State*)*FMUstate;          /* an existing one is overwritten, as the standard has it */
    if (state == NULL) state = state_new(m, "fmi2GetFMUstate");
    if (state == NULL) return fmi2Error;
    if (state->size != instance_state_size(m))
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2GetFMUstate: the state given belongs to another model");
    instance_save(m, state_bytes(state));
    *FMUstate = state;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
    Instance* m = (Instance*)c;
    State* state = (State*)FMUstate;
    const char* problem;
    REQUIRE("fmi2SetFMUstate", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2SetFMUstate", FMUstate);
    problem = instance_restore(m, state_bytes(state), state->size);
    if (problem) return (fmi2Status)instance_say(m, fmi2Error, "fmi2SetFMUstate: the state cannot be used: %s", problem);
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2FreeFMUstate", INSTANCE_ANY);
    if (FMUstate && *FMUstate) {
        m->release(*FMUstate);
        *FMUstate = NULL;
    }
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2SerializedFMUstateSize", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2SerializedFMUstateSize", FMUstate);
    REQUIRE_POINTER("fmi2SerializedFMUstateSize", size);
    *size = ((State*)FMUstate)->size;
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size) {
    Instance* m = (Instance*)c;
    State* state = (State*)FMUstate;
    REQUIRE("fmi2SerializeFMUstate", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2SerializeFMUstate", FMUstate);
    REQUIRE_POINTER("fmi2SerializeFMUstate", serializedState);
    if (size < state->size)
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2SerializeFMUstate: %lu bytes are needed, not %lu",
            (unsigned long)state->size, (unsigned long)size);
    memcpy(serializedState, state_bytes(state), state->size);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    State* state;
    const char* problem;
    REQUIRE("fmi2DeSerializeFMUstate", INSTANCE_ANY);
    REQUIRE_POINTER("fmi2DeSerializeFMUstate", serializedState);
    REQUIRE_POINTER("fmi2DeSerializeFMUstate", FMUstate);
    problem = instance_check_state(m, (const unsigned char*)serializedState, size);
    if (problem)
        return (fmi2Status)instance_say(m, fmi2Error, "fmi2DeSerializeFMUstate: the state cannot be used: %s", problem);
    state = (State*)*FMUstate;
    if (state == NULL || state->size != size) {
        state = state_new(m, "fmi2DeSerializeFMUstate");
        if (state == NULL) return fmi2Error;
    }
    memcpy(state_bytes(state), serializedState, size);
    *FMUstate = state;
    return fmi2OK;
}
