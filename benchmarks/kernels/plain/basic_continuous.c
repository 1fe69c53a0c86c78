/* Blocks with continuous states. */
#include <math.h>

#include "plain.h"

enum { MOST = 16 };

struct elements {
    int n;
    const double *first, *second;   /* parameters */
};

static void prepare(const double *const *p, const int *n, void *constants)
{
    struct elements *c = constants;
    c->n = n[0];
    c->first = p[0];
    c->second = p[1];
}

static void width_prepare(const double *const *p, const int *n, void *constants)
{
    struct elements *c = constants;
    c->n = n[0];
}

static void integrator_derivatives(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->dx[i] = b->u[0][i];
}

const Plain plain_integrator = {sizeof(struct elements), width_prepare, 0, integrator_derivatives, 0, 0};

/* limited_integrator: parameters: lower, upper; z: 1 at the upper limit, -1 at the lower one, else 0 */

static void limited_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = fmin(fmax(b->x[i], c->first[i]), c->second[i]);
}

static void limited_derivatives(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->dx[i] = b->z[i] == 0.0 ? b->u[0][i] : 0.0;
}

static void limited_update(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i];
        if (b->x[i] >= c->second[i] && u >= 0.0)
            b->z[i] = 1.0;
        else if (b->x[i] <= c->first[i] && u <= 0.0)
            b->z[i] = -1.0;
        else
            b->z[i] = 0.0;
    }
}

const Plain plain_limited_integrator = {
    sizeof(struct elements), prepare, limited_outputs, limited_derivatives, limited_update, 0,
};

/* first_order_lag and derivative: parameters: time_constant */

static void lag_derivatives(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->dx[i] = (b->u[0][i] - b->x[i]) / c->first[i];
}

static void derivative_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = (b->u[0][i] - b->x[i]) / c->first[i];
}

const Plain plain_first_order_lag = {sizeof(struct elements), prepare, 0, lag_derivatives, 0, 0};
const Plain plain_derivative = {sizeof(struct elements), prepare, derivative_outputs, lag_derivatives, 0, 0};

/* transfer_function: parameters: numerator, denominator, highest power first; sizes: their lengths */

struct transfer {
    int order;
    double d, c[MOST], a[MOST];   /* of rising powers, the denominator beginning with 1 */
};

static void transfer_prepare(const double *const *p, const int *n, void *constants)
{
    struct transfer *f = constants;
    int order = n[1] - 1;
    double b[MOST + 1] = {0.0};
    f->order = order;
    for (int i = 0; i < n[0] && i <= order; i++)
        b[i] = p[0][n[0] - 1 - i] / p[1][0];
    f->d = b[order];
    for (int i = 0; i < order; i++) {
        f->a[i] = p[1][order - i] / p[1][0];
        f->c[i] = b[i] - f->d * f->a[i];
    }
}

static void transfer_outputs(const Block *b, double t)
{
    const struct transfer *f = b->constants;
    double y = f->d * b->u[0][0];
    for (int i = 0; i < f->order; i++)
        y += f->c[i] * b->x[i];
    b->y[0][0] = y;
}

static void transfer_derivatives(const Block *b, double t)
{
    const struct transfer *f = b->constants;
    double last = b->u[0][0];
    for (int i = 0; i < f->order - 1; i++)
        b->dx[i] = b->x[i + 1];
    for (int i = 0; i < f->order; i++)
        last -= f->a[i] * b->x[i];
    b->dx[f->order - 1] = last;
}

const Plain plain_transfer_function = {
    sizeof(struct transfer), transfer_prepare, transfer_outputs, transfer_derivatives, 0, 0,
};

/* state_space: parameters: A, B, C, D; sizes: states, inputs, outputs */

struct linear {
    int n, m, p, has_d;
    const double *A, *B, *C, *D;
};

static void linear_prepare(const double *const *p, const int *n, void *constants)
{
    struct linear *s = constants;
    *s = (struct linear){n[0], n[1], n[2], 0, p[0], p[1], p[2], p[3]};
    for (int i = 0; i < s->p * s->m; i++)
        s->has_d = s->has_d || s->D[i] != 0.0;
}

static void linear_outputs(const Block *b, double t)
{
    const struct linear *s = b->constants;
    for (int i = 0; i < s->p; i++) {
        double y = 0.0;
        for (int j = 0; j < s->n; j++)
            y += s->C[i * s->n + j] * b->x[j];
        if (s->has_d)
            for (int j = 0; j < s->m; j++)
                y += s->D[i * s->m + j] * b->u[0][j];
        b->y[0][i] = y;
    }
}

static void linear_derivatives(const Block *b, double t)
{
    const struct linear *s = b->constants;
    for (int i = 0; i < s->n; i++) {
        double rate = 0.0;
        for (int j = 0; j < s->n; j++)
            rate += s->A[i * s->n + j] * b->x[j];
        for (int j = 0; j < s->m; j++)
            rate += s->B[i * s->m + j] * b->u[0][j];
        b->dx[i] = rate;
    }
}

const Plain plain_state_space = {sizeof(struct linear), linear_prepare, linear_outputs, linear_derivatives, 0, 0};
