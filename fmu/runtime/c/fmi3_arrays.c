/* FMI 3.0: variables are rows of the table `arrays`; what is said where one does not fit. Part of fmi3.c. */

enum {                                  /* of a kind, what decides the type that FMI 3 gives a variable */
    FMI3_TYPES = KIND_TYPES | KIND_ENUMERATION | KIND_SIZE | KIND_CLOCK,
    FMI3_FLOAT64 = KIND_REAL,
    FMI3_INT32 = KIND_INTEGER,
    FMI3_INT64 = KIND_INTEGER | KIND_ENUMERATION,
    FMI3_UINT64 = KIND_INTEGER | KIND_SIZE,
    FMI3_BOOLEAN = KIND_BOOLEAN,
    FMI3_CLOCK = KIND_CLOCK
};

static const char* fmi3_type_name(int kind) {
    switch (kind & FMI3_TYPES) {
        case FMI3_FLOAT64: return "Float64";
        case FMI3_INT32: return "Int32";
        case FMI3_INT64: return "Enumeration (Int64)";
        case FMI3_UINT64: return "UInt64";
        case FMI3_BOOLEAN: return "Boolean";
        default: return "Clock";
    }
}

/* The row of a variable if it is of this type, else NULL. */
static inline const int* fmi3_array(const Instance* m, fmi3ValueReference reference, int type) {
    const int* a = m->variables.arrays + (size_t)reference * ARRAY_FIELDS;
    return reference < (unsigned int)m->variables.header.arrays && (a[ARRAY_KIND] & FMI3_TYPES) == type ? a : NULL;
}

static const char* fmi3_name(const Instance* m, fmi3ValueReference reference) {
    return m->variables.strings + m->variables.arrays[(size_t)reference * ARRAY_FIELDS + ARRAY_NAME];
}

/* "course", or "eta, element 3", for messages. */
static void fmi3_element_name(const Instance* m, fmi3ValueReference reference, long long element, char* text, size_t room) {
    const int* a = m->variables.arrays + (size_t)reference * ARRAY_FIELDS;
    if (a[ARRAY_WIDTH] == 1) snprintf(text, room, "%s", fmi3_name(m, reference));
    else snprintf(text, room, "%s, element %lld,", fmi3_name(m, reference), element + 1);
}

/* Say that there is no such variable, or that it is of another type. */
static int fmi3_refuse_type(Instance* m, const char* function, fmi3ValueReference reference, const char* type) {
    if (reference >= (unsigned int)m->variables.header.arrays)
        return instance_say(m, INSTANCE_FAILED, "%s: there is no variable with value reference %u",
            function, (unsigned int)reference);
    return instance_say(m, INSTANCE_FAILED, "%s: %s is not of type %s but of type %s", function,
        fmi3_name(m, reference), type, fmi3_type_name(m->variables.arrays[(size_t)reference * ARRAY_FIELDS + ARRAY_KIND]));
}

/* Say that the number of values (`argument`) is not that of the elements of these variables, which all exist. */
static int fmi3_refuse_count(
    Instance* m, const char* function, const fmi3ValueReference references[], size_t n, const char* argument, size_t given
) {
    long long total = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        if (references[i] >= (unsigned int)m->variables.header.arrays)
            return fmi3_refuse_type(m, function, references[i], "");
        total += variables_count(&m->variables, m->plan, references[i]);
    }
    if (n == 1)
        return instance_say(m, INSTANCE_FAILED, "%s: %s has %lld elements, but %s is %lu",
            function, fmi3_name(m, references[0]), total, argument, (unsigned long)given);
    return instance_say(m, INSTANCE_FAILED, "%s: the %lu variables have %lld elements together, but %s is %lu",
        function, (unsigned long)n, total, argument, (unsigned long)given);
}

/* Whether a value lies within the limits of a variable. */
static inline int fmi3_within(const Instance* m, const int* a, double value) {
    return !(a[ARRAY_KIND] & KIND_LIMITED)
        || limits_hold(m->variables.limits + 2 * (size_t)a[ARRAY_LIMITS], a[ARRAY_KIND], value);
}

/* Say that a value lies outside of the limits of a variable. */
static int fmi3_refuse_value(
    Instance* m, const char* function, fmi3ValueReference reference, long long element, double value
) {
    const int* a = m->variables.arrays + (size_t)reference * ARRAY_FIELDS;
    char name[512], limits[96];
    fmi3_element_name(m, reference, element, name, sizeof name);
    if (!isfinite(value))
        return instance_say(m, INSTANCE_DISCARD, "%s: %s must be a finite number, not %g", function, name, value);
    limits_text(m->variables.limits + 2 * (size_t)a[ARRAY_LIMITS], a[ARRAY_KIND], limits, sizeof limits);
    return instance_say(m, INSTANCE_DISCARD, "%s: %s must be %s, not %.9g", function, name, limits, value);
}
