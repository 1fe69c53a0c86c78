/* The reference model of third order, with and without a measured start. */
#include <math.h>

#include "plain.h"

struct model {
    int n, angle;
    const double *omega, *zeta, *rate, *acceleration;
};

static double wrapped(double angle)
{
    const double pi = 3.14159265358979323846;
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

static double held(double value, double limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

static void outputs(const Block *b, const double *start)
{
    const struct model *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double x = b->x[i] + (start ? start[i] : 0.0);
        b->y[0][i] = c->angle ? wrapped(x) : x;
        b->y[1][i] = held(b->x[c->n + i], c->rate[i]);
        b->y[2][i] = b->x[2 * c->n + i];
    }
}

static void derivatives(const Block *b, const double *start)
{
    const struct model *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double x = b->x[i] + (start ? start[i] : 0.0), v = b->x[c->n + i], a = b->x[2 * c->n + i];
        double omega = c->omega[i], k = 2.0 * c->zeta[i] + 1.0, slope = omega / k;
        double e = b->u[0][i] - x;
        if (c->angle)
            e = wrapped(e);
        double brake = 0.7 * c->acceleration[i], s = brake / (slope * slope), far = fabs(e);
        double v_c = far > s ? sqrt(2.0 * brake * (far - s / 2.0)) : slope * far;
        v_c = copysign(fmin(v_c, c->rate[i]), e);
        double a_c = held(omega * (v_c - v), c->acceleration[i]);
        b->dx[i] = held(v, c->rate[i]);
        b->dx[c->n + i] = a;
        b->dx[2 * c->n + i] = k * omega * (a_c - a);
    }
}

static void plain_outputs(const Block *b, double t)
{
    outputs(b, 0);
}

static void plain_derivatives(const Block *b, double t)
{
    derivatives(b, 0);
}

/* z = where it starts from, 1 once that is known, and when it was */
static void measured_outputs(const Block *b, double t)
{
    outputs(b, b->z);
}

static void measured_derivatives(const Block *b, double t)
{
    derivatives(b, b->z);
}

static void measured_update(const Block *b, double t)
{
    const struct model *c = b->constants;
    double *known = b->z + c->n, *when = known + 1;
    if (*known == 0.0) {
        *known = 1.0;
        *when = t;
    }
    if (*when == t)
        for (int i = 0; i < c->n; i++)
            b->z[i] = b->u[1][i];
}

/* Parameters: frequency, damping, rate_limit, acceleration_limit, angle, start. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct model *c = constants;
    *c = (struct model){n[0], *p[4] != 0.0, p[0], p[1], p[2], p[3]};
}

const Plain plain_reference_model = {sizeof(struct model), prepare, plain_outputs, plain_derivatives, 0, 0};
const Plain plain_reference_model_measured = {
    sizeof(struct model), prepare, measured_outputs, measured_derivatives, measured_update, 0};
