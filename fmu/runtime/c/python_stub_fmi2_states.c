/* FMI 2.0 of the stub: saved states. Part of python_stub_fmi2.c. */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    fmi2FMUstate taken = NULL;
    fmi2Status status;
    OPEN2(c, "fmi2GetFMUstate");
    POINTER2("fmi2GetFMUstate", FMUstate);
    status = done2(m, m->call.get_state(m->inner, &taken));
    if (status >= fmi2Error) {
        if (taken && !m->broken) m->call.free_state(m->inner, &taken);
        return status;
    }
    if (*FMUstate) m->call.free_state(m->inner, FMUstate);      /* an existing one is overwritten */
    *FMUstate = taken;
    return status;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
    OPEN2(c, "fmi2SetFMUstate");
    POINTER2("fmi2SetFMUstate", FMUstate);
    return done2(m, m->call.set_state(m->inner, FMUstate));
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    fmi2Status status;
    OPEN2(c, "fmi2FreeFMUstate");
    if (FMUstate == NULL || *FMUstate == NULL) return fmi2OK;
    status = done2(m, m->call.free_state(m->inner, FMUstate));
    *FMUstate = NULL;
    return status;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
    OPEN2(c, "fmi2SerializedFMUstateSize");
    POINTER2("fmi2SerializedFMUstateSize", FMUstate);
    POINTER2("fmi2SerializedFMUstateSize", size);
    return done2(m, m->call.state_size(m->inner, FMUstate, size));
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size) {
    size_t needed = 0;
    fmi2Status status;
    OPEN2(c, "fmi2SerializeFMUstate");
    POINTER2("fmi2SerializeFMUstate", FMUstate);
    POINTER2("fmi2SerializeFMUstate", serializedState);
    status = done2(m, m->call.state_size(m->inner, FMUstate, &needed));
    if (status != fmi2OK) return status;
    if (size < needed)
        return say2(m, fmi2Error, "fmi2SerializeFMUstate: %lu bytes are needed, not %lu",
            (unsigned long)needed, (unsigned long)size);
    return done2(m, m->call.serialize(m->inner, FMUstate, serializedState, needed));
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size, fmi2FMUstate* FMUstate) {
    fmi2FMUstate taken = NULL;
    fmi2Status status;
    OPEN2(c, "fmi2DeSerializeFMUstate");
    POINTER2("fmi2DeSerializeFMUstate", serializedState);
    POINTER2("fmi2DeSerializeFMUstate", FMUstate);
    status = done2(m, m->call.deserialize(m->inner, serializedState, size, &taken));
    if (status != fmi2OK) return status;
    m->shared.count = STUB_CHECK;
    status = done2(m, m->call.set_state(m->inner, taken));
    m->shared.count = 0;
    if (status != fmi2OK) {
        if (!m->broken) m->call.free_state(m->inner, &taken);
        return status;
    }
    if (*FMUstate) m->call.free_state(m->inner, FMUstate);
    *FMUstate = taken;
    return status;
}
