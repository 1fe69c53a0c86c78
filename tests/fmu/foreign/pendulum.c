/* Model Exchange of FMI 3: x'' = −x + force, energy = x² + x'² as it is at once, and how often x went through zero.
   1 x, 2 x', 3 force, 4 energy, 5 crossings; 6 and 7 are derivatives, 8 the event indicator. */

static const char* token = "{pendulum}";
static const int n_states = 2, n_indicators = 1;

static size_t model_place(fmi3ValueReference vr) { return vr - 1; }
static size_t model_size(const Model* m, fmi3ValueReference vr) { return 1; }
static void model_start(Model* m) { memset(m->values, 0, sizeof m->values); m->values[0] = 1.0; m->next_event = -1.0; }
static void model_outputs(Model* m) { m->values[3] = m->values[0] * m->values[0] + m->values[1] * m->values[1] + m->values[2]; }
static void model_step(Model* m, double h) { }
static void model_derivatives(Model* m, double* dx) { dx[0] = m->values[1]; dx[1] = -m->values[0] + m->values[2]; }
static void model_indicators(Model* m, double* z) { z[0] = m->values[0]; }
static void model_event(Model* m) { if (fabs(m->values[0]) < 1e-6) m->values[4] += 1.0; }
