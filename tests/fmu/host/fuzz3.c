/* Random FMI 3.0 calls, legal and illegal, to instances of an FMU.

       fuzz3 LIBRARY RESOURCES TOKEN VARIABLES STEP SEED ROUNDS FORGE [me]

   For co-simulation, or, with "me", for model exchange. As fuzz2.c. */

#include "fmi3_tool.h"

#include "fuzz.h"

#include "fuzz3.h"

enum { MOST_STATES = 64 };

/* --- events -------------------------------------------------------------------------------------------------------- */

static void enter_event_mode(Fuzz* z, Subject* s) {
    const int allowed = z->exchange ? CONTINUOUS | EVENT : s->events ? STEP | EVENT : 0;
    enter(z, s, "fmi3EnterEventMode", allowed, EVENT, z->f.EnterEventMode(s->c));
}

static void update_discrete_states(Fuzz* z, Subject* s) {
    fmi3Boolean again = fmi3False, ends = fmi3False, nominals = fmi3False, values = fmi3False, defined = fmi3False;
    fmi3Float64 next = 0.0;
    fmi3Boolean* where = random_chance(&z->random, 40) ? NULL : &again;
    const fmi3Status status = judge(z, s, "fmi3UpdateDiscreteStates", EVENT,
        z->f.UpdateDiscreteStates(s->c, where, &ends, &nominals, &values, &defined, &next));
    if (status == fmi3Error && where && s->at == EVENT) s->at = UNKNOWN;
    if (status == fmi3OK && where && defined && !isfinite(next))
        broken("fmi3UpdateDiscreteStates", "announced an event at no time", (int)status);
}

static void evaluate_discrete_states(Fuzz* z, Subject* s) {
    const fmi3Status status = judge(z, s, "fmi3EvaluateDiscreteStates", EVENT | INITIALIZATION, z->f.EvaluateDiscreteStates(s->c));
    if (status == fmi3Error && s->at & (EVENT | INITIALIZATION)) s->at = UNKNOWN;
}

static void leave_event_mode(Fuzz* z, Subject* s) {
    if (z->exchange != random_chance(&z->random, 20))
        enter(z, s, "fmi3EnterContinuousTimeMode", z->exchange ? EVENT : 0, CONTINUOUS, z->f.EnterContinuousTimeMode(s->c));
    else
        enter(z, s, "fmi3EnterStepMode", z->exchange || !s->events ? 0 : EVENT, STEP, z->f.EnterStepMode(s->c));
}

/* --- co-simulation ------------------------------------------------------------------------------------------------- */

static void do_step(Fuzz* z, Subject* s) {
    static const double factors[] = {1.0, 1.0, 0.5, 2.5, 0.01, 40.0, 1e-9};
    static const double impossible[] = {0.0, -1.0, NAN, INFINITY, -INFINITY, 1e12, 1e300};
    Random* r = &z->random;
    const int wrong = random_chance(r, 12), nowhere = random_chance(r, 60);
    const double size = wrong ? impossible[random_below(r, 7)] : z->step * factors[random_below(r, 7)];
    const double t = random_chance(r, 16) ? odd_number(r) : s->t;
    fmi3Boolean event = fmi3False, ends = fmi3False, early = fmi3False;
    fmi3Float64 reached = s->t;
    const fmi3Status status = judge(z, s, "fmi3DoStep", z->exchange ? 0 : STEP,
        z->f.DoStep(s->c, t, size, random_chance(r, 2), nowhere ? NULL : &event, &ends, &early, &reached));
    if ((wrong || nowhere) && status <= fmi3Warning) broken("fmi3DoStep", "made an impossible step", (int)status);
    if (status <= fmi3Warning) z->steps++;
    if (status <= fmi3Warning && !isfinite(reached)) broken("fmi3DoStep", "reached no time", (int)status);
    if (status <= fmi3Warning) s->t = reached;
    if (status >= fmi3Discard && !wrong && !nowhere && s->at == STEP) s->at = UNKNOWN;
}

