/* Model Exchange: a ball that is dropped on the ground and pushed. h' = v, v' = −9.81 + push; it bounces with v → −e v
   (a state event), and every 0.3 s a counter goes up (a time event); at the fourth tick it asks for a step event.
   reals: 0 h, 1 v, 2 e, 3 push; integers: 0 bounces, 1 ticks, 2 step events. */

static const char* token = "{ball}";
static const int n_states = 2, n_indicators = 1;

static void model_start(Model* m) {
    memset(m->real, 0, sizeof m->real);
    memset(m->integer, 0, sizeof m->integer);
    m->real[0] = 1.0; m->real[2] = 0.7;
    m->has_next_event = 1;
    m->terminated = 0;
}
static void model_initialized(Model* m) { m->next_event = m->t + 0.3; }
static void model_outputs(Model* m) { (void)m; }
static fmi2Status model_step(Model* m, double h) { (void)m; (void)h; return fmi2Error; }
static void model_derivatives(Model* m, double* dx) { dx[0] = m->real[1]; dx[1] = -9.81 + m->real[3]; }
static void model_indicators(Model* m, double* z) { z[0] = m->real[0]; }
static void model_event(Model* m) {
    if (m->wants_event) { m->wants_event = 0; m->integer[2]++; }
    if (m->real[0] <= 1e-9 && m->real[1] < 0.0) { m->real[0] = 1e-12; m->real[1] *= -m->real[2]; m->integer[0]++; }
    if (m->t >= m->next_event - 1e-12) {
        m->integer[1]++;
        m->next_event += 0.3;
        if (m->integer[1] == 4) m->wants_event = 1;
    }
    if (m->real[2] < 0.0) m->terminated = 1;
}
