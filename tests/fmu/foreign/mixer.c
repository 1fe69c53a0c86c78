/* Co-Simulation of FMI 3: y = gain (A u), with n inputs (a structural parameter), and their sum over time.
   1 n, 2 u[n], 3 A[2,n], 4 y[2], 5 total = ∫ Σ u dt, 6 gain (Float32), 7 enabled, 8 level (an enumeration), 9 label,
   10 length of the label, 11 limit of the total (UInt8), at which it asks for the end. */

static const char* token = "{mixer}";
static const int n_states = 0, n_indicators = 0;

enum { N = 0, U = 1, A = 9, Y = 25, TOTAL = 27, GAIN = 28, ENABLED = 29, LEVEL = 30, LENGTH = 31, LIMIT = 32 };
static const int places[] = {0, N, U, A, Y, TOTAL, GAIN, ENABLED, LEVEL, 0, LENGTH, LIMIT};

static size_t model_place(fmi3ValueReference vr) { return places[vr]; }
static size_t model_size(const Model* m, fmi3ValueReference vr) {
    const size_t n = (size_t)m->values[N];
    return vr == 2 ? n : vr == 3 ? 2 * n : vr == 4 ? 2 : 1;
}
static void model_start(Model* m) {
    int i;
    memset(m->values, 0, sizeof m->values);
    m->values[N] = 3; m->values[GAIN] = 1; m->values[ENABLED] = 1; m->values[LEVEL] = 1; m->values[LIMIT] = 200;
    for (i = 0; i < 6; i++) m->values[A + i] = i + 1;
    strcpy(m->string, "ab");
}
static void model_outputs(Model* m) {
    const int n = (int)m->values[N];
    int i, k;
    for (i = 0; i < 2; i++) {
        double sum = 0.0;
        for (k = 0; k < n; k++) sum += m->values[A + i * n + k] * m->values[U + k];
        m->values[Y + i] = m->values[ENABLED] ? m->values[GAIN] * m->values[LEVEL] * sum : 0.0;
    }
    m->values[LENGTH] = (double)strlen(m->string);
}
static void model_step(Model* m, double h) {
    int k;
    for (k = 0; k < (int)m->values[N]; k++) m->values[TOTAL] += h * m->values[U + k];
    m->ended = m->values[TOTAL] > m->values[LIMIT];
}
static void model_derivatives(Model* m, double* dx) { }
static void model_indicators(Model* m, double* z) { }
static void model_event(Model* m) { }
