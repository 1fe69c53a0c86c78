/* Random FMI 2.0 calls, legal and illegal, to instances of an FMU for co-simulation.

       fuzz2 LIBRARY RESOURCES GUID VARIABLES STEP SEED ROUNDS FORGE

   VARIABLES is a file as `table_read` has it; FORGE says whether damaged saved states may get checksums that fit. Prints
   how many calls were answered by fmi2OK, fmi2Warning, fmi2Discard and fmi2Error, and how many steps were done. */

#include "fmi2_tool.h"

#include "fuzz.h"

#include "fuzz2.h"

static void do_step(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    static const double factors[] = {1.0, 1.0, 0.5, 2.5, 0.01, 40.0, 1e-9};
    double size = z->step * factors[random_below(r, 7)], t = s->t;
    fmi2Status status;
    int wrong = 0;
    if (random_chance(r, 12)) {
        static const double impossible[] = {0.0, -1.0, NAN, INFINITY, -INFINITY, 1e12, 1e300};
        size = impossible[random_below(r, 7)];
        wrong = 1;
    } else if (random_chance(r, 12)) {
        t = random_chance(r, 2) ? odd_number(r) : t + 3.7 * z->step;
    }
    status = judge(z, s, "fmi2DoStep", READY, z->f.DoStep(s->c, t, size, random_chance(r, 2) ? fmi2True : fmi2False));
    if (wrong && status <= fmi2Discard) broken("fmi2DoStep", "made an impossible step", (int)status);
    if (status <= fmi2Warning) z->steps++;
    if (status == fmi2Discard && s->at == READY) s->at = UNKNOWN;
    if (!wrong) lost(s, READY, status);
    look_at_time(z, s);
}

static void ask_status(Fuzz* z, Subject* s) {
    Random* r = &z->random;
    const fmi2StatusKind kind = (fmi2StatusKind)random_below(r, 6);
    const int nowhere = random_chance(r, 10);
    fmi2Status status = fmi2OK;
    fmi2Real real;
    fmi2Integer integer;
    fmi2Boolean boolean;
    fmi2String string;
    switch (random_below(r, 6)) {
        case 0: status = z->f.GetStatus(s->c, kind, nowhere ? NULL : &status); break;
        case 1: status = z->f.GetRealStatus(s->c, kind, nowhere ? NULL : &real); break;
        case 2: status = z->f.GetIntegerStatus(s->c, kind, nowhere ? NULL : &integer); break;
        case 3: status = z->f.GetBooleanStatus(s->c, kind, nowhere ? NULL : &boolean); break;
        case 4: status = z->f.GetStringStatus(s->c, kind, nowhere ? NULL : &string); break;
        default: status = z->f.CancelStep(s->c);
    }
    judge(z, s, "fmi2Get…Status", READY | TERMINATED, status);
}

/* Functions of the other interface: refused in every state. */
static void exchange(Fuzz* z, Subject* s) {
    fmi2Real numbers[WIDEST] = {0.0};
    fmi2EventInfo info;
    fmi2Boolean event, terminate;
    fmi2Status status = fmi2OK;
    switch (random_below(&z->random, 8)) {
        case 0: status = z->x.EnterEventMode(s->c); break;
        case 1: status = z->x.NewDiscreteStates(s->c, &info); break;
        case 2: status = z->x.EnterContinuousTimeMode(s->c); break;
        case 3: status = z->x.CompletedIntegratorStep(s->c, fmi2True, &event, &terminate); break;
        case 4: status = z->x.SetTime(s->c, 0.0); break;
        case 5: status = z->x.SetContinuousStates(s->c, numbers, WIDEST); break;
        case 6: status = z->x.GetDerivatives(s->c, numbers, WIDEST); break;
        default: status = z->x.GetEventIndicators(s->c, numbers, WIDEST);
    }
    judge(z, s, "a function of model exchange", 0, status);
}

/* The next legal call on the way to steps, so that the walk does not stay in one place. */
static void go_on(Fuzz* z, Subject* s) {
    if (s->at == INSTANTIATED) enter_initialization(z, s);
    else if (s->at == INITIALIZATION) exit_initialization(z, s);
    else if (s->at == READY) do_step(z, s);
    else reset(z, s);
}

int main(int argc, char** argv) {
    static const Weighted calls[] = {
        {"the next legal call", go_on, 12}, {"fmi2SetupExperiment", set_up, 1},
        {"fmi2EnterInitializationMode", enter_initialization, 1}, {"fmi2ExitInitializationMode", exit_initialization, 1},
        {"fmi2Terminate", terminate, 1}, {"fmi2Reset", reset, 1}, {"fmi2SetDebugLogging", set_logging, 1},
        {"fmi2Get…", get, 8}, {"fmi2Set…", set, 8}, {"derivatives", derivatives, 2}, {"fmi2DoStep", do_step, 10},
        {"fmi2Get…Status", ask_status, 1}, {"fmi2GetFMUstate", save, 2}, {"fmi2SetFMUstate", restore, 2},
        {"fmi2FreeFMUstate", drop, 1}, {"a saved state through bytes", through_bytes, 2},
        {"a function of model exchange", exchange, 1},
    };
    return fuzz(argc, argv, fmi2CoSimulation, calls, sizeof calls / sizeof *calls);
}
