/* Load an FMU for model exchange (FMI 2.0), integrate it and print variables.

       host_me LIBRARY RESOURCES GUID START STEP STEPS INNER_STEP STATES INDICATORS [OUTPUT ...] [-- INPUT ...]

   As host.c. Inputs are read for every communication point, the last one too: there they jump, and then outputs are
   printed. Between communication points the model is integrated with INNER_STEP. */

#include "fmi2_tool.h"

#include "host.h"

#include "exchange.h"

typedef struct Model {
    Fmi2 f;
    Fmi2Exchange x;
    fmi2Component c;
} Model;

#define M(e) ((Model*)(e)->model)

static void set_time(Exchange* e, double t) {
    fmi2_check("fmi2SetTime", M(e)->x.SetTime(M(e)->c, t));
}

static void get_states(Exchange* e, double* x) {
    fmi2_check("fmi2GetContinuousStates", M(e)->x.GetContinuousStates(M(e)->c, x, e->states));
}

static void set_states(Exchange* e, const double* x) {
    fmi2_check("fmi2SetContinuousStates", M(e)->x.SetContinuousStates(M(e)->c, x, e->states));
}

static void get_derivatives(Exchange* e, double* dx) {
    fmi2_check("fmi2GetDerivatives", M(e)->x.GetDerivatives(M(e)->c, dx, e->states));
}

static void get_indicators(Exchange* e, double* z) {
    fmi2_check("fmi2GetEventIndicators", M(e)->x.GetEventIndicators(M(e)->c, z, e->indicators));
}

static int completed_step(Exchange* e) {
    fmi2Boolean event = fmi2False, terminate = fmi2False;
    fmi2_check("fmi2CompletedIntegratorStep", M(e)->x.CompletedIntegratorStep(M(e)->c, fmi2True, &event, &terminate));
    return event;
}

static void enter_event_mode(Exchange* e) {
    fmi2_check("fmi2EnterEventMode", M(e)->x.EnterEventMode(M(e)->c));
}

static double update(Exchange* e) {
    fmi2EventInfo info;
    do {
        memset(&info, 0, sizeof info);
        fmi2_check("fmi2NewDiscreteStates", M(e)->x.NewDiscreteStates(M(e)->c, &info));
    } while (info.newDiscreteStatesNeeded);
    return info.nextEventTimeDefined ? info.nextEventTime : INFINITY;
}

static void enter_continuous_time_mode(Exchange* e) {
    fmi2_check("fmi2EnterContinuousTimeMode", M(e)->x.EnterContinuousTimeMode(M(e)->c));
}

static void set_inputs(Exchange* e) {
    const Variables* v = &e->inputs;
    if (v->n) fmi2_check("fmi2SetReal", M(e)->f.SetReal(M(e)->c, v->references, v->n, v->values));
}

static void get_outputs(Exchange* e) {
    fmi2_check("fmi2GetReal", M(e)->f.GetReal(M(e)->c, e->outputs.references, e->outputs.n, e->outputs.values));
}

int main(int argc, char** argv) {
    static const fmi2CallbackFunctions callbacks = {fmi2_print_message, calloc, free, NULL, NULL};
    static Model m;
    Exchange e = {
        &m, 0, 0, {0, 0, NULL, NULL}, {0, 0, NULL, NULL}, set_time, get_states, set_states, get_derivatives, get_indicators,
        completed_step, enter_event_mode, update, enter_continuous_time_mode, set_inputs, get_outputs, NULL, NULL, 0.0
    };
    double start;
    if (argc < 10) fail("usage", "host_me LIBRARY RESOURCES GUID START STEP STEPS INNER_STEP STATES INDICATORS [OUTPUT ...] [-- INPUT ...]");
    fmi2_open(&m.f, argv[1]);
    fmi2_open_exchange(&m.x, m.f.library);
    start = strtod(argv[4], NULL);
    e.states = strtoul(argv[8], NULL, 10);
    e.indicators = strtoul(argv[9], NULL, 10);
    variables_split(argc, argv, 10, &e.outputs, &e.inputs);

    m.c = m.f.Instantiate("host", fmi2ModelExchange, argv[3], argv[2], &callbacks, fmi2False, fmi2False);
    if (m.c == NULL) fail("fmi2Instantiate", "no instance");
    fmi2_check("fmi2SetupExperiment", m.f.SetupExperiment(m.c, fmi2False, 0.0, start, fmi2False, 0.0));
    variables_read(&e.inputs);
    set_inputs(&e);
    fmi2_check("fmi2EnterInitializationMode", m.f.EnterInitializationMode(m.c));
    fmi2_check("fmi2ExitInitializationMode", m.f.ExitInitializationMode(m.c));
    exchange_run(&e, start, strtod(argv[5], NULL), strtol(argv[6], NULL, 10), strtod(argv[7], NULL));
    fmi2_check("fmi2Terminate", m.f.Terminate(m.c));
    m.f.FreeInstance(m.c);
    variables_free(&e.inputs);
    variables_free(&e.outputs);
    dlclose(m.f.library);
    return 0;
}
