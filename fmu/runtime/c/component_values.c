/* A component of WebAssembly: variables, dependencies, states and derivatives, and model exchange. Part of component.c. */

/* --- variables ------------------------------------------------------------------------------------------------------- */

/* How many elements variables have together; one for each that there is not, of which the function of FMI will speak. */
static size_t elements(const Instance* m, const fmi3ValueReference* references, size_t n) {
    size_t i, count = 0;
    for (i = 0; i < n; i++)
        count += references[i] < (unsigned int)m->variables.header.arrays
            ? (size_t)variables_count(&m->variables, m->plan, references[i]) : 1;
    return count;
}

#define VALUES(get_name, set_name, Name, Type) \
    EXPORTED(get_name) const ListArea* get_##Name(Instance* m, const fmi3ValueReference* references, size_t n) { \
        const size_t count = elements(m, references, n); \
        Type* values = (Type*)room(count * sizeof(Type)); \
        return answer_list(fmi3Get##Name(m, references, n, values, count), values, count); \
    } \
    EXPORTED(set_name) int set_##Name( \
        Instance* m, const fmi3ValueReference* references, size_t n, const Type* values, size_t count \
    ) { \
        return (int)fmi3Set##Name(m, references, n, values, count); \
    }

VALUES("get-float32", "set-float32", Float32, fmi3Float32)
VALUES("get-float64", "set-float64", Float64, fmi3Float64)
VALUES("get-int8", "set-int8", Int8, fmi3Int8)
VALUES("get-int16", "set-int16", Int16, fmi3Int16)
VALUES("get-int32", "set-int32", Int32, fmi3Int32)
VALUES("get-int64", "set-int64", Int64, fmi3Int64)
VALUES("get-uint8", "set-uint8", UInt8, fmi3UInt8)
VALUES("get-uint16", "set-uint16", UInt16, fmi3UInt16)
VALUES("get-uint32", "set-uint32", UInt32, fmi3UInt32)
VALUES("get-uint64", "set-uint64", UInt64, fmi3UInt64)
VALUES("get-boolean", "set-boolean", Boolean, fmi3Boolean)

EXPORTED("get-clock") const ListArea* get_clock(Instance* m, const fmi3ValueReference* references, size_t n) {
    fmi3Clock* values = (fmi3Clock*)room(n * sizeof(fmi3Clock));
    return answer_list(fmi3GetClock(m, references, n, values), values, n);
}

EXPORTED("set-clock") int set_clock(
    Instance* m, const fmi3ValueReference* references, size_t n, const fmi3Clock* values, size_t count
) {
    if (count != n) return fmi3_refuse_count(m, "fmi3SetClock", references, n, "nValues", count);
    return (int)fmi3SetClock(m, references, n, values);
}

/* What no FMU of Keelblocks has: a list that is not empty is refused by the function of FMI, which says why. */
#define ABSENT_GET(name, function, ...) \
    EXPORTED(name) const ListArea* absent_##function(Instance* m, const fmi3ValueReference* references, size_t n) { \
        return answer_list(function(m, references, n, __VA_ARGS__), NULL, 0); \
    }
#define ABSENT_SET(name, function, ...) \
    EXPORTED(name) int absent_##function( \
        Instance* m, const fmi3ValueReference* references, size_t n, const void* values, size_t count \
    ) { \
        (void)values; \
        (void)count; \
        return (int)function(m, references, n, __VA_ARGS__); \
    }

ABSENT_GET("get-string", fmi3GetString, NULL, 0)
ABSENT_SET("set-string", fmi3SetString, NULL, 0)
ABSENT_GET("get-binary", fmi3GetBinary, NULL, NULL, 0)
ABSENT_SET("set-binary", fmi3SetBinary, NULL, NULL, 0)
ABSENT_GET("get-interval-decimal", fmi3GetIntervalDecimal, NULL, NULL)
ABSENT_GET("get-interval-fraction", fmi3GetIntervalFraction, NULL, NULL, NULL)
ABSENT_GET("get-shift-decimal", fmi3GetShiftDecimal, NULL)
ABSENT_GET("get-shift-fraction", fmi3GetShiftFraction, NULL, NULL)
ABSENT_SET("set-interval-decimal", fmi3SetIntervalDecimal, NULL)
ABSENT_SET("set-interval-fraction", fmi3SetIntervalFraction, NULL, NULL)
ABSENT_SET("set-shift-decimal", fmi3SetShiftDecimal, NULL)
ABSENT_SET("set-shift-fraction", fmi3SetShiftFraction, NULL, NULL)

EXPORTED("get-output-derivatives") const ListArea* get_output_derivatives(Instance* m, const void* requests, size_t n) {
    return answer_list(fmi3GetOutputDerivatives(m, (const fmi3ValueReference*)requests, n, NULL, NULL, 0), NULL, 0);
}

EXPORTED("set-input-derivatives") int set_input_derivatives(
    Instance* m, const void* requests, size_t n, const double* values, size_t count
) {
    (void)requests;
    (void)values;
    (void)count;
    if (n == 0) return (int)fmi3OK;
    return instance_say(m, INSTANCE_FAILED, "set-input-derivatives is not offered: FMI 3.0 has no such function");
}

/* --- dependencies, states, derivatives ------------------------------------------------------------------------------- */

EXPORTED("get-number-of-variable-dependencies") const Area* get_number_of_variable_dependencies(
    Instance* m, fmi3ValueReference reference
) {
    size_t count = 0;
    const fmi3Status status = fmi3GetNumberOfVariableDependencies(m, reference, &count);
    return answer_count(status, count);
}

