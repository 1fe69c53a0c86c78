/* Co-Simulation: a heated tank. Volume V' = inflow − k·opening, Euler steps; its power is a direct feedthrough.
   reals: 0 volume m3, 1 inflow l/min, 2 temperature degC (in), 3 power W = 4186·inflow·(temperature − 10 degC),
   4 k, 5 opening (0…1), 6…8 level[1..3] = 1, 2, 3 times the volume; integers: 0 pumps, 1 mode (1 off, 2 low, 5 high),
   2 steps made; booleans: 0 valve, 1 overflow; strings: 0 label: "strict" is as strict as FMI about reading. */

#include <signal.h>

static const char* token = "{tank}";
static const int n_states = 0, n_indicators = 0;

static void model_start(Model* m) {
    memset(m->real, 0, sizeof m->real);
    m->real[0] = 0.5; m->real[1] = 6.0; m->real[2] = 20.0; m->real[4] = 0.01; m->real[5] = 0.5;
    m->integer[0] = 1; m->integer[1] = 2; m->integer[2] = 0; m->boolean[0] = 1;
    strcpy(m->string[0], "tank");
}
static void model_initialized(Model* m) { m->strict = strcmp(m->string[0], "strict") == 0; }
static void model_outputs(Model* m) {
    int i;
    m->real[3] = 4186.0 * m->real[1] / 60.0 * (m->real[2] - 10.0);
    for (i = 0; i < 3; i++) m->real[6 + i] = (i + 1) * m->real[0];
    m->boolean[1] = m->real[0] > 1.0;
}
static fmi2Status model_step(Model* m, double h) {
    double out = m->boolean[0] ? m->real[4] * m->real[5] : 0.0;
    m->real[0] += h * (m->integer[0] * m->real[1] / 60000.0 * (m->integer[1] - 1) - out);
    m->integer[2]++;
    if (m->integer[2] == 50 && getenv("TANK_INTERRUPTS")) raise(SIGINT);    /* as if somebody typed Ctrl-C meanwhile */
    return fmi2OK;
}
static void model_derivatives(Model* m, double* dx) { (void)m; (void)dx; }
static void model_indicators(Model* m, double* z) { (void)m; (void)z; }
static void model_event(Model* m) { (void)m; }
