/* FMI 3.0 front door: what an instance knows of its importing tool, messages, and the parts. Part of keelblocks.c.

   Which function may be called in which state follows sections 2.3, 3.2 and 4.2 of the FMI 3.0 specification. Beyond it,
   inputs and tunable parameters may also be set in step mode where event mode is used: they act from there. */

#include "fmi3Functions.h"

typedef struct FrontDoor3 {
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log_message;
    fmi3IntermediateUpdateCallback intermediate_update;     /* or NULL */
    int event_mode;                     /* the importing tool handles events */
    int early_return;                   /* and steps that end early */
    int may_set;                        /* in intermediate update mode: inputs may be set */
    unsigned char required[];           /* for every variable: 1 if it may be accessed in intermediate update mode */
} FrontDoor3;

enum {                                  /* in which states … */
    FMI3_ANYTIME = INSTANCE_ANY & ~INSTANCE_INTERMEDIATE,   /* but not from within a step */
    FMI3_BEFORE_VALUES = INSTANCE_INSTANTIATED | INSTANCE_CONFIGURATION,    /* start values only */
    FMI3_RUNNING = INSTANCE_STEP_COMPLETE | INSTANCE_EVENT | INSTANCE_CONTINUOUS
};

#define REQUIRE3(function, states) REQUIRE_STATE(fmi3Status, function, states)
#define REQUIRE3_POINTER(function, pointer) REQUIRE_ARGUMENT(fmi3Status, function, pointer)

/* Return unless the instance is for this interface. */
#define REQUIRE3_INTERFACE(function, wanted) \
    do { \
        if (m->interface != (wanted)) return (fmi3Status)fmi3_refuse_interface(m, function); \
    } while (0)

static int fmi3_refuse_interface(Instance* m, const char* function) {
    const int exchange = m->interface == INTERFACE_MODEL_EXCHANGE;
    return instance_say(m, INSTANCE_FAILED, "%s is for %s; this instance is for %s", function,
        exchange ? "co-simulation" : "model exchange", exchange ? "model exchange" : "co-simulation");
}

static inline FrontDoor3* fmi3_door(const Instance* m) {
    return (FrontDoor3*)m->front_door;
}

static void fmi3_write_log(Instance* m, int status, const char* category, const char* text) {
    const FrontDoor3* door = fmi3_door(m);
    if (door->log_message) door->log_message(door->environment, (fmi3Status)status, category, text);
}

const char* fmi3GetVersion(void) {
    return fmi3Version;
}

fmi3Status fmi3SetDebugLogging(
    fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories, const fmi3String categories[]
) {
    Instance* m = (Instance*)instance;
    REQUIRE3("fmi3SetDebugLogging", INSTANCE_ANY);
    return (fmi3Status)instance_set_logging(m, "fmi3SetDebugLogging", loggingOn, nCategories, categories);
}

#include "fmi3_arrays.c"
#include "fmi3_life.c"
#include "fmi3_values.c"
#include "fmi3_sizes.c"
#include "fmi3_states.c"
#include "fmi3_events.c"
#include "fmi3_steps.c"
#include "fmi3_model_exchange.c"
#include "fmi3_derivatives.c"
#include "fmi3_dependencies.c"
#include "fmi3_not_offered.c"
