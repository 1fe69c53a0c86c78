/* Co-Simulation and Model Exchange: a winch. length' = speed, speed' = (gear·command − speed)/T, or −speed/T with the
   brake on; steps of Co-Simulation are the exact solution. Its tension follows the command at once.
   reals: 0 length, 1 speed, 2 command, 3 T, 4 tension = 100·length + 5·command; integers: 0 gear, 1 mode (doubles T if 2);
   booleans: 0 brake; strings: 0 label. */

static const char* token = "{winch}";
static const int n_states = 2, n_indicators = 0;

static void model_start(Model* m) {
    memset(m->real, 0, sizeof m->real);
    m->real[0] = 2.0; m->real[2] = 0.5; m->real[3] = 0.8;
    m->integer[0] = 1; m->integer[1] = 1; m->boolean[0] = 0;
    strcpy(m->string[0], "winch");
}
static void model_initialized(Model* m) {
    if (strcmp(m->string[0], "no label") == 0) say(m, fmi2Warning, "it has no label, and T = %g s", m->real[3]);
}
static void model_outputs(Model* m) { m->real[4] = 100.0 * m->real[0] + 5.0 * m->real[2]; }
static double wanted(const Model* m) { return m->boolean[0] ? 0.0 : m->integer[0] * m->real[2]; }
static double lag(const Model* m) { return m->integer[1] == 2 ? 2.0 * m->real[3] : m->real[3]; }
static fmi2Status model_step(Model* m, double h) {
    double left = (m->real[1] - wanted(m)) * exp(-h / lag(m));
    m->real[0] += h * wanted(m) + lag(m) * (m->real[1] - wanted(m) - left);
    m->real[1] = wanted(m) + left;
    return fmi2OK;
}
static void model_derivatives(Model* m, double* dx) { dx[0] = m->real[1]; dx[1] = (wanted(m) - m->real[1]) / lag(m); }
static void model_indicators(Model* m, double* z) { (void)m; (void)z; }
static void model_event(Model* m) { (void)m; }
