/* Co-Simulation: y = t, until at the time `at` it makes the trouble that `kind` names.
   reals: 0 y, 1 at; integers: 0 kind. */

#include <fenv.h>
#include <unistd.h>

static const char* token = "{trouble}";
static const int n_states = 0, n_indicators = 0;

static void model_start(Model* m) { memset(m->real, 0, sizeof m->real); m->real[1] = 0.45; m->integer[0] = 1; }
static void model_initialized(Model* m) { m->real[0] = m->t; }
static void model_outputs(Model* m) { (void)m; }
static fmi2Status model_step(Model* m, double h) {
    static volatile char* nowhere = NULL;
    if (m->t + h > m->real[1]) switch (m->integer[0]) {
        case 2: *nowhere = 1; break;                                                    /* segmentation fault */
        case 3: fprintf(stderr, "assertion failed: water is wet\n"); abort();
        case 4: exit(7);
        case 5: for (;;) usleep(10000);                                                 /* hangs */
        case 6: {                                                                       /* leaks */
            size_t i; volatile char* p = malloc(60000000);
            if (!p) { say(m, fmi2Error, "no memory for %g bytes", 6e7); return fmi2Error; }
            for (i = 0; i < 60000000; i += 512) p[i] = 1;
            break;
        }
        case 7: say(m, fmi2Discard, "the step of %g s is too long", h); return fmi2Discard;
        case 8: m->terminated = 1; return fmi2Discard;
        case 9: say(m, fmi2Error, "the tank bursts at %g bar", 12.5); return fmi2Error;
        case 10: say(m, fmi2Fatal, "memory is corrupt", 0.0); return fmi2Fatal;
        case 11: m->real[0] = NAN; return fmi2OK;
        case 12: fprintf(stdout, "what is printed is no message\n"); fflush(stdout); break;
        case 13: return (fmi2Status)77;
        case 14: return (fmi2Status)-1;
        case 15: case 16:                                         /* a child, its child in a session of its own; and a crash */
            if (fork() == 0) {
                if (fork() == 0) { setsid(); for (;;) usleep(10000); }
                for (;;) usleep(10000);
            }
            if (m->integer[0] == 15) *nowhere = 1;
            break;
        case 17: {                                                                      /* prints 4 MB  */
            int i; for (i = 0; i < 100000; i++) fprintf(stderr, "%039d\n", i);
            abort();
        }
        case 18: fesetround(FE_DOWNWARD); break;                                        /* for all who calculate */
        default: break;
    }
    m->real[0] = m->t + h;
    return fmi2OK;
}
static void model_derivatives(Model* m, double* dx) { (void)m; (void)dx; }
static void model_indicators(Model* m, double* z) { (void)m; (void)z; }
static void model_event(Model* m) { (void)m; }
