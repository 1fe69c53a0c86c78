/* Formulas beside the same equations written by hand as kernels: same view, same plan, another function.
 *
 * Includes the engine as C, which `cython_kernels.plain_c.standalone` writes. Driven from formula.py by ctypes. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "engine.c"

static void drag(const View *b, double t)
{
    double u = b->u[0][0];
    b->y[0][0] = b->p[0][0] * u * fabs(u) + b->p[1][0] * u;
}

/* Three degrees of freedom, diagonal mass, linear and quadratic damping. */
static void vessel(const View *b, double t)
{
    const double *tau = b->u[0], *m = b->p[0], *d = b->p[1], *q = b->p[2], *nu = b->x;
    double u = nu[0], v = nu[1], r = nu[2];
    b->dx[0] = (tau[0] + m[1] * v * r - d[0] * u - q[0] * fabs(u) * u) / m[0];
    b->dx[1] = (tau[1] - m[0] * u * r - d[1] * v - q[1] * fabs(v) * v) / m[1];
    b->dx[2] = (tau[2] - (m[1] - m[0]) * u * v - d[2] * r - q[2] * fabs(r) * r) / m[2];
}

/* Position and heading from velocities in the body: sine and cosine each by themselves. */
static void kinematics(const View *b, double t)
{
    const double *nu = b->u[0], *current = b->u[1];
    double cosine = kb_cos(b->x[2]), sine = kb_sin(b->x[2]);
    b->dx[0] = nu[0] * cosine - nu[1] * sine + current[0];
    b->dx[1] = nu[0] * sine + nu[1] * cosine + current[1];
    b->dx[2] = nu[2];
}

static const Kernel BY_HAND[] = {drag, vessel, kinematics};

typedef struct {
    Plan *plan;
    Task *task;
    Kernel formula;
    Kernel by_hand;
    void *memory;
} Case;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The formula is the block of this number in the plan. NULL: this is no plan. */
Case *case_open(const unsigned char *stored, size_t size, int number, int block)
{
    int status;
    size_t needed = plan_memory(stored, size, &status);
    if (needed == 0)
        return NULL;
    Case *c = calloc(1, sizeof(Case));
    c->memory = calloc(1, needed + 16);
    if (plan_open(c->memory, stored, size, NULL, &c->plan) != STATUS_END || plan_start(c->plan, 0.0) != STATUS_END)
        return NULL;
    for (int i = 0; i < c->plan->n_majors && number == 0; i++)
        if (c->plan->majors[i].block == block)
            c->task = &c->plan->majors[i];
    for (int i = 0; i < c->plan->n_derivatives && number != 0; i++)
        if (c->plan->derivatives[i].block == block)
            c->task = &c->plan->derivatives[i];
    c->formula = c->task->run;
    c->by_hand = BY_HAND[number];
    return c;
}

void case_close(Case *c)
{
    free(c->memory);
    free(c);
}

double *case_values(Case *c) { return c->plan->values; }

/* From now on the one or the other computes, in all lists of the plan. */
void case_choose(Case *c, int by_hand)
{
    Kernel from = by_hand ? c->formula : c->by_hand, to = by_hand ? c->by_hand : c->formula;
    Task *lists[] = {c->plan->majors, c->plan->minors, c->plan->derivatives};
    int counts[] = {c->plan->n_majors, c->plan->n_minors, c->plan->n_derivatives};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < counts[k]; i++)
            if (lists[k][i].run == from && lists[k][i].block == c->task->block)
                lists[k][i].run = to;
}

/* Call once, for what it computes. */
void case_call(Case *c, int by_hand) { (by_hand ? c->by_hand : c->formula)(&c->task->view, 0.0); }

/* Nanoseconds per call. */
double time_call(Case *c, int by_hand, long many)
{
    Kernel call = by_hand ? c->by_hand : c->formula;
    double start = now();
    for (long i = 0; i < many; i++)
        call(&c->task->view, 0.0);
    return (now() - start) / (double)many;
}

/* Nanoseconds per step of the plan from its start; 0 if it stops. */
double time_steps(Case *c, long many)
{
    plan_start(c->plan, 0.0);
    double start = now();
    int status = plan_advance(c->plan, INFINITY, many, NULL);
    return status == STATUS_PAUSED ? (now() - start) / (double)many : 0.0;
}
