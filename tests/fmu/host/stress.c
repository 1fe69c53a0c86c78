/* Many instances of an FMU: all at once in several threads, and one after the other, ten thousand times.

       stress LIBRARY RESOURCES GUID STEP THREADS INSTANCES CYCLES [OUTPUT ...] [-- INPUT ...]

   THREADS threads make INSTANCES instances each and step them all in turns; each has one of a few sets of inputs, and
   must have the bits that an instance had which ran alone. Then CYCLES instances live and die, at different points of
   their life: memory that the FMU took must not grow by a byte, and that of the process hardly. The exit code is 0, or
   1 after a message on what went wrong. */

#include "fmi2_tool.h"

#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

enum { VARIANTS = 5, STEPS = 15, MOST = 64 };
enum { ENOUGH = 5000, RESIDENT_GROWTH = 1 << 20 };     /* cycles after which a leak shows in the memory of the process */

extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

typedef struct Model {
    Fmi2 f;
    const char* resources;
    const char* guid;
    double step;
    size_t outputs, inputs;
    fmi2ValueReference output[MOST], input[MOST];
    fmi2Real expected[VARIANTS][MOST];
    pthread_barrier_t all_made;
    size_t instances;
} Model;

/* --- one instance -------------------------------------------------------------------------------------------------- */

static void set_inputs(const Model* m, fmi2Component c, int variant, int k) {
    fmi2Real values[MOST];
    size_t i;
    for (i = 0; i < m->inputs; i++) values[i] = 0.5 + 0.1 * variant + 0.03 * (double)i + 0.01 * k;
    if (m->inputs) fmi2_check("fmi2SetReal", m->f.SetReal(c, m->input, m->inputs, values));
}

static fmi2Component make(const Model* m, const fmi2CallbackFunctions* callbacks) {
    fmi2Component c = m->f.Instantiate("one of many", fmi2CoSimulation, m->guid, m->resources, callbacks, fmi2False, fmi2False);
    if (c == NULL) fail("fmi2Instantiate", "no instance");
    return c;
}

static void begin(const Model* m, fmi2Component c, int variant) {
    fmi2_check("fmi2SetupExperiment", m->f.SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0));
    fmi2_check("fmi2EnterInitializationMode", m->f.EnterInitializationMode(c));
    set_inputs(m, c, variant, 0);
    fmi2_check("fmi2ExitInitializationMode", m->f.ExitInitializationMode(c));
}

static void step(const Model* m, fmi2Component c, int variant, int k) {
    set_inputs(m, c, variant, k);
    fmi2_check("fmi2DoStep", m->f.DoStep(c, k * m->step, m->step, fmi2True));
}

static void read_outputs(const Model* m, fmi2Component c, fmi2Real* values) {
    fmi2_check("fmi2GetReal", m->f.GetReal(c, m->output, m->outputs, values));
}

/* --- all at once --------------------------------------------------------------------------------------------------- */

static void* live(void* argument) {
    static const fmi2CallbackFunctions callbacks = {fmi2_print_message, NULL, NULL, NULL, NULL};
    Model* m = argument;
    fmi2Component* all = tool_memory(m->instances, sizeof *all);
    fmi2Real values[MOST];
    size_t i;
    int k;
    for (i = 0; i < m->instances; i++) all[i] = make(m, &callbacks);
    pthread_barrier_wait(&m->all_made);
    for (i = 0; i < m->instances; i++) begin(m, all[i], (int)(i % VARIANTS));
    for (k = 0; k < STEPS; k++)
        for (i = 0; i < m->instances; i++) step(m, all[i], (int)(i % VARIANTS), k);
    for (i = 0; i < m->instances; i++) {
        read_outputs(m, all[i], values);
        if (memcmp(values, m->expected[i % VARIANTS], m->outputs * sizeof *values) != 0)
            fail("threads", "an instance among many has other values than one that ran alone");
        m->f.FreeInstance(all[i]);
    }
    free(all);
    return NULL;
}

static void run_threads(Model* m, unsigned count) {
    pthread_t* threads = tool_memory(count, sizeof *threads);
    unsigned i;
    if (pthread_barrier_init(&m->all_made, NULL, count) != 0) fail("pthread_barrier_init", "refused");
    for (i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, live, m) != 0) fail("pthread_create", "refused");
    for (i = 0; i < count; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&m->all_made);
    free(threads);
}

/* --- one after the other ------------------------------------------------------------------------------------------- */

static long outstanding;                /* memory that the FMU has taken from the callbacks */

static void* count_allocation(size_t count, size_t size) {
    void* memory = calloc(count, size);
    if (memory) outstanding++;
    return memory;
}

static void count_release(void* memory) {
    if (memory) outstanding--;
    free(memory);
}

