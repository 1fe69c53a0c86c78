/* FMI 2.0: getting and setting variables. Part of fmi2.c. */

/* Get and set functions for a type: which kind of variables they serve, how a stored number becomes a value and back. */

#define GET(function, Type, type_name, kind_wanted, from_stored) \
    fmi2Status function(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, Type value[]) { \
        Instance* m = (Instance*)c; \
        double total = 0.0; \
        size_t i; \
        REQUIRE(#function, INSTANCE_READABLE); \
        if (nvr == 0) return fmi2OK; \
        REQUIRE_POINTER(#function, vr); \
        REQUIRE_POINTER(#function, value); \
        if (!instance_is_current(m)) { \
            const int status = instance_make_current(m, #function); \
            if (status != INSTANCE_OK) return (fmi2Status)status; \
        } \
        for (i = 0; i < nvr; i++) { \
            double stored; \
            int kind; \
            if (vr[i] >= m->count || !((kind = m->kinds[vr[i]]) & (kind_wanted))) \
                return (fmi2Status)instance_unknown(m, #function, vr[i], type_name); \
            if (kind & KIND_DERIVATIVE) instance_make_derivatives(m); \
            stored = m->values[vr[i]]; \
            total += stored * 0.0; \
            value[i] = from_stored; \
        } \
        if (total == 0.0) return fmi2OK; \
        for (i = 0; isfinite(m->values[vr[i]]); i++) continue; \
        return (fmi2Status)instance_read_not_finite(m, #function, vr[i]); \
    }

#define SET(function, Type, type_name, kind_wanted, to_stored) \
    fmi2Status function(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const Type value[]) { \
        Instance* m = (Instance*)c; \
        int settable, kinds = 0; \
        size_t i; \
        REQUIRE(#function, INSTANCE_SETTABLE); \
        if (nvr == 0) return fmi2OK; \
        REQUIRE_POINTER(#function, vr); \
        REQUIRE_POINTER(#function, value); \
        settable = instance_settable(m); \
        for (i = 0; i < nvr; i++) {     /* all are checked before any is set */ \
            const int kind = vr[i] < m->count ? m->kinds[vr[i]] : 0; \
            const double stored = to_stored; \
            if (!(kind & (kind_wanted))) return (fmi2Status)instance_unknown(m, #function, vr[i], type_name); \
            if (!(kind & settable) || !isfinite(stored) \
                || (kind & KIND_LIMITED && !variables_within(&m->variables, vr[i], stored))) { \
                const int refused = instance_refuse(m, #function, vr[i], type_name, stored); \
                if (refused != INSTANCE_OK) return (fmi2Status)refused; \
            } else kinds |= kind; \
        } \
        for (i = 0; i < nvr; i++) { \
            const int kind = m->kinds[vr[i]]; \
            const double stored = to_stored; \
            if (kind & settable && !(kind & KIND_LIMITED && !variables_within(&m->variables, vr[i], stored))) \
                m->values[vr[i]] = stored; \
        } \
        instance_was_set(m, kinds); \
        return fmi2OK; \
    }

#define IS_ENUMERATION ((kind & KIND_ENUMERATION) != 0)

GET(fmi2GetReal, fmi2Real, "Real", KIND_REAL, stored)
GET(fmi2GetInteger, fmi2Integer, "Integer", KIND_INTEGER, (fmi2Integer)(stored + IS_ENUMERATION))
GET(fmi2GetBoolean, fmi2Boolean, "Boolean", KIND_BOOLEAN, stored != 0.0 ? fmi2True : fmi2False)

SET(fmi2SetReal, fmi2Real, "Real", KIND_REAL, value[i])
SET(fmi2SetInteger, fmi2Integer, "Integer", KIND_INTEGER, (double)value[i] - IS_ENUMERATION)
SET(fmi2SetBoolean, fmi2Boolean, "Boolean", KIND_BOOLEAN, value[i] ? 1.0 : 0.0)

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2String value[]) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2GetString", INSTANCE_READABLE);
    (void)value;
    if (nvr == 0) return fmi2OK;
    REQUIRE_POINTER("fmi2GetString", vr);
    return (fmi2Status)instance_unknown(m, "fmi2GetString", vr[0], "String");
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2String value[]) {
    Instance* m = (Instance*)c;
    REQUIRE("fmi2SetString", INSTANCE_SETTABLE);
    (void)value;
    if (nvr == 0) return fmi2OK;
    REQUIRE_POINTER("fmi2SetString", vr);
    return (fmi2Status)instance_unknown(m, "fmi2SetString", vr[0], "String");
}
