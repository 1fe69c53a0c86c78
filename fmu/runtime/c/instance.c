/* One instance of an FMU: a plan, the state machine around it, its messages and its saved states.

   Everything that the front doors (fmi2.c, fmi3.c) share. Nothing here is global but what the processor can do. */

#include <limits.h>
#include <math.h>
#include <stdarg.h>

#include "libraries.h"

enum {                                  /* the states of an instance, as the standard names them */
    INSTANCE_INSTANTIATED = 1,
    INSTANCE_INITIALIZATION = 2,
    INSTANCE_STEP_COMPLETE = 4,
    INSTANCE_STEP_FAILED = 8,
    INSTANCE_TERMINATED = 16,
    INSTANCE_ERROR = 32,
    INSTANCE_CONFIGURATION = 64,        /* FMI 3: sizes may be changed */
    INSTANCE_EVENT = 128,
    INSTANCE_CONTINUOUS = 256,          /* model exchange: the importing tool integrates */
    INSTANCE_INTERMEDIATE = 512,        /* FMI 3: within a step, in a call back to the importing tool */
    INSTANCE_ANY = 1023,
    INSTANCE_BEFORE_START = INSTANCE_INSTANTIATED | INSTANCE_INITIALIZATION,
    INSTANCE_READABLE = INSTANCE_ANY & ~(INSTANCE_INSTANTIATED | INSTANCE_CONFIGURATION),
    INSTANCE_DIFFERENTIABLE = INSTANCE_READABLE & ~(INSTANCE_INTERMEDIATE | INSTANCE_ERROR),
    INSTANCE_SETTABLE = INSTANCE_BEFORE_START | INSTANCE_STEP_COMPLETE | INSTANCE_EVENT | INSTANCE_CONTINUOUS
        | INSTANCE_INTERMEDIATE
};

enum { INTERFACE_CO_SIMULATION = 0, INTERFACE_MODEL_EXCHANGE = 1 };

enum { INSTANCE_OK = 0, INSTANCE_WARNING = 1, INSTANCE_DISCARD = 2, INSTANCE_FAILED = 3 };     /* as in FMI 2 and 3 */

enum { LOG_EVENTS = 1, LOG_WARNING = 2, LOG_DISCARD = 4, LOG_ERROR = 8, LOG_PROBLEMS = 14, LOG_ALL = 15 };

/* How far a communication point may be from a point of the solver's grid, in steps, and still be that point; and how
   far from where the instance stands. Tools that add up step sizes drift by rounding. */
#define INSTANCE_GRID_TOLERANCE 1e-4
#define INSTANCE_TIME_TOLERANCE 1e-3
#define INSTANCE_STEPS_LIMIT 1e9        /* of the solver in one communication step: more would take minutes */

typedef struct Experiment {
    double start;
    double stop;
    double relative_tolerance;
    double absolute_tolerance;
    int stop_defined;
    int reserved;
} Experiment;

typedef struct Instance Instance;

struct Instance {
    double* values;                     /* of the plan; a value reference is a place in it */
    const unsigned short* kinds;        /* of every value: KIND_… */
    Plan* plan;
    unsigned int count;                 /* of values that can be variables */
    int state;                          /* INSTANCE_… */
    int interface;                      /* INTERFACE_… */
    int restart;                        /* the initial state has to be computed (again) */
    int held;                           /* model exchange: outputs and derivatives are those of this time and state */
    int series_set;                     /* derivatives of inputs are given for the next step */
    int stopped;                        /* the model wants to end the simulation */
    int updated;                        /* event mode: discrete states were updated, clocks no longer tick */
    int tried;                          /* model exchange: the states are those of a point that the importing tool tries */
    int log;                            /* LOG_…: which categories are wanted */
    Experiment experiment;
    Variables variables;
    Resource plan_file;
    Resource variables_file;
    Libraries libraries;
    void* plan_memory;
    unsigned short* kinds_memory;
    double* series;                     /* of every external input its value and derivatives: see input_series.c */
    double* backup;                     /* room for all values: see derivatives.c */
    char* name;
    ResourceAllocate allocate;
    ResourceRelease release;
    void* front_door;                   /* whatever `write_log` needs */
    void (*write_log)(Instance* m, int status, const char* category, const char* text);
};

static const char instance_categories[4][20] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"};

/* What is rare stands out of the way of what runs at every step. */
static int instance_say(Instance* m, int status, const char* format, ...) KB_FAR;
static int instance_refuse_call(Instance* m, const char* function) KB_FAR;

