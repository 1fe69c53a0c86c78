/* Instances of an FMU with damaged resources, by the FMI 3.0 functions. */

#include "fmi3_tool.h"

#include "fuzz.h"

#include "damage.h"

enum { ROOM = 256 };

static Fmi3 f;

static void listen(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
    (void)environment, (void)status, (void)category;
    snprintf(watched_message, sizeof watched_message, "%s", message);
}

/* Set and get every variable as each type, with sizes that fit sometimes. */
static void touch(fmi3Instance c, Random* r) {
    static fmi3Float64 reals[ROOM];
    static fmi3Int32 integers[ROOM];
    static fmi3Int64 items[ROOM];
    static fmi3Boolean booleans[ROOM];
    fmi3UInt64 size = random_below(r, 5);
    fmi3Clock clock;
    unsigned i;
    for (i = 0; i < ROOM; i++) reals[i] = some_number(r);
    for (i = 0; i < ROOM; i++) {
        const size_t n = random_chance(r, 2) ? 1 : random_below(r, ROOM);
        f.SetUInt64(c, &i, 1, &size, 1);
        f.SetFloat64(c, &i, 1, reals, n);
        f.GetFloat64(c, &i, 1, reals, n);
        f.GetInt32(c, &i, 1, integers, n);
        f.GetInt64(c, &i, 1, items, n);
        f.GetBoolean(c, &i, 1, booleans, n);
        f.GetUInt64(c, &i, 1, &size, 1);
        f.GetClock(c, &i, 1, &clock);
    }
}

/* All that a tool does with an instance, whatever comes of it. */
static void go_through(fmi3Instance c, double step, Random* r) {
    fmi3FMUState state = NULL;
    fmi3Boolean event, ends, early;
    fmi3Float64 reached;
    int k;
    if (f.EnterConfigurationMode(c) == fmi3OK) {
        touch(c, r);
        f.ExitConfigurationMode(c);
    }
    f.EnterInitializationMode(c, fmi3False, 0.0, 0.0, fmi3False, 0.0);
    touch(c, r);
    f.ExitInitializationMode(c);
    for (k = 0; k < 4; k++) {
        if (k == 2) f.GetFMUState(c, &state);
        f.DoStep(c, k * step, step, fmi3True, &event, &ends, &early, &reached);
    }
    touch(c, r);
    if (state) f.SetFMUState(c, state);
    f.FreeFMUState(c, &state);
    f.Reset(c);
}

static int live(const char* token, const char* place, double step, int run, Random* r) {
    char folder[4096];
    fmi3Instance c;
    snprintf(folder, sizeof folder, "%s/", place);
    c = f.InstantiateCoSimulation(
        "damaged", token, folder, fmi3False, fmi3False, fmi3False, fmi3False, NULL, 0, NULL, listen, NULL);
    if (c == NULL) return 0;
    if (run) go_through(c, step, r);
    f.FreeInstance(c);
    return 1;
}

int main(int argc, char** argv) {
    if (argc > 1) fmi3_open(&f, argv[1]);
    return damage_rounds(argc, argv, live);
}
