/* FMI 2.0: saved states. Part of fmi2.c. */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2GetFMUstate", INSTANCE_ANY);
    return (fmi2Status)state_get(m, "fmi2GetFMUstate", FMUstate);
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2SetFMUstate", INSTANCE_ANY);
    return (fmi2Status)state_set(m, "fmi2SetFMUstate", FMUstate);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2FreeFMUstate", INSTANCE_ANY);
    return (fmi2Status)state_free(m, FMUstate);
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t* size) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2SerializedFMUstateSize", INSTANCE_ANY);
    return (fmi2Status)state_serialized_size(m, "fmi2SerializedFMUstateSize", FMUstate, size);
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2SerializeFMUstate", INSTANCE_ANY);
    return (fmi2Status)state_serialize(m, "fmi2SerializeFMUstate", FMUstate, serializedState, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size, fmi2FMUstate* FMUstate) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2DeSerializeFMUstate", INSTANCE_ANY);
    return (fmi2Status)state_deserialize(m, "fmi2DeSerializeFMUstate", serializedState, size, FMUstate);
}