/* Send a message to the importing tool if its category is wanted; returns `status`. */
static int instance_say(Instance* m, int status, const char* format, ...) {
    const int index = status <= INSTANCE_FAILED ? status : INSTANCE_FAILED;
    char text[1024];
    va_list arguments;
    if (m->log & (1 << index)) {
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        m->write_log(m, status, instance_categories[index], text);
    }
    return status;
}

static const char* instance_state_name(int state) {
    switch (state) {
        case INSTANCE_INSTANTIATED: return "instantiated";
        case INSTANCE_CONFIGURATION: return "in configuration mode";
        case INSTANCE_INITIALIZATION: return "in initialization mode";
        case INSTANCE_STEP_COMPLETE: return "initialized (step complete)";
        case INSTANCE_STEP_FAILED: return "stopped within a step (step failed)";
        case INSTANCE_EVENT: return "in event mode";
        case INSTANCE_CONTINUOUS: return "in continuous-time mode";
        case INSTANCE_INTERMEDIATE: return "within a step (intermediate update mode)";
        case INSTANCE_TERMINATED: return "terminated";
        default: return "in error: reset it, free it or set a saved state";
    }
}

/* Say that a function may not be called in the present state. */
static int instance_refuse_call(Instance* m, const char* function) {
    return instance_say(m, INSTANCE_FAILED, "%s is not allowed now: the instance is %s",
        function, instance_state_name(m->state));
}

#include "libraries.c"

/* --- life ---------------------------------------------------------------------------------------------------------- */

static const char* instance_plan_problem(int status) {
    switch (status) {
        case STATUS_OTHER_VERSION: return "it was written by another version of Keelblocks than this binary";
        case STATUS_NOT_A_PLAN:         /* its first bytes are right, so it is too short to be one */
        case STATUS_TRUNCATED: return "the file is truncated";
        case STATUS_OTHER_STATE: return "this binary was compiled for another plan: both are of one FMU";
        case STATUS_UNKNOWN_KERNEL: return "it needs a kernel that this binary does not have";
        default: return "the file is damaged";
    }
}

/* Make the plan as it was exported. The status of the engine. */
static int instance_open_plan(Instance* m) {
    int status;
    if (m->plan_memory == NULL) {
        size_t size = plan_memory(m->plan_file.bytes, m->plan_file.size, &status);
        if (status != STATUS_END) return status;
        m->plan_memory = m->allocate(size, 1);
        if (m->plan_memory == NULL) return STATUS_PAUSED;
    }
    status = plan_open_among(m->plan_memory, m->plan_file.bytes, m->plan_file.size, libraries_find, m, &m->plan);
    if (status == STATUS_END) {
        m->values = m->plan->values;
        m->count = (unsigned int)(m->plan->scratch - m->plan->values);
        m->experiment.start = m->plan->header.start;
        m->experiment.stop = 0.0;
        m->experiment.stop_defined = 0;
        m->experiment.relative_tolerance = m->plan->header.relative_tolerance;
        m->experiment.absolute_tolerance = m->plan->header.absolute_tolerance;
        m->state = INSTANCE_INSTANTIATED;
        m->restart = 1;
        m->held = 0;
        m->series_set = 0;
        m->stopped = 0;
        m->updated = 0;
        m->tried = 0;
    }
    return status;
}

/* False, after a message that names the file and the reason, if the resources cannot be used. */
static int instance_load(Instance* m, const char* location) {
    const char* problem;
    int status;
    m->plan_file = resource_load(location, "plan.bin", "KEELPLAN", m->allocate);
    if (m->plan_file.problem == NULL)
        m->variables_file = resource_load(location, "variables.bin", "KEELVARS", m->allocate);
    if (m->plan_file.problem || m->variables_file.problem) {
        char text[1024];
        resource_describe(m->plan_file.problem ? &m->plan_file : &m->variables_file, location, text, sizeof text);
        instance_say(m, INSTANCE_FAILED, "%s", text);
        return 0;
    }
    (void)kb_choose_path(2);        /* the widest vectors that this processor has */
    status = instance_open_plan(m);
    if (status != STATUS_END) {
        problem = status == STATUS_PAUSED ? "there is not enough memory to run it"
            : *m->libraries.problem ? m->libraries.problem : instance_plan_problem(status);
        instance_say(m, INSTANCE_FAILED, "cannot use '%s': %s", m->plan_file.path, problem);
        return 0;
    }
    problem = variables_open(&m->variables, m->variables_file.bytes, m->variables_file.size, m->plan);
    if (problem) {
        instance_say(m, INSTANCE_FAILED, "cannot use '%s': %s", m->variables_file.path, problem);
        return 0;
    }
    m->kinds_memory = (unsigned short*)m->allocate((size_t)m->count + 1, sizeof(unsigned short));
    if (m->kinds_memory == NULL) {
        instance_say(m, INSTANCE_FAILED, "cannot use '%s': there is not enough memory", m->variables_file.path);
        return 0;
    }
    memset(m->kinds_memory, 0, ((size_t)m->count + 1) * sizeof(unsigned short));
    variables_fill_kinds(&m->variables, m->kinds_memory);
    m->kinds = m->kinds_memory;
    return 1;
}

