/* Random FMI 2.0 calls, legal and illegal, to instances of an FMU for model exchange. Otherwise as fuzz2.c.

       fuzz2_me LIBRARY RESOURCES GUID VARIABLES STEP SEED ROUNDS FORGE

   The steps that are counted are those that a solver has completed. Which calls are allowed when follows section 3.2.3
   of the standard; where that leaves room, nothing is asserted. */

#include "fmi2_tool.h"

#include "fuzz.h"

#include "fuzz2.h"

enum { MOST_STATES = 64, ACTIVE = EVENT | CONTINUOUS };

static void enter_event_mode(Fuzz* z, Subject* s) {
    const fmi2Status status = judge(z, s, "fmi2EnterEventMode", ACTIVE, z->x.EnterEventMode(s->c));
    lost(s, CONTINUOUS, status);
    if (status <= fmi2Warning) s->at = EVENT;
}

static void new_discrete_states(Fuzz* z, Subject* s) {
    fmi2EventInfo info;
    const int nowhere = random_chance(&z->random, 40);
    const fmi2Status status = judge(z, s, "fmi2NewDiscreteStates", EVENT, z->x.NewDiscreteStates(s->c, nowhere ? NULL : &info));
    if (!nowhere) lost(s, EVENT, status);
    if (status == fmi2OK && !nowhere && info.nextEventTimeDefined && !isfinite(info.nextEventTime))
        broken("fmi2NewDiscreteStates", "announced an event at no time", (int)status);
}

static void enter_continuous_time_mode(Fuzz* z, Subject* s) {
    const fmi2Status status = judge(z, s, "fmi2EnterContinuousTimeMode", EVENT, z->x.EnterContinuousTimeMode(s->c));
    lost(s, EVENT, status);
    if (status <= fmi2Warning) s->at = CONTINUOUS;
}

static void completed_step(Fuzz* z, Subject* s) {
    fmi2Boolean event = fmi2False, terminate = fmi2False;
    const int nowhere = random_chance(&z->random, 40);
    const fmi2Status status = judge(z, s, "fmi2CompletedIntegratorStep", CONTINUOUS,
        z->x.CompletedIntegratorStep(s->c, fmi2True, nowhere ? NULL : &event, &terminate));
    if (!nowhere) lost(s, CONTINUOUS, status);
    if (status <= fmi2Warning) z->steps++;
}

static void set_time(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    const double t = random_chance(r, 10) ? odd_number(r) : s->t + z->step * (random_chance(r, 4) ? -0.5 : 1.0);
    const fmi2Status status = judge(z, s, "fmi2SetTime", ACTIVE, z->x.SetTime(s->c, t));
    if (status <= fmi2Warning && !isfinite(t)) broken("fmi2SetTime", "took a time that is not finite", (int)status);
    if (status <= fmi2Warning) s->t = t;
}

static void states(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    fmi2Real numbers[MOST_STATES];
    const size_t n = random_chance(r, 8) ? random_below(r, MOST_STATES) : z->table.states;
    const size_t indicators = random_chance(r, 8) ? random_below(r, MOST_STATES) : z->table.indicators;
    const int nowhere = n && indicators && random_chance(r, 40);
    fmi2Real* given = nowhere ? NULL : numbers;
    const char* call;
    fmi2Status status;
    int allowed = ANY & ~INSTANTIATED;
    size_t i;
    for (i = 0; i < MOST_STATES; i++) numbers[i] = some_number(r);
    switch (random_below(r, 6)) {
        case 0:
        case 1:
            call = "fmi2SetContinuousStates", allowed = ACTIVE, status = z->x.SetContinuousStates(s->c, given, n);
            break;
        case 2: call = "fmi2GetContinuousStates", status = z->x.GetContinuousStates(s->c, given, n); break;
        case 3: call = "fmi2GetDerivatives", status = z->x.GetDerivatives(s->c, given, n); break;
        case 4: call = "fmi2GetEventIndicators", status = z->x.GetEventIndicators(s->c, given, indicators); break;
        default:
            call = "fmi2GetNominalsOfContinuousStates", allowed = ANY;
            status = z->x.GetNominalsOfContinuousStates(s->c, given, n);
    }
    judge(z, s, call, allowed, status);
    if (nowhere && status <= fmi2Warning) broken(call, "took NULL", (int)status);
    lost(s, allowed, status);
}

/* Functions of the other interface: refused while the model runs. */
static void co_simulation(Fuzz* z, Subject* s) {
    fmi2Status status, other;
    fmi2Real real;
    switch (random_below(&z->random, 4)) {
        case 0: status = z->f.DoStep(s->c, s->t, z->step, fmi2True); break;
        case 1: status = z->f.CancelStep(s->c); break;
        case 2: status = z->f.GetStatus(s->c, fmi2DoStepStatus, &other); break;
        default: status = z->f.GetRealStatus(s->c, fmi2LastSuccessfulTime, &real);
    }
    judge(z, s, "a function of co-simulation", TERMINATED, status);
}

/* The next legal call on the way through events and steps, so that the walk does not stay in one place. */
static void go_on(Fuzz* z, Subject* s) {
    if (s->at == INSTANTIATED) enter_initialization(z, s);
    else if (s->at == INITIALIZATION) exit_initialization(z, s);
    else if (s->at == EVENT) random_chance(&z->random, 2) ? new_discrete_states(z, s) : enter_continuous_time_mode(z, s);
    else if (s->at == CONTINUOUS) random_chance(&z->random, 6) ? enter_event_mode(z, s) : completed_step(z, s);
    else reset(z, s);
}

int main(int argc, char** argv) {
    static const Weighted calls[] = {
        {"the next legal call", go_on, 14}, {"fmi2SetupExperiment", set_up, 1},
        {"fmi2EnterInitializationMode", enter_initialization, 1}, {"fmi2ExitInitializationMode", exit_initialization, 1},
        {"fmi2Terminate", terminate, 1}, {"fmi2Reset", reset, 1}, {"fmi2SetDebugLogging", set_logging, 1},
        {"fmi2Get…", get, 6}, {"fmi2Set…", set, 6}, {"derivatives", derivatives, 1}, {"states", states, 8},
        {"fmi2SetTime", set_time, 4}, {"fmi2EnterEventMode", enter_event_mode, 1},
        {"fmi2NewDiscreteStates", new_discrete_states, 1}, {"fmi2CompletedIntegratorStep", completed_step, 2},
        {"fmi2EnterContinuousTimeMode", enter_continuous_time_mode, 1}, {"fmi2GetFMUstate", save, 2},
        {"fmi2SetFMUstate", restore, 2}, {"fmi2FreeFMUstate", drop, 1}, {"a saved state through bytes", through_bytes, 2},
        {"a function of co-simulation", co_simulation, 1},
    };
    return fuzz(argc, argv, fmi2ModelExchange, calls, sizeof calls / sizeof *calls);
}
