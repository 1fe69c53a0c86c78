/* FMI 3.0: getting and setting variables, of which sizes stand in fmi3_sizes.c. Part of fmi3.c. */

/* Whether a variable has a value before initialization. */
static int fmi3_has_start(const Instance* m, const int* a) {
    const Header* h = &m->plan->header;
    const int place = a[ARRAY_PLACE];
    return a[ARRAY_KIND] & (KIND_TIME | KIND_INPUT | KIND_PARAMETER)
        || (place >= h->signals && place < h->signals + h->parameters);
}

/* In states in which not every variable may be accessed: INSTANCE_OK, or a status after a message that names one. */
static int fmi3_check_access(
    Instance* m, const char* function, const fmi3ValueReference references[], size_t n, int type, int getting
) {
    size_t i;
    for (i = 0; i < n; i++) {
        const int* a = fmi3_array(m, references[i], type);
        if (a == NULL) return fmi3_refuse_type(m, function, references[i], fmi3_type_name(type));
        if (m->state == INSTANCE_INTERMEDIATE && !fmi3_door(m)->required[references[i]])
            return instance_say(m, INSTANCE_FAILED, "%s: %s cannot be accessed within a step: it was not among the "
                "required intermediate variables", function, fmi3_name(m, references[i]));
        if (getting && m->state & FMI3_BEFORE_VALUES && !fmi3_has_start(m, a))
            return instance_say(m, INSTANCE_FAILED, "%s: %s has no value before initialization: the instance is %s",
                function, fmi3_name(m, references[i]), instance_state_name(m->state));
    }
    return INSTANCE_OK;
}

static int fmi3_prepare_get_slowly(
    Instance* m, const char* function, const fmi3ValueReference references[], size_t n, const void* values, int type
) {
    int status = INSTANCE_OK;
    if (m == NULL) return INSTANCE_FAILED;
    if (n == 0) return INSTANCE_OK;
    if (references == NULL) return instance_refuse_null(m, function, "valueReferences");
    if (values == NULL) return instance_refuse_null(m, function, "values");
    if (m->state & (FMI3_BEFORE_VALUES | INSTANCE_INTERMEDIATE))
        status = fmi3_check_access(m, function, references, n, type, 1);
    if (status != INSTANCE_OK || m->state & FMI3_BEFORE_VALUES) return status;
    return instance_make_current(m, function);
}

/* Make variables ready to be read. */
static inline int fmi3_prepare_get(
    Instance* m, const char* function, const fmi3ValueReference references[], size_t n, const void* values, int type
) {
    if (m && references && values && instance_is_current(m)) return INSTANCE_OK;
    return fmi3_prepare_get_slowly(m, function, references, n, values, type);
}

/* Where the elements of a variable stand; they are current, derivatives too. */
static inline const double* fmi3_stored(Instance* m, const int* a) {
    if (a[ARRAY_KIND] & KIND_DERIVATIVE) instance_make_derivatives(m);
    if (a[ARRAY_KIND] & KIND_TIME) return m->restart ? &m->experiment.start : &m->plan->clock.t;
    return m->values + a[ARRAY_PLACE];
}

/* One of the values that were read is not finite. */
static int fmi3_read_not_finite(Instance* m, const char* function, const fmi3ValueReference references[], size_t n) {
    size_t i;
    long long j;
    for (i = 0; i < n; i++) {
        const int* a = m->variables.arrays + (size_t)references[i] * ARRAY_FIELDS;
        const long long count = variables_count(&m->variables, m->plan, references[i]);
        for (j = 0; j < count && !(a[ARRAY_KIND] & KIND_TIME); j++)
            if (!isfinite(m->values[a[ARRAY_PLACE] + j]))
                return instance_read_not_finite(m, function, (unsigned int)(a[ARRAY_PLACE] + j));
    }
    return INSTANCE_OK;
}

static int fmi3_prepare_set_slowly(
    Instance* m, const char* function, const fmi3ValueReference references[], size_t n, const void* values, int type
) {
    if (m == NULL) return INSTANCE_FAILED;
    if (!(m->state & INSTANCE_SETTABLE) || (m->state == INSTANCE_INTERMEDIATE && !fmi3_door(m)->may_set))
        return instance_refuse_call(m, function);
    if (n == 0) return INSTANCE_OK;
    if (references == NULL) return instance_refuse_null(m, function, "valueReferences");
    if (values == NULL) return instance_refuse_null(m, function, "values");
    return m->state == INSTANCE_INTERMEDIATE ? fmi3_check_access(m, function, references, n, type, 0) : INSTANCE_OK;
}

/* Make sure that variables may be set now. */
static inline int fmi3_prepare_set(
    Instance* m, const char* function, const fmi3ValueReference references[], size_t n, const void* values, int type
) {
    if (m && references && values && m->state & INSTANCE_SETTABLE & ~INSTANCE_INTERMEDIATE) return INSTANCE_OK;
    return fmi3_prepare_set_slowly(m, function, references, n, values, type);
}