/* --- model exchange ------------------------------------------------------------------------------------------------ */

static void completed_step(Fuzz* z, Subject* s) {
    fmi3Boolean event = fmi3False, ends = fmi3False;
    const int nowhere = random_chance(&z->random, 40);
    const fmi3Status status = judge(z, s, "fmi3CompletedIntegratorStep", z->exchange ? CONTINUOUS : 0,
        z->f.CompletedIntegratorStep(s->c, fmi3True, nowhere ? NULL : &event, &ends));
    if (status == fmi3Error && !nowhere && s->at == CONTINUOUS) s->at = UNKNOWN;
    if (status <= fmi3Warning) z->steps++;
}

static void set_time(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    const double t = random_chance(r, 10) ? odd_number(r) : s->t + z->step * (random_chance(r, 4) ? -0.5 : 1.0);
    const fmi3Status status =
        judge(z, s, "fmi3SetTime", z->exchange ? EVENT | CONTINUOUS : 0, z->f.SetTime(s->c, t));
    if (status <= fmi3Warning && !isfinite(t)) broken("fmi3SetTime", "took a time that is not finite", (int)status);
    if (status <= fmi3Warning) s->t = t;
}

static void states(Fuzz* z, Subject* s) {
    enum { ACTIVE = EVENT | CONTINUOUS, LOOKING = ACTIVE | INITIALIZATION | TERMINATED };
    Random* r = &z->random;
    fmi3Float64 numbers[MOST_STATES];
    const size_t n = random_chance(r, 8) ? random_below(r, MOST_STATES) : z->table.states;
    const size_t indicators = random_chance(r, 8) ? random_below(r, MOST_STATES) : z->table.indicators;
    const int nowhere = n && indicators && random_chance(r, 40);
    fmi3Float64* given = nowhere ? NULL : numbers;
    fmi3Status status;
    const char* call;
    size_t i, count;
    int allowed = LOOKING;
    for (i = 0; i < MOST_STATES; i++) numbers[i] = some_number(r);
    switch (random_below(r, 7)) {
        case 0:
        case 1:
            call = "fmi3SetContinuousStates", allowed = ACTIVE, status = z->f.SetContinuousStates(s->c, given, n);
            break;
        case 2: call = "fmi3GetContinuousStates", status = z->f.GetContinuousStates(s->c, given, n); break;
        case 3: call = "fmi3GetContinuousStateDerivatives", status = z->f.GetContinuousStateDerivatives(s->c, given, n); break;
        case 4: call = "fmi3GetEventIndicators", status = z->f.GetEventIndicators(s->c, given, indicators); break;
        case 5:
            call = "fmi3GetNominalsOfContinuousStates", allowed = ANY;
            status = z->f.GetNominalsOfContinuousStates(s->c, given, n);
            break;
        default:
            call = "fmi3GetNumberOf…", allowed = ANY;
            status = random_chance(r, 2) ? z->f.GetNumberOfContinuousStates(s->c, &count)
                                         : z->f.GetNumberOfEventIndicators(s->c, &count);
            judge(z, s, call, allowed, status);
            return;
    }
    judge(z, s, call, z->exchange ? allowed : 0, status);
    if (nowhere && status <= fmi3Warning) broken(call, "took NULL", (int)status);
    if (status == fmi3Error && s->at & allowed) s->at = UNKNOWN;
}

/* --- rounds -------------------------------------------------------------------------------------------------------- */

static void free_subject(Fuzz* z, Subject* s) {
    int i;
    for (i = 0; i < STATES; i++) z->f.FreeFMUState(s->c, &s->saved[i].state);
    z->f.FreeInstance(s->c);
    memset(s, 0, sizeof *s);
}

