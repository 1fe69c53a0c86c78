/* Calls a kernel and its plain counterpart alike: same inputs, same parameters, states and results of their own.
 *
 * Includes the engine as C, which `cython_kernels.plain_c.standalone` writes. Driven from library.py by ctypes. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "engine.c"
#include "plain.h"

enum { OUTPUTS, DERIVATIVES, UPDATE, CROSSINGS, FUNCTIONS };

typedef struct {
    Plan *plan;
    View kernel_view;
    Kernel kernel[FUNCTIONS];
    Block block;
    Function plain[FUNCTIONS];
    double *results;
    int fault;
    void *memory[4];
} Case;

/* Results lie one after the other: outputs, dx, z, g. */
static void lay_out(const Case *c, double *results, double **y, double **dx, double **z, double **g)
{
    const int *b = c->plan->blocks;
    const int *ports = c->plan->ports + b[BLOCK_OUTPUTS + 1];
    for (int i = 0; i < b[BLOCK_OUTPUTS]; i++) {
        y[i] = results;
        results += ports[2 * i + 1];
    }
    *dx = results;
    *z = *dx + b[BLOCK_X + 1];
    *g = *z + b[BLOCK_Z + 1];
}

void case_close(Case *c)
{
    for (int i = 0; i < 4; i++)
        free(c->memory[i]);
    free(c);
}

/* A plan of one block beside the plain C of its kernel. `is_state` says of each output whether it is a state, which
 * nobody has to write; `shift` moves the results on in memory. NULL, and the engine's status: this is not a plan. */
Case *case_open(const unsigned char *stored, size_t size, const int *is_state, int results, int shift,
                const Plain *plain, int *status)
{
    size_t needed = plan_memory(stored, size, status);
    if (needed == 0)
        return NULL;
    Case *c = calloc(1, sizeof(Case));
    c->memory[0] = calloc(1, needed + 16);
    *status = plan_open(c->memory[0], stored, size, NULL, &c->plan);
    if (*status != STATUS_END) {
        case_close(c);
        return NULL;
    }
    const KernelEntry *k = &c->plan->kernels[0];
    int outputs = c->plan->blocks[BLOCK_OUTPUTS];
    c->memory[1] = calloc(2 * (size_t)results + (size_t)shift + 1, sizeof(double));
    double *numbers = c->results = (double *)c->memory[1] + shift;
    double **pointers = c->memory[2] = calloc(2 * (size_t)outputs + 1, sizeof(double *));
    double **ours = pointers, **theirs = pointers + outputs;

    View *v = &c->kernel_view;
    *v = c->plan->views[0];
    lay_out(c, numbers, ours, &v->dx, &v->z, &v->g);
    lay_out(c, numbers + results, theirs, &c->block.dx, &c->block.z, &c->block.g);
    int computed = 0;
    for (int i = 0; i < outputs; i++) {
        computed = computed || !is_state[i];
        if (is_state[i])
            ours[i] = theirs[i] = NULL;
    }
    v->y = ours;
    v->fault = &c->fault;
    c->kernel[OUTPUTS] = computed ? k->outputs : NULL;   /* states alone are never computed */
    c->kernel[DERIVATIVES] = k->derivatives;
    c->kernel[UPDATE] = k->update;
    c->kernel[CROSSINGS] = k->crossings;

    c->memory[3] = calloc(1, plain->size + 1);
    c->block.constants = c->memory[3];
    c->block.u = v->u;
    c->block.y = theirs;
    c->block.x = v->x;
    c->block.key = v->key;
    c->plain[OUTPUTS] = plain->outputs;
    c->plain[DERIVATIVES] = plain->derivatives;
    c->plain[UPDATE] = plain->update;
    c->plain[CROSSINGS] = plain->crossings;
    if (plain->prepare != NULL)
        plain->prepare(v->p, v->n, c->memory[3]);
    return c;
}

/* All numbers of the plan: places are those that Python's Plan names. */
double *case_values(Case *c) { return c->plan->values; }

/* Results of the kernel, then as many of the plain C. */
double *case_results(Case *c) { return c->results; }

/* Start values of the states; 0, or a fault. */
int case_start(Case *c, double t)
{
    int status = plan_initialise(c->plan, t);
    size_t size = (size_t)c->plan->blocks[BLOCK_Z + 1] * sizeof(double);
    memcpy(c->kernel_view.z, c->plan->views[0].z, size);
    memcpy(c->block.z, c->plan->views[0].z, size);
    c->fault = 0;
    return status;
}

int kernel_has(const Case *c, int function) { return c->kernel[function] != NULL; }
int plain_has(const Case *c, int function) { return c->plain[function] != NULL; }

/* One call of each. 0, or the kernel's fault. */
int case_call(Case *c, int function, double t)
{
    c->kernel[function](&c->kernel_view, t);
    if (c->plain[function] != NULL)
        c->plain[function](&c->block, t);
    return c->fault;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Nanoseconds per call. Nothing is known here of what a pointer leads to, so no call can be left out. */
double time_kernel(const Case *c, int function, double t, long many)
{
    Kernel call = c->kernel[function];
    double start = now();
    for (long i = 0; i < many; i++)
        call(&c->kernel_view, t);
    return (now() - start) / (double)many;
}

double time_plain(const Case *c, int function, double t, long many)
{
    Function call = c->plain[function];
    double start = now();
    for (long i = 0; i < many; i++)
        call(&c->block, t);
    return (now() - start) / (double)many;
}