/* Say why an element cannot be set to a value, or INSTANCE_OK if it is a parameter that has this value. */
static int fmi3_refuse_set(
    Instance* m, const char* function, fmi3ValueReference reference, int type, long long element, double value
) {
    const int* a = fmi3_array(m, reference, type);
    if (a == NULL) return fmi3_refuse_type(m, function, reference, fmi3_type_name(type));
    if (a[ARRAY_KIND] & KIND_PARAMETER && instance_holds(m->values[(size_t)a[ARRAY_PLACE] + (size_t)element], value))
        return INSTANCE_OK;
    if (!(a[ARRAY_KIND] & (KIND_INPUT | KIND_PARAMETER | instance_settable(m))))
        return instance_say(m, INSTANCE_FAILED, "%s: %s cannot be set: it is neither an input nor a parameter",
            function, fmi3_name(m, reference));
    if (!(a[ARRAY_KIND] & instance_settable(m)))
        return instance_say(m, INSTANCE_FAILED, a[ARRAY_KIND] & KIND_FIXED
            ? "%s: %s is a fixed parameter and cannot be set after initialization"
            : "%s: %s is a parameter and can be set at events and between steps only", function, fmi3_name(m, reference));
    return fmi3_refuse_value(m, function, reference, element, value);
}

/* Get and set functions of a type: how a stored number becomes a value and back. `k` counts the elements of all. */

#define FMI3_GET(function, Type, type, from_stored) \
    fmi3Status function( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, Type values[], \
        size_t nValues \
    ) { \
        Instance* m = (Instance*)instance; \
        double total = 0.0; \
        size_t i, k = 0; \
        const int status = fmi3_prepare_get(m, #function, valueReferences, nValueReferences, values, type); \
        if (status != INSTANCE_OK) return (fmi3Status)status; \
        for (i = 0; i < nValueReferences; i++) { \
            const int* a = fmi3_array(m, valueReferences[i], type); \
            const double* stored; \
            size_t count; \
            if (a == NULL) return (fmi3Status)fmi3_refuse_type(m, #function, valueReferences[i], fmi3_type_name(type)); \
            stored = fmi3_stored(m, a); \
            count = (size_t)variables_count(&m->variables, m->plan, valueReferences[i]); \
            if (count > nValues - k) break; \
            for (; count > 0; count--, stored++, k++) { \
                total += *stored * 0.0; \
                values[k] = from_stored; \
            } \
        } \
        if (k != nValues || i != nValueReferences) \
            return (fmi3Status)fmi3_refuse_count(m, #function, valueReferences, nValueReferences, "nValues", nValues); \
        if (total == 0.0) return fmi3OK; \
        return (fmi3Status)fmi3_read_not_finite(m, #function, valueReferences, nValueReferences); \
    }

#define FMI3_SET(function, Type, type, to_stored) \
    fmi3Status function( \
        fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, const Type values[], \
        size_t nValues \
    ) { \
        Instance* m = (Instance*)instance; \
        int settable, kinds = 0; \
        size_t i, j, k = 0; \
        const int status = fmi3_prepare_set(m, #function, valueReferences, nValueReferences, values, type); \
        if (status != INSTANCE_OK) return (fmi3Status)status; \
        settable = instance_settable(m); \
        for (i = 0; i < nValueReferences; i++) {    /* all are checked before any is set */ \
            const int* a = fmi3_array(m, valueReferences[i], type); \
            size_t count; \
            if (a == NULL || !(a[ARRAY_KIND] & (settable | KIND_PARAMETER))) \
                return (fmi3Status)fmi3_refuse_set(m, #function, valueReferences[i], type, 0, 0.0); \
            count = (size_t)variables_count(&m->variables, m->plan, valueReferences[i]); \
            if (count > nValues - k) break; \
            for (j = 0; j < count; j++, k++) \
                if (!(a[ARRAY_KIND] & settable) || !isfinite((double)(to_stored)) || !fmi3_within(m, a, (double)(to_stored))) { \
                    const int refused = fmi3_refuse_set( \
                        m, #function, valueReferences[i], type, (long long)j, (double)(to_stored)); \
                    if (refused != INSTANCE_OK) return (fmi3Status)refused; \
                } \
            if (a[ARRAY_KIND] & settable) kinds |= a[ARRAY_KIND]; \
        } \
        if (k != nValues || i != nValueReferences) \
            return (fmi3Status)fmi3_refuse_count(m, #function, valueReferences, nValueReferences, "nValues", nValues); \
        for (i = 0, k = 0; i < nValueReferences; i++) { \
            const int* a = fmi3_array(m, valueReferences[i], type); \
            double* stored = m->values + a[ARRAY_PLACE]; \
            size_t count = (size_t)variables_count(&m->variables, m->plan, valueReferences[i]); \
            for (; count > 0; count--, k++, stored++) \
                if (a[ARRAY_KIND] & settable && fmi3_within(m, a, (double)(to_stored))) *stored = to_stored; \
        } \
        instance_was_set(m, kinds); \
        return fmi3OK; \
    }

FMI3_GET(fmi3GetFloat64, fmi3Float64, FMI3_FLOAT64, *stored)
FMI3_GET(fmi3GetInt32, fmi3Int32, FMI3_INT32, (fmi3Int32)*stored)
FMI3_GET(fmi3GetInt64, fmi3Int64, FMI3_INT64, (fmi3Int64)*stored + 1)      /* items of enumerations count from 1 */
FMI3_GET(fmi3GetBoolean, fmi3Boolean, FMI3_BOOLEAN, *stored != 0.0)

FMI3_SET(fmi3SetFloat64, fmi3Float64, FMI3_FLOAT64, values[k])
FMI3_SET(fmi3SetInt32, fmi3Int32, FMI3_INT32, (double)values[k])
FMI3_SET(fmi3SetInt64, fmi3Int64, FMI3_INT64, (double)values[k] - 1.0)
FMI3_SET(fmi3SetBoolean, fmi3Boolean, FMI3_BOOLEAN, values[k] ? 1.0 : 0.0)
