/* An FMU of FMI 3.0 as a component of WebAssembly: what FMI-LS-WASM (draft, commit 77277f4c of modelica/fmi-ls-wasm) asks
   for, over the functions of FMI. The component around this module is written by fmu/runtime/webassembly/component.py,
   which takes the functions by their names here; both interfaces share those that they have in common. Which of them an FMU
   has, COMPONENT_CO_SIMULATION and COMPONENT_MODEL_EXCHANGE say.

   Arguments are flattened as the canonical ABI of the component model has it: a list or a text is an address and a count,
   an option a flag and a value. A result that is more than one number is the address of an Area. What the host puts into
   memory, and what is answered, lives until the end of the call, which `post` tells. The model is compiled in. */

#include "fmu.c"

#include <stdint.h>

#define EXPORTED(name) __attribute__((export_name(name)))
#define IMPORTED(name) __attribute__((import_module("host"), import_name(name)))

IMPORTED("log-message") void host_log_message(
    const char* instance, size_t instance_size, int status, const char* category, size_t category_size, const char* text,
    size_t text_size);
#ifdef COMPONENT_CO_SIMULATION
IMPORTED("new-co-simulation") int host_new_co_simulation(void* instance);
#endif
#ifdef COMPONENT_MODEL_EXCHANGE
IMPORTED("new-model-exchange") int host_new_model_exchange(void* instance);
#endif

typedef struct Area {                   /* an answer: 0 and what is wanted, or 1 and a status; or whether there is one */
    union {
        unsigned char is;
        double aligned;
    } first;
    union {
        double numbers[2];
        uint64_t count;
        unsigned char bytes[16];
    } then;
} Area;

/* A list in an answer stands behind the first four bytes, on 32 bits. */
typedef struct ListArea {
    unsigned char is;
    union {
        unsigned char status;
        struct {
            const void* items;
            size_t count;
        } list;
    } then;
} ListArea;

/* --- memory of a call ------------------------------------------------------------------------------------------------ */

typedef struct Piece {
    struct Piece* next;
    double aligned;
} Piece;

static Piece* pieces;                   /* of the present call */
static Area area;
static ListArea list_area;

/* Room until the call ends. There is no way to refuse: the host must not go on. */
static void* room(size_t size) {
    Piece* piece = (Piece*)malloc(sizeof(Piece) + (size ? size : 1));
    if (piece == NULL) __builtin_trap();
    piece->next = pieces;
    pieces = piece;
    return piece + 1;
}

EXPORTED("realloc") void* host_room(void* old, size_t old_size, size_t alignment, size_t size) {
    void* made = room(size);
    (void)alignment;
    if (old_size) memcpy(made, old, old_size < size ? old_size : size);
    return made;
}

EXPORTED("post") void end_of_call(int answer) {
    (void)answer;
    while (pieces != NULL) {
        Piece* next = pieces->next;
        free(pieces);
        pieces = next;
    }
}

static const char* text_of(const char* text, size_t size) {
    char* made = (char*)room(size + 1);
    memcpy(made, text, size);
    made[size] = 0;
    return made;
}

/* --- answers --------------------------------------------------------------------------------------------------------- */

static int is_good(fmi3Status status) {
    return status == fmi3OK || status == fmi3Warning;
}

static const ListArea* answer_list(fmi3Status status, const void* items, size_t count) {
    list_area.is = !is_good(status);
    if (list_area.is) {
        list_area.then.status = (unsigned char)status;
    } else {
        list_area.then.list.items = items;
        list_area.then.list.count = count;
    }
    return &list_area;
}

static const Area* answer_count(fmi3Status status, size_t count) {
    area.first.is = !is_good(status);
    if (area.first.is) area.then.bytes[0] = (unsigned char)status;
    else area.then.count = count;
    return &area;
}

/* --- messages -------------------------------------------------------------------------------------------------------- */

/* How many bytes a character of UTF-8 has here; 0 if it is none, as where a message was cut. */
static size_t character(const unsigned char* at) {
    const size_t size = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : *at >= 0xe0 && *at < 0xf0 ? 3
        : *at >= 0xf0 && *at < 0xf5 ? 4 : 0;
    size_t i;
    for (i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    if ((*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f)) return 0;
    if ((*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] > 0x8f)) return 0;
    return size;
}

/* The host takes nothing but UTF-8, and stops the component otherwise. */
static void make_legal(unsigned char* text) {
    while (*text) {
        const size_t size = character(text);
        if (size == 0) *text = '?';
        text += size ? size : 1;
    }
}

static void log_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
    char* text = (char*)malloc(strlen(message) + 1);
    const char* name = (const char*)environment;
    if (text == NULL) return;
    strcpy(text, message);
    make_legal((unsigned char*)text);
    host_log_message(name, strlen(name), (int)status, category, strlen(category), text, strlen(text));
    free(text);
}

