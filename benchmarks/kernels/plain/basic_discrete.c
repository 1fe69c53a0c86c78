/* Sampled blocks. */
#include "plain.h"

struct samples {
    int n, count, method;
    double period;
};

static void prepare(const double *const *p, const int *n, void *constants)
{
    struct samples *c = constants;
    c->n = n[0];
}

/* unit_delay: z: the last sample */

static void delayed_outputs(const Block *b, double t)
{
    const struct samples *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = b->z[i];
}

static void delayed_update(const Block *b, double t)
{
    const struct samples *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->z[i] = b->u[0][i];
}

const Plain plain_unit_delay = {sizeof(struct samples), prepare, delayed_outputs, 0, delayed_update, 0};

/* delay: sizes: n, samples; z: a ring of samples, and which of them is the oldest */

static void delay_prepare(const double *const *p, const int *n, void *constants)
{
    struct samples *c = constants;
    c->n = n[0];
    c->count = n[1];
}

static void delay_outputs(const Block *b, double t)
{
    const struct samples *c = b->constants;
    const double *oldest = b->z + c->n * (int)b->z[c->n * c->count];
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = oldest[i];
}

static void delay_update(const Block *b, double t)
{
    const struct samples *c = b->constants;
    double *place = &b->z[c->n * c->count];
    double *oldest = b->z + c->n * (int)*place;
    for (int i = 0; i < c->n; i++)
        oldest[i] = b->u[0][i];
    *place += 1.0;
    if (*place == c->count)
        *place = 0.0;
}

const Plain plain_delay = {sizeof(struct samples), delay_prepare, delay_outputs, 0, delay_update, 0};

static void hold_outputs(const Block *b, double t)
{
    const struct samples *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = b->u[0][i];
}

const Plain plain_zero_order_hold = {sizeof(struct samples), prepare, hold_outputs, 0, 0, 0};

/* discrete_integrator: parameters: method, period; z: the sum so far */

enum { FORWARD, TRAPEZOIDAL, BACKWARD };

static void integrator_prepare(const double *const *p, const int *n, void *constants)
{
    struct samples *c = constants;
    c->n = n[0];
    c->method = (int)*p[0];
    c->period = *p[1];
}

static void integrator_outputs(const Block *b, double t)
{
    const struct samples *c = b->constants;
    double T = c->period;
    for (int i = 0; i < c->n; i++)
        switch (c->method) {
        case FORWARD: b->y[0][i] = b->z[i]; break;
        case TRAPEZOIDAL: b->y[0][i] = b->z[i] + 0.5 * T * b->u[0][i]; break;
        default: b->y[0][i] = b->z[i] + T * b->u[0][i];
        }
}

static void integrator_update(const Block *b, double t)
{
    const struct samples *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->z[i] += c->period * b->u[0][i];
}

const Plain plain_discrete_integrator = {
    sizeof(struct samples), integrator_prepare, integrator_outputs, 0, integrator_update, 0,
};
