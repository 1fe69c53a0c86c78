/* FMI 3.0: saved states. Part of fmi3.c. */

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3GetFMUState", FMI3_ANYTIME);
    return (fmi3Status)state_get(m, "fmi3GetFMUState", FMUState);
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3SetFMUState", FMI3_ANYTIME);
    return (fmi3Status)state_set(m, "fmi3SetFMUState", FMUState);
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3FreeFMUState", FMI3_ANYTIME);
    return (fmi3Status)state_free(m, FMUState);
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t* size) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3SerializedFMUStateSize", FMI3_ANYTIME);
    return (fmi3Status)state_serialized_size(m, "fmi3SerializedFMUStateSize", FMUState, size);
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[], size_t size) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3SerializeFMUState", FMI3_ANYTIME);
    return (fmi3Status)state_serialize(m, "fmi3SerializeFMUState", FMUState, serializedState, size);
}

fmi3Status fmi3DeserializeFMUState(
    fmi3Instance instance, const fmi3Byte serializedState[], size_t size, fmi3FMUState* FMUState
) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3DeserializeFMUState", FMI3_ANYTIME);
    return (fmi3Status)state_deserialize(m, "fmi3DeserializeFMUState", serializedState, size, FMUState);
}