/* The name that messages are sent with: it lives as long as the instance, in front of which it is kept. */
static char* name_to_keep(const char* name, size_t size) {
    char* kept = (char*)malloc(size + 1);
    if (kept == NULL) __builtin_trap();
    memcpy(kept, name, size);
    kept[size] = 0;
    return kept;
}

/* --- life ------------------------------------------------------------------------------------------------------------ */

EXPORTED("get-version") const void* get_version(void) {
    static struct {
        const char* text;
        size_t size;
    } answer;
    answer.text = fmi3GetVersion();
    answer.size = strlen(answer.text);
    return &answer;
}

static const void* answer_instance(void* instance, char* name, int (*made)(void*)) {
    static struct {
        unsigned char is;
        int handle;
    } answer;
    answer.is = instance != NULL;
    if (instance == NULL) free(name);
    else answer.handle = made(instance);
    return &answer;
}

#ifdef COMPONENT_CO_SIMULATION
EXPORTED("instantiate-co-simulation") const void* instantiate_co_simulation(
    const char* name, size_t name_size, const char* token, size_t token_size, int visible, int logging, int events,
    int early, const fmi3ValueReference* required, size_t n_required
) {
    char* kept = name_to_keep(name, name_size);
    void* instance = fmi3InstantiateCoSimulation(
        kept, text_of(token, token_size), "", visible != 0, logging != 0, events != 0, early != 0,
        required, n_required, kept, log_message, NULL);
    return answer_instance(instance, kept, host_new_co_simulation);
}
#endif

#ifdef COMPONENT_MODEL_EXCHANGE
EXPORTED("instantiate-model-exchange") const void* instantiate_model_exchange(
    const char* name, size_t name_size, const char* token, size_t token_size, int visible, int logging
) {
    char* kept = name_to_keep(name, name_size);
    void* instance = fmi3InstantiateModelExchange(
        kept, text_of(token, token_size), "", visible != 0, logging != 0, kept, log_message);
    return answer_instance(instance, kept, host_new_model_exchange);
}
#endif

EXPORTED("drop") void drop_instance(Instance* m) {
    char* kept = (char*)fmi3_door(m)->environment;
    fmi3FreeInstance(m);
    free(kept);
}

EXPORTED("set-debug-logging") int set_debug_logging(Instance* m, int on, const size_t* categories, size_t n) {
    const char** names = (const char**)room(n * sizeof(char*));
    size_t i;
    for (i = 0; i < n; i++) names[i] = text_of((const char*)categories[2 * i], categories[2 * i + 1]);
    return (int)fmi3SetDebugLogging(m, on != 0, n, names);
}

EXPORTED("enter-initialization-mode") int enter_initialization_mode(
    Instance* m, int has_tolerance, double tolerance, double start, int has_stop, double stop
) {
    return (int)fmi3EnterInitializationMode(m, has_tolerance != 0, tolerance, start, has_stop != 0, stop);
}

#define PLAIN(name, function) \
    EXPORTED(name) int plain_##function(Instance* m) { \
        return (int)function(m); \
    }

PLAIN("exit-initialization-mode", fmi3ExitInitializationMode)
PLAIN("enter-event-mode", fmi3EnterEventMode)
PLAIN("terminate", fmi3Terminate)
PLAIN("reset", fmi3Reset)
PLAIN("enter-configuration-mode", fmi3EnterConfigurationMode)
PLAIN("exit-configuration-mode", fmi3ExitConfigurationMode)
PLAIN("evaluate-discrete-states", fmi3EvaluateDiscreteStates)
PLAIN("enter-step-mode", fmi3EnterStepMode)
PLAIN("enter-continuous-time-mode", fmi3EnterContinuousTimeMode)

EXPORTED("update-discrete-states") const Area* update_discrete_states(Instance* m) {
    fmi3Boolean said[5] = {fmi3False, fmi3False, fmi3False, fmi3False, fmi3False};
    double next = 0.0;
    const fmi3Status status = fmi3UpdateDiscreteStates(m, said, said + 1, said + 2, said + 3, said + 4, &next);
    int i;
    answer_count(status, 0);
    if (!is_good(status)) return &area;
    for (i = 0; i < 5; i++) area.then.bytes[i] = said[i];
    area.then.numbers[1] = next;
    return &area;
}

EXPORTED("do-step") const void* do_step(Instance* m, double point, double size, int no_state_before) {
    static struct {
        unsigned char is;
        union {
            unsigned char status;
            struct {
                double time;
                unsigned char event, terminate, early;
            } done;
        } then;
    } answer;
    fmi3Boolean event = fmi3False, terminate = fmi3False, early = fmi3False;
    double time = point;
    const fmi3Status status = fmi3DoStep(m, point, size, no_state_before != 0, &event, &terminate, &early, &time);
    answer.is = !is_good(status);
    if (answer.is) {
        answer.then.status = (unsigned char)status;
        return &answer;
    }
    answer.then.done.time = time;
    answer.then.done.event = event;
    answer.then.done.terminate = terminate;
    answer.then.done.early = early;
    return &answer;
}

#include "component_values.c"