EXPORTED("get-variable-dependencies") const ListArea* get_variable_dependencies(
    Instance* m, fmi3ValueReference dependent
) {
    typedef struct Dependency {
        uint32_t dependent, element, independent, independent_element;
        unsigned char kind;
    } Dependency;
    size_t i, n = 0;
    fmi3Status status = fmi3GetNumberOfVariableDependencies(m, dependent, &n);
    Dependency* found;
    size_t* of_dependent;
    size_t* of_independent;
    fmi3ValueReference* independents;
    fmi3DependencyKind* kinds;
    if (!is_good(status)) return answer_list(status, NULL, 0);
    found = (Dependency*)room(n * sizeof(Dependency));
    of_dependent = (size_t*)room(n * sizeof(size_t));
    of_independent = (size_t*)room(n * sizeof(size_t));
    independents = (fmi3ValueReference*)room(n * sizeof(fmi3ValueReference));
    kinds = (fmi3DependencyKind*)room(n * sizeof(fmi3DependencyKind));
    status = fmi3GetVariableDependencies(m, dependent, of_dependent, independents, of_independent, kinds, n);
    for (i = 0; i < n && is_good(status); i++) {
        found[i].dependent = dependent;
        found[i].element = (uint32_t)of_dependent[i];
        found[i].independent = independents[i];
        found[i].independent_element = (uint32_t)of_independent[i];
        found[i].kind = (unsigned char)(kinds[i] == fmi3Dependent ? 0 : kinds[i]);  /* the draft begins with it */
    }
    return answer_list(status, found, n);
}

EXPORTED("get-fmu-state") const ListArea* get_fmu_state(Instance* m) {
    fmi3FMUState state = NULL;
    size_t size = 0;
    unsigned char* bytes = NULL;
    fmi3Status status = fmi3GetFMUState(m, &state);
    if (is_good(status)) status = fmi3SerializedFMUStateSize(m, state, &size);
    if (is_good(status)) {
        bytes = (unsigned char*)room(size);
        status = fmi3SerializeFMUState(m, state, bytes, size);
    }
    fmi3FreeFMUState(m, &state);
    return answer_list(status, bytes, size);
}

EXPORTED("set-fmu-state") int set_fmu_state(Instance* m, const unsigned char* bytes, size_t size) {
    fmi3FMUState state = NULL;
    fmi3Status status = fmi3DeserializeFMUState(m, bytes, size, &state);
    if (is_good(status)) status = fmi3SetFMUState(m, state);
    fmi3FreeFMUState(m, &state);
    return (int)status;
}

#define DERIVATIVE(name, function, wanted) \
    EXPORTED(name) const ListArea* derivative_##function( \
        Instance* m, const fmi3ValueReference* unknowns, size_t n_unknowns, const fmi3ValueReference* knowns, \
        size_t n_knowns, const double* seed, size_t n_seed \
    ) { \
        const size_t count = elements(m, wanted, n_##wanted); \
        double* sensitivity = (double*)room(count * sizeof(double)); \
        const fmi3Status status = function( \
            m, unknowns, n_unknowns, knowns, n_knowns, seed, n_seed, sensitivity, count); \
        return answer_list(status, sensitivity, count); \
    }

DERIVATIVE("get-directional-derivative", fmi3GetDirectionalDerivative, unknowns)
DERIVATIVE("get-adjoint-derivative", fmi3GetAdjointDerivative, knowns)

/* --- model exchange -------------------------------------------------------------------------------------------------- */

EXPORTED("set-time") int set_time(Instance* m, double time) {
    return (int)fmi3SetTime(m, time);
}

EXPORTED("set-continuous-states") int set_continuous_states(Instance* m, const double* states, size_t n) {
    return (int)fmi3SetContinuousStates(m, states, n);
}

#define NUMBERS(name, function, counted) \
    EXPORTED(name) const ListArea* numbers_##function(Instance* m) { \
        const size_t n = (size_t)(counted); \
        double* numbers = (double*)room(n * sizeof(double)); \
        return answer_list(function(m, numbers, n), numbers, n); \
    }

NUMBERS("get-continuous-states", fmi3GetContinuousStates, m->plan->states)
NUMBERS("get-continuous-state-derivatives", fmi3GetContinuousStateDerivatives, m->plan->states)
NUMBERS("get-nominals-of-continuous-states", fmi3GetNominalsOfContinuousStates, m->plan->states)
NUMBERS("get-event-indicators", fmi3GetEventIndicators, m->plan->header.g)

EXPORTED("get-number-of-continuous-states") const Area* get_number_of_continuous_states(Instance* m) {
    size_t count = 0;
    const fmi3Status status = fmi3GetNumberOfContinuousStates(m, &count);
    return answer_count(status, count);
}

EXPORTED("get-number-of-event-indicators") const Area* get_number_of_event_indicators(Instance* m) {
    size_t count = 0;
    const fmi3Status status = fmi3GetNumberOfEventIndicators(m, &count);
    return answer_count(status, count);
}

EXPORTED("completed-integrator-step") const void* completed_integrator_step(Instance* m, int no_state_before) {
    static unsigned char answer[3];
    fmi3Boolean enter = fmi3False, terminate = fmi3False;
    const fmi3Status status = fmi3CompletedIntegratorStep(m, no_state_before != 0, &enter, &terminate);
    answer[0] = !is_good(status);
    answer[1] = answer[0] ? (unsigned char)status : enter;
    answer[2] = terminate;
    return answer;
}
