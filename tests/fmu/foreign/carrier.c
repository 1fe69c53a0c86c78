/* Co-Simulation of FMI 3 with its own steps of 0.1 s, at the last of which it stays.
   1 mass (a fixed parameter), 2 share (a constant), 3 ballast = mass share (calculated from them), 4 u, 5 y = mass u,
   6 own = the time of its own steps (local), 7 gear (an enumeration), 8 ratio (an output: the number of the gear). */

static const char* token = "{carrier}";
static const int n_states = 0, n_indicators = 0;

enum { MASS = 1, SHARE, BALLAST, U, Y, OWN, GEAR, RATIO };
#define MODEL_FIXED(vr) ((vr) == MASS || (vr) == SHARE || (vr) == BALLAST)

static size_t model_place(fmi3ValueReference vr) { return vr; }
static size_t model_size(const Model* m, fmi3ValueReference vr) { return 1; }
static void model_start(Model* m) {
    memset(m->values, 0, sizeof m->values);
    m->values[MASS] = 2.0; m->values[SHARE] = 10.0; m->values[GEAR] = 1.0;
}
static void model_outputs(Model* m) {
    m->values[BALLAST] = m->values[MASS] * m->values[SHARE];
    m->values[Y] = m->values[MASS] * m->values[U];
    m->values[RATIO] = m->values[GEAR];
}
static void model_step(Model* m, double h) {
    while (m->values[OWN] + 0.1 <= m->t + h + 1e-9) m->values[OWN] += 0.1;
}
static void model_derivatives(Model* m, double* dx) { }
static void model_indicators(Model* m, double* z) { }
static void model_event(Model* m) { }