static void save_and_restore(const Model* m, fmi2Component c) {
    fmi2FMUstate state = NULL, copy = NULL;
    fmi2Byte* bytes;
    size_t size;
    fmi2_check("fmi2GetFMUstate", m->f.GetFMUstate(c, &state));
    fmi2_check("fmi2SerializedFMUstateSize", m->f.SerializedFMUstateSize(c, state, &size));
    bytes = tool_memory(size, 1);
    fmi2_check("fmi2SerializeFMUstate", m->f.SerializeFMUstate(c, state, bytes, size));
    fmi2_check("fmi2DeSerializeFMUstate", m->f.DeSerializeFMUstate(c, bytes, size, &copy));
    fmi2_check("fmi2SetFMUstate", m->f.SetFMUstate(c, copy));
    fmi2_check("fmi2FreeFMUstate", m->f.FreeFMUstate(c, &state));
    fmi2_check("fmi2FreeFMUstate", m->f.FreeFMUstate(c, &copy));
    free(bytes);
}

static void ignore_message(
    fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String message, ...
) {
    (void)environment, (void)name, (void)status, (void)category, (void)message;
}

/* A life that ends after some of its stages. */
static void live_once(const Model* m, long number) {
    const fmi2CallbackFunctions counted = {ignore_message, count_allocation, count_release, NULL, NULL};
    const fmi2CallbackFunctions own = {ignore_message, NULL, NULL, NULL, NULL};
    const fmi2CallbackFunctions* callbacks = number % 2 ? &counted : &own;
    const int stages = (int)(number % 6), variant = (int)(number % VARIANTS);
    fmi2Component c;
    if (stages == 0) {
        if (m->f.Instantiate("refused", fmi2CoSimulation, "{wrong}", m->resources, callbacks, fmi2False, fmi2True))
            fail("fmi2Instantiate", "an instance in spite of a wrong GUID");
        return;
    }
    c = make(m, callbacks);
    if (stages > 1) begin(m, c, variant);
    if (stages > 2) step(m, c, variant, 0);
    if (stages > 3) save_and_restore(m, c);
    if (stages > 4) fmi2_check("fmi2Reset", m->f.Reset(c));
    m->f.FreeInstance(c);
    if (outstanding != 0) fail("cycles", "an instance that was freed has kept memory");
}

/* Bytes that the program has allocated. */
static size_t allocated(void) {
    if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
    return mallinfo2().uordblks;
}

/* Bytes of the process in memory. */
static long resident(void) {
    FILE* file = fopen("/proc/self/statm", "r");
    long all = 0, pages = 0;
    if (file == NULL || fscanf(file, "%ld %ld", &all, &pages) != 2) fail("/proc/self/statm", "cannot be read");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void run_cycles(const Model* m, long count) {
    const long settled = count / 10;
    size_t before = 0;
    long here = 0, number;
    for (number = 0; number < count; number++) {
        if (number == settled) {
            here = resident();
            before = allocated();       /* after the file that was just read has left its trace */
        }
        live_once(m, number);
    }
    if (allocated() != before) {
        fprintf(stderr, "cycles: %lu bytes allocated, %lu before\n", (unsigned long)allocated(), (unsigned long)before);
        exit(1);
    }
    if (count >= ENOUGH && __sanitizer_get_current_allocated_bytes == NULL && resident() - here > RESIDENT_GROWTH) {
        fprintf(stderr, "cycles: %ld bytes in memory, %ld before\n", resident(), here);
        exit(1);
    }
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static void run_alone(Model* m, int variant) {
    static const fmi2CallbackFunctions callbacks = {fmi2_print_message, NULL, NULL, NULL, NULL};
    fmi2Component c = make(m, &callbacks);
    int k;
    begin(m, c, variant);
    for (k = 0; k < STEPS; k++) step(m, c, variant, k);
    read_outputs(m, c, m->expected[variant]);
    m->f.FreeInstance(c);
}

static size_t references(fmi2ValueReference* to, char** from, int n) {
    int i;
    if (n > MOST) fail("usage", "too many variables");
    for (i = 0; i < n; i++) to[i] = (fmi2ValueReference)strtoul(from[i], NULL, 10);
    return n > 0 ? (size_t)n : 0;
}

int main(int argc, char** argv) {
    static Model m;
    int split = 8, variant;
    if (argc < 8) fail("usage", "stress LIBRARY RESOURCES GUID STEP THREADS INSTANCES CYCLES [OUTPUT ...] [-- INPUT ...]");
    fmi2_open(&m.f, argv[1]);
    m.resources = argv[2];
    m.guid = argv[3];
    m.step = strtod(argv[4], NULL);
    m.instances = strtoul(argv[6], NULL, 10);
    while (split < argc && strcmp(argv[split], "--") != 0) split++;
    m.outputs = references(m.output, argv + 8, split - 8);
    m.inputs = references(m.input, argv + split + 1, argc - split - 1);
    for (variant = 0; variant < VARIANTS; variant++) run_alone(&m, variant);
    run_threads(&m, (unsigned)strtoul(argv[5], NULL, 10));
    run_cycles(&m, strtol(argv[7], NULL, 10));
    dlclose(m.f.library);
    return 0;
}