/* Room for all values, kept until the instance is freed; NULL, after a message, if there is none. */
static double* instance_backup(Instance* m, const char* function) {
    if (m->backup == NULL) m->backup = (double*)m->allocate((size_t)m->count + 1, sizeof(double));
    if (m->backup == NULL) instance_say(m, INSTANCE_FAILED, "%s: there is not enough memory", function);
    return m->backup;
}

static void instance_free(Instance* m) {
    const ResourceRelease release = m->release;
    libraries_close(&m->libraries);
    resource_free(&m->plan_file, release);
    resource_free(&m->variables_file, release);
    if (m->plan_memory) release(m->plan_memory);
    if (m->kinds_memory) release(m->kinds_memory);
    if (m->series) release(m->series);
    if (m->backup) release(m->backup);
    if (m->name) release(m->name);
    if (m->front_door) release(m->front_door);
    release(m);
}

/* An instance without a model, with which messages can be written; NULL if there is no memory. */
static Instance* instance_new(const char* name, ResourceAllocate allocate, ResourceRelease release) {
    Instance* m = (Instance*)allocate(1, sizeof(Instance));
    if (m == NULL) return NULL;
    memset(m, 0, sizeof(Instance));
    m->allocate = allocate;
    m->release = release;
    m->log = LOG_PROBLEMS;
    m->name = (char*)allocate(strlen(name) + 1, 1);
    if (m->name == NULL) {
        release(m);
        return NULL;
    }
    strcpy(m->name, name);
    return m;
}

#include "failure.c"

/* --- values -------------------------------------------------------------------------------------------------------- */

/* A point that the importing tool tries is none at which the model can be evaluated; it may try another. */
static int instance_discard(Instance* m, const char* function, int status) {
    forget_faults(m->plan);
    m->held = 0;
    return instance_say(m, INSTANCE_DISCARD, "%s: the model cannot be evaluated at t = %.9g s: %s", function,
        m->plan->clock.t, status == STATUS_FAULT
            ? variables_fault(&m->variables, m->plan->failure.block, m->plan->failure.fault)
            : "a number is not finite");
}

/* Compute what depends on values that were set. */
static int instance_refresh(Instance* m, const char* function) {
    int status;
    if (m->restart) {
        status = plan_start(m->plan, m->experiment.start);
        m->restart = 0;
    } else if (m->state == INSTANCE_CONTINUOUS) {
        if (m->held && !m->plan->dirty) return INSTANCE_OK;
        status = held_evaluation(m->plan);
        if (status != STATUS_END) return instance_discard(m, function, status);
        m->plan->dirty = 0;
        m->held = 1;
        return INSTANCE_OK;
    } else {
        status = plan_refresh(m->plan);
        if (status != STATUS_END && m->tried) return instance_discard(m, function, status);
    }
    return status == STATUS_END ? INSTANCE_OK : instance_fail(m, status);
}

/* True if values are those of the present inputs and parameters. */
static inline int instance_is_current(const Instance* m) {
    return m->state == INSTANCE_STEP_COMPLETE && !(m->plan->dirty | m->plan->stale);
}

/* Make values ready to be read in a state in which they may be. After a failure they stay what they are. */
static int instance_make_current(Instance* m, const char* function) {
    return m->state == INSTANCE_ERROR ? INSTANCE_OK : instance_refresh(m, function);
}

/* Make derivatives ready to be read, where values are current. */
static inline void instance_make_derivatives(Instance* m) {
    unsigned long long found;
    if (m->state & (INSTANCE_ERROR | INSTANCE_CONTINUOUS)) return;
    found = kb_take_ieee_arithmetic();
    find_derivatives(m->plan);
    forget_faults(m->plan);
    kb_put_arithmetic_back(found);
}

static int instance_unknown(Instance* m, const char* function, unsigned int reference, const char* type) {
    char name[512];
    if (reference >= m->count || m->kinds[reference] == 0)
        return instance_say(m, INSTANCE_FAILED, "%s: there is no variable with value reference %u", function, reference);
    variables_name(&m->variables, reference, NULL, name, sizeof name);
    return instance_say(m, INSTANCE_FAILED, "%s: %s is not a variable of type %s", function, name, type);
}