/* The next legal call on the way through events and steps, so that the walk does not stay in one place. */
static void go_on(Fuzz* z, Subject* s) {
    switch (s->at) {
        case INSTANTIATED: enter_initialization(z, s); break;
        case INITIALIZATION: exit_initialization(z, s); break;
        case EVENT: random_chance(&z->random, 2) ? update_discrete_states(z, s) : leave_event_mode(z, s); break;
        case STEP: do_step(z, s); break;
        case CONTINUOUS: random_chance(&z->random, 6) ? enter_event_mode(z, s) : completed_step(z, s); break;
        case CONFIGURATION: configure(z, s); break;
        default: reset(z, s);
    }
}

static const Weighted calls[] = {
    {"the next legal call", go_on, 24}, {"fmi3EnterInitializationMode", enter_initialization, 1},
    {"fmi3ExitInitializationMode", exit_initialization, 1}, {"configuration mode", configure, 1}, {"fmi3Terminate", terminate, 1},
    {"fmi3Reset", reset, 1}, {"fmi3SetDebugLogging", set_logging, 1}, {"fmi3Get…", get, 8}, {"fmi3Set…", set, 8},
    {"derivatives and dependencies", derivatives, 1}, {"fmi3EnterEventMode", enter_event_mode, 1},
    {"fmi3UpdateDiscreteStates", update_discrete_states, 1}, {"fmi3EvaluateDiscreteStates", evaluate_discrete_states, 1},
    {"leaving event mode", leave_event_mode, 1}, {"fmi3DoStep", do_step, 3}, {"fmi3CompletedIntegratorStep", completed_step, 1},
    {"fmi3SetTime", set_time, 2}, {"states", states, 3}, {"fmi3GetFMUState", save, 2}, {"fmi3SetFMUState", restore, 2},
    {"fmi3FreeFMUState", drop, 1}, {"a saved state through bytes", through_bytes, 2},
};

static void make_a_call(Fuzz* z, Subject* s) {
    unsigned total = 0, i, at;
    if (s->c == NULL) {
        watched_call = "fmi3Instantiate…";
        instantiate(z, s);
        return;
    }
    if (random_chance(&z->random, 150)) {
        watched_call = "fmi3FreeInstance";
        free_subject(z, s);
        return;
    }
    for (i = 0; i < sizeof calls / sizeof *calls; i++) total += calls[i].weight;
    at = random_below(&z->random, total);
    for (i = 0; at >= calls[i].weight; i++) at -= calls[i].weight;
    watched_call = calls[i].name;
    calls[i].call(z, s);
}

int main(int argc, char** argv) {
    static Fuzz z;
    static Subject subjects[INSTANCES];
    unsigned long round, rounds;
    size_t i;
    if (argc < 9) fail("usage", "fuzz3 LIBRARY RESOURCES TOKEN VARIABLES STEP SEED ROUNDS FORGE [me]");
    fmi3_open(&z.f, argv[1]);
    z.resources = argv[2];
    z.token = argv[3];
    z.table = table_read(argv[4]);
    z.step = strtod(argv[5], NULL);
    z.random.state = strtoul(argv[6], NULL, 10);
    rounds = strtoul(argv[7], NULL, 10);
    z.forge = atoi(argv[8]);
    z.exchange = argc > 9;
    z.f.FreeInstance(NULL);
    if (z.f.Reset(NULL) != fmi3Error || z.f.GetFloat64(NULL, NULL, 0, NULL, 0) != fmi3Error)
        broken("a call", "took a NULL instance", 0);
    for (round = 0; round < rounds; round++) {
        Subject* s = &subjects[random_below(&z.random, INSTANCES)];
        watch(round);
        watched_forged = s->forged;
        make_a_call(&z, s);
    }
    for (i = 0; i < INSTANCES; i++)
        if (subjects[i].c) free_subject(&z, &subjects[i]);
    printf("%lu %lu %lu %lu %lu\n", z.counts[0], z.counts[1], z.counts[2], z.counts[3], z.steps);
    free(z.table.rows);
    dlclose(z.f.library);
    return 0;
}
