/* Load an FMU for model exchange (FMI 3.0), integrate it and print variables.

       host3_me LIBRARY RESOURCES TOKEN START STEP STEPS INNER_STEP [OUTPUT[:ELEMENTS] ...] [-- INPUT[:ELEMENTS] ...]

   As host_me.c; the numbers of states and event indicators are asked of the FMU. */

#include "fmi3_tool.h"

#include "host.h"

#include "exchange.h"

typedef struct Model {
    Fmi3 f;
    fmi3Instance c;
} Model;

#define M(e) ((Model*)(e)->model)

static void set_time(Exchange* e, double t) {
    fmi3_check("fmi3SetTime", M(e)->f.SetTime(M(e)->c, t));
}

static void get_states(Exchange* e, double* x) {
    fmi3_check("fmi3GetContinuousStates", M(e)->f.GetContinuousStates(M(e)->c, x, e->states));
}

static void set_states(Exchange* e, const double* x) {
    fmi3_check("fmi3SetContinuousStates", M(e)->f.SetContinuousStates(M(e)->c, x, e->states));
}

static void get_derivatives(Exchange* e, double* dx) {
    fmi3_check("fmi3GetContinuousStateDerivatives", M(e)->f.GetContinuousStateDerivatives(M(e)->c, dx, e->states));
}

static void get_indicators(Exchange* e, double* z) {
    fmi3_check("fmi3GetEventIndicators", M(e)->f.GetEventIndicators(M(e)->c, z, e->indicators));
}

static int completed_step(Exchange* e) {
    fmi3Boolean event = fmi3False, terminate = fmi3False;
    fmi3_check("fmi3CompletedIntegratorStep", M(e)->f.CompletedIntegratorStep(M(e)->c, fmi3True, &event, &terminate));
    return event;
}

static void enter_event_mode(Exchange* e) {
    fmi3_check("fmi3EnterEventMode", M(e)->f.EnterEventMode(M(e)->c));
}

static double update(Exchange* e) {
    fmi3Boolean again, terminate, nominals, values, defined;
    fmi3Float64 next;
    do {
        fmi3_check("fmi3UpdateDiscreteStates",
            M(e)->f.UpdateDiscreteStates(M(e)->c, &again, &terminate, &nominals, &values, &defined, &next));
    } while (again);
    return defined ? next : INFINITY;
}

static void enter_continuous_time_mode(Exchange* e) {
    fmi3_check("fmi3EnterContinuousTimeMode", M(e)->f.EnterContinuousTimeMode(M(e)->c));
}

static void set_inputs(Exchange* e) {
    const Variables* v = &e->inputs;
    if (v->n) fmi3_check("fmi3SetFloat64", M(e)->f.SetFloat64(M(e)->c, v->references, v->n, v->values, v->size));
}

static void get_outputs(Exchange* e) {
    const Variables* v = &e->outputs;
    fmi3_check("fmi3GetFloat64", M(e)->f.GetFloat64(M(e)->c, v->references, v->n, v->values, v->size));
}

int main(int argc, char** argv) {
    static Model m;
    Exchange e = {
        &m, 0, 0, {0, 0, NULL, NULL}, {0, 0, NULL, NULL}, set_time, get_states, set_states, get_derivatives, get_indicators,
        completed_step, enter_event_mode, update, enter_continuous_time_mode, set_inputs, get_outputs, NULL, NULL, 0.0
    };
    double start;
    if (argc < 8) fail("usage", "host3_me LIBRARY RESOURCES TOKEN START STEP STEPS INNER_STEP [OUTPUT ...] [-- INPUT ...]");
    fmi3_open(&m.f, argv[1]);
    start = strtod(argv[4], NULL);
    variables_split(argc, argv, 8, &e.outputs, &e.inputs);

    m.c = m.f.InstantiateModelExchange("host", argv[3], argv[2], fmi3False, fmi3False, NULL, fmi3_print_message);
    if (m.c == NULL) fail("fmi3InstantiateModelExchange", "no instance");
    fmi3_check("fmi3GetNumberOfContinuousStates", m.f.GetNumberOfContinuousStates(m.c, &e.states));
    fmi3_check("fmi3GetNumberOfEventIndicators", m.f.GetNumberOfEventIndicators(m.c, &e.indicators));
    variables_read(&e.inputs);
    set_inputs(&e);
    fmi3_check("fmi3EnterInitializationMode", m.f.EnterInitializationMode(m.c, fmi3False, 0.0, start, fmi3False, 0.0));
    fmi3_check("fmi3ExitInitializationMode", m.f.ExitInitializationMode(m.c));
    exchange_run(&e, start, strtod(argv[5], NULL), strtol(argv[6], NULL, 10), strtod(argv[7], NULL));
    fmi3_check("fmi3Terminate", m.f.Terminate(m.c));
    m.f.FreeInstance(m.c);
    variables_free(&e.inputs);
    variables_free(&e.outputs);
    dlclose(m.f.library);
    return 0;
}
