/* FMI 3.0 of the stub: saved states. Part of python_stub_fmi3.c. */

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
    fmi3FMUState taken = NULL;
    fmi3Status status;
    OPEN3(instance, "fmi3GetFMUState");
    POINTER3("fmi3GetFMUState", FMUState);
    status = done3(m, m->call.get_state(m->inner, &taken));
    if (status >= fmi3Error) {
        if (taken && !m->broken) m->call.free_state(m->inner, &taken);
        return status;
    }
    if (*FMUState) m->call.free_state(m->inner, FMUState);      /* an existing one is overwritten */
    *FMUState = taken;
    return status;
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState) {
    OPEN3(instance, "fmi3SetFMUState");
    POINTER3("fmi3SetFMUState", FMUState);
    m->shared.count = 0;
    return done3(m, m->call.set_state(m->inner, FMUState));
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
    fmi3Status status;
    OPEN3(instance, "fmi3FreeFMUState");
    if (FMUState == NULL || *FMUState == NULL) return fmi3OK;
    status = done3(m, m->call.free_state(m->inner, FMUState));
    *FMUState = NULL;
    return status;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t* size) {
    OPEN3(instance, "fmi3SerializedFMUStateSize");
    POINTER3("fmi3SerializedFMUStateSize", FMUState);
    POINTER3("fmi3SerializedFMUStateSize", size);
    return done3(m, m->call.state_size(m->inner, FMUState, size));
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[], size_t size) {
    size_t needed = 0;
    fmi3Status status;
    OPEN3(instance, "fmi3SerializeFMUState");
    POINTER3("fmi3SerializeFMUState", FMUState);
    POINTER3("fmi3SerializeFMUState", serializedState);
    status = done3(m, m->call.state_size(m->inner, FMUState, &needed));
    if (status != fmi3OK) return status;
    if (size < needed)
        return say3(m, fmi3Error, "fmi3SerializeFMUState: %lu bytes are needed, not %lu",
            (unsigned long)needed, (unsigned long)size);
    return done3(m, m->call.serialize(m->inner, FMUState, serializedState, needed));
}

fmi3Status fmi3DeserializeFMUState(
    fmi3Instance instance, const fmi3Byte serializedState[], size_t size, fmi3FMUState* FMUState
) {
    fmi3FMUState taken = NULL;
    fmi3Status status;
    OPEN3(instance, "fmi3DeserializeFMUState");
    POINTER3("fmi3DeserializeFMUState", serializedState);
    POINTER3("fmi3DeserializeFMUState", FMUState);
    status = done3(m, m->call.deserialize(m->inner, serializedState, size, &taken));
    if (status != fmi3OK) return status;
    m->shared.count = STUB_CHECK;
    status = done3(m, m->call.set_state(m->inner, taken));
    m->shared.count = 0;
    if (status != fmi3OK) {
        if (!m->broken) m->call.free_state(m->inner, &taken);
        return status;
    }
    if (*FMUState) m->call.free_state(m->inner, FMUState);
    *FMUState = taken;
    return status;
}
