/* A master for model exchange, the same for both versions of FMI: Runge-Kutta 4 with a fixed step, and events.

   Events are handled at the end of a step: those of time, which a step never passes, jumps of inputs, changes of sign of
   event indicators, and those that the model asks for. The host of each version fills in the functions. */

typedef struct Exchange Exchange;

struct Exchange {
    void* model;
    size_t states, indicators;
    Variables inputs, outputs;
    void (*set_time)(Exchange* e, double t);
    void (*get_states)(Exchange* e, double* x);
    void (*set_states)(Exchange* e, const double* x);
    void (*get_derivatives)(Exchange* e, double* dx);
    void (*get_indicators)(Exchange* e, double* z);
    int (*completed_step)(Exchange* e);         /* true if the model asks for event mode */
    void (*enter_event_mode)(Exchange* e);
    double (*update)(Exchange* e);              /* until settled; the time of the next event, or infinity */
    void (*enter_continuous_time_mode)(Exchange* e);
    void (*set_inputs)(Exchange* e);
    void (*get_outputs)(Exchange* e);
    double *x, *z;                              /* states and indicators where the master stands */
    double next_event;
};

static void exchange_derivatives(Exchange* e, double t, const double* x, double* dx) {
    e->set_time(e, t);
    e->set_states(e, x);
    e->get_derivatives(e, dx);
}

/* x(t + h) by the classical method of Runge and Kutta. */
static void exchange_integrate(Exchange* e, double t, double h) {
    const size_t n = e->states;
    double* memory = tool_memory(5 * n, sizeof *memory);
    double *k1 = memory, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n, *at = k4 + n;
    size_t i;
    exchange_derivatives(e, t, e->x, k1);
    for (i = 0; i < n; i++) at[i] = e->x[i] + 0.5 * h * k1[i];
    exchange_derivatives(e, t + 0.5 * h, at, k2);
    for (i = 0; i < n; i++) at[i] = e->x[i] + 0.5 * h * k2[i];
    exchange_derivatives(e, t + 0.5 * h, at, k3);
    for (i = 0; i < n; i++) at[i] = e->x[i] + h * k3[i];
    exchange_derivatives(e, t + h, at, k4);
    for (i = 0; i < n; i++) e->x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    free(memory);
}

/* In event mode, which is left again. */
static void exchange_handle_event(Exchange* e, int inputs_jump) {
    e->enter_event_mode(e);
    if (inputs_jump) e->set_inputs(e);
    e->next_event = e->update(e);
    e->get_states(e, e->x);
    e->enter_continuous_time_mode(e);
    e->get_indicators(e, e->z);
}

static int exchange_crosses(Exchange* e) {
    double* z = tool_memory(e->indicators, sizeof *z);
    int crosses = 0;
    size_t i;
    e->get_indicators(e, z);
    for (i = 0; i < e->indicators; i++) crosses |= (z[i] > 0.0) != (e->z[i] > 0.0);
    memcpy(e->z, z, e->indicators * sizeof *z);
    free(z);
    return crosses;
}

/* From t to `end` in steps of `h`, or shorter where there is an event. True if there is one at the end, which is left
   to the caller: jumps of inputs at the same time belong to it. */
static int exchange_advance(Exchange* e, double t, double end, double h) {
    const double near = 1e-6 * h;
    int event = 0;
    while (t < end - near) {
        double to = t + h, taken;
        if (to > end - near) to = end;
        if (to > e->next_event - near) to = e->next_event;
        taken = to - t;
        exchange_integrate(e, t, taken);
        t = to;
        e->set_time(e, t);
        e->set_states(e, e->x);
        event = e->completed_step(e) | exchange_crosses(e) | (t >= e->next_event - near);
        if (event && t < end - near) exchange_handle_event(e, 0);
    }
    return event;
}

/* From the end of initialization, which is event mode, to the end; `communication_step` is when inputs jump. */
static void exchange_run(Exchange* e, double start, double communication_step, long steps, double h) {
    long k;
    e->x = tool_memory(e->states, sizeof *e->x);
    e->z = tool_memory(e->indicators, sizeof *e->z);
    e->next_event = e->update(e);
    e->get_states(e, e->x);
    e->enter_continuous_time_mode(e);
    e->get_indicators(e, e->z);
    e->get_outputs(e);
    variables_print(start, &e->outputs);
    for (k = 0; k < steps; k++) {
        const double end = start + (double)(k + 1) * communication_step;
        const int event = exchange_advance(e, start + (double)k * communication_step, end, h);
        variables_read(&e->inputs);
        if (event || e->inputs.n) exchange_handle_event(e, e->inputs.n > 0);
        e->get_outputs(e);
        variables_print(end, &e->outputs);
    }
    free(e->x);
    free(e->z);
}