/* A value that was read is not finite: find out whose it is. */
static int instance_read_not_finite(Instance* m, const char* function, unsigned int reference) {
    char name[512];
    if (m->state == INSTANCE_ERROR) return INSTANCE_OK;     /* values are for debugging only */
    if (m->state == INSTANCE_INITIALIZATION) {              /* inputs may still be set: tools read before they connect */
        variables_name(&m->variables, reference, NULL, name, sizeof name);
        instance_say(m, INSTANCE_WARNING, "%s: %s is not a finite number with the present inputs", function, name);
        return INSTANCE_OK;
    }
    m->plan->failure.t = m->plan->clock.t;
    variables_name(&m->variables, reference, NULL, name, sizeof name);
    if (!m->tried) {
        if (spoilt_signals(m->plan)) return instance_fail(m, STATUS_NOT_FINITE);
        m->state = INSTANCE_ERROR;
    }
    return instance_say(m, m->tried ? INSTANCE_DISCARD : INSTANCE_FAILED, "%s: %s is not a finite number at t = %.9g s",
        function, name, m->plan->clock.t);
}

/* Which kinds of variables may be set now. In model exchange continuous states one by one, too: FMI 3.0.2 says so of event
   and continuous-time mode, and so does the mathematical description of FMI 2.0 (section 3.1), while its state machine
   names inputs only. Ours are never reinitialized by the FMU. */
static inline int instance_settable(const Instance* m) {
    const int states = m->interface == INTERFACE_MODEL_EXCHANGE ? KIND_STATE : 0;
    if (m->state & (INSTANCE_STEP_COMPLETE | INSTANCE_EVENT)) return KIND_INPUT | KIND_TUNABLE | states;
    return m->state & INSTANCE_BEFORE_START ? KIND_INPUT | KIND_TUNABLE | KIND_FIXED : KIND_INPUT | states;
}

/* Time or continuous states are others: what depends on them has to be computed again. */
static inline void instance_moved(Instance* m) {
    m->held = 0;
    m->plan->fresh_derivatives = 0;
    m->plan->clock.evaluated = 0;
}

/* The importing tool sets continuous states, perhaps those of a point that its solver only tries: where the model has no
   values there, it may go on from another. */
static inline void instance_placed(Instance* m) {
    instance_moved(m);
    m->tried = 1;
}

/* A text of 15 digits gives a number back to within this part of it. */
#define INSTANCE_SAME_NUMBER 1e-14

/* True if a value is the one that a parameter has: setting it is no change, and allowed at any time. */
static inline int instance_holds(double held, double value) {
    return fabs(value - held) <= INSTANCE_SAME_NUMBER * fabs(held);
}

/* Say why a variable cannot be set to a value, or INSTANCE_OK if it is a parameter that has this value. */
static int instance_refuse(Instance* m, const char* function, unsigned int reference, const char* type, double value) {
    char name[512], limits[96];
    int kind;
    if (reference >= m->count || !(m->kinds[reference] & KIND_TYPES)) return instance_unknown(m, function, reference, type);
    kind = m->kinds[reference];
    if (kind & KIND_PARAMETER && instance_holds(m->values[reference], value)) return INSTANCE_OK;
    variables_name(&m->variables, reference, NULL, name, sizeof name);
    if (!(kind & (KIND_INPUT | KIND_PARAMETER | instance_settable(m))))
        return instance_say(m, INSTANCE_FAILED, "%s: %s cannot be set: it is neither an input nor a parameter", function, name);
    if (!(kind & instance_settable(m)))
        return instance_say(m, INSTANCE_FAILED, kind & KIND_FIXED
            ? "%s: %s is a fixed parameter and cannot be set after initialization"
            : "%s: %s is a parameter and can be set at events and between steps only", function, name);
    if (!isfinite(value))
        return instance_say(m, INSTANCE_DISCARD, "%s: %s must be a finite number, not %g", function, name, value);
    if (!variables_within(&m->variables, reference, value)) {
        variables_limits_text(&m->variables, reference, limits, sizeof limits);
        return instance_say(m, INSTANCE_DISCARD, "%s: %s must be %s, not %.9g", function, name, limits, value);
    }
    return instance_unknown(m, function, reference, type);
}

/* Take note that variables of these kinds were set. */
static inline void instance_was_set(Instance* m, int kinds) {
    if (kinds & KIND_INPUT) m->plan->dirty = 1;
    if (kinds & KIND_PARAMETER) m->plan->stale = 1;
    if (kinds & KIND_STATE && !(m->state & INSTANCE_BEFORE_START)) instance_placed(m);
    if (m->state & INSTANCE_BEFORE_START) m->restart = 1;
}

#include "input_series.c"
#include "steps.c"
#include "saved_state.c"
