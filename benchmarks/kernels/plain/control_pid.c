/* The PID controller, with and without a filtered derivative. */
#include <math.h>

#include "plain.h"

enum { OF_ERROR, OF_MEASUREMENT, OF_RATE, NO_DERIVATIVE };
enum { BACK_CALCULATION, CLAMPING };

struct pid {
    int n, anti_windup, derivative, angle, bumpless;
    double N, K_t;
    const double *kp, *ki, *kd, *lower, *upper;
};

static double difference(const struct pid *c, double value)
{
    const double pi = 3.14159265358979323846;
    return c->angle ? value - 2.0 * pi * floor((value + pi) / (2.0 * pi)) : value;
}

static double limit(double value, double lower, double upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

/* The signal that is differentiated, less its filter: N times this is its rate. x = integral, filter; z = the signal at
 * the start for each, whether the start has been, and when it was. */
static double ahead_of_filter(const struct pid *c, const Block *b, int i)
{
    if (c->bumpless && b->z[c->n] == 0.0)
        return 0.0;
    double signal = c->derivative == OF_ERROR ? difference(c, b->u[0][i] - b->u[1][i]) : -b->u[1][i];
    return difference(c, signal - b->z[i] - b->x[c->n + i]);
}

static void pid_outputs(const Block *b, double t)
{
    const struct pid *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double e = difference(c, b->u[0][i] - b->u[1][i]);
        double v = c->kp[i] * e + b->x[i] + c->kd[i] * c->N * ahead_of_filter(c, b, i) + b->u[2][i];
        b->y[0][i] = limit(v, c->lower[i], c->upper[i]);
        b->y[1][i] = e;
    }
}

/* dI/dt, with v the output before its limits */
static double integral_rate(const struct pid *c, int i, double e, double v)
{
    double excess = v - limit(v, c->lower[i], c->upper[i]);
    double rate = c->ki[i] * e;
    if (c->ki[i] == 0.0)
        return 0.0;
    if (c->anti_windup == BACK_CALCULATION)
        return rate - c->K_t * excess;
    if (c->anti_windup == CLAMPING && excess * rate > 0.0)
        return 0.0;
    return rate;
}

static void pid_derivatives(const Block *b, double t)
{
    const struct pid *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double e = b->y[1][i];
        double filtered = c->N * ahead_of_filter(c, b, i);
        double v = c->kp[i] * e + b->x[i] + c->kd[i] * filtered + b->u[2][i];
        b->dx[i] = integral_rate(c, i, e, v);
        b->dx[c->n + i] = filtered;
    }
}

static void pid_update(const Block *b, double t)
{
    const struct pid *c = b->constants;
    if (!c->bumpless)
        return;
    if (b->z[c->n] == 0.0) {
        b->z[c->n] = 1.0;
        b->z[c->n + 1] = t;
    }
    if (b->z[c->n + 1] == t)
        for (int i = 0; i < c->n; i++)
            b->z[i] = c->derivative == OF_ERROR ? difference(c, b->u[0][i] - b->u[1][i]) : -b->u[1][i];
}

static void unfiltered_outputs(const Block *b, double t)
{
    const struct pid *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double e = difference(c, b->u[0][i] - b->u[1][i]);
        double v = c->kp[i] * e + b->x[i] + b->u[2][i];
        if (c->derivative == OF_RATE)
            v -= c->kd[i] * b->u[3][i];
        b->y[0][i] = limit(v, c->lower[i], c->upper[i]);
        b->y[1][i] = e;
    }
}

static void unfiltered_derivatives(const Block *b, double t)
{
    const struct pid *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double e = b->y[1][i];
        double v = c->kp[i] * e + b->x[i] + b->u[2][i];
        if (c->derivative == OF_RATE)
            v -= c->kd[i] * b->u[3][i];
        b->dx[i] = integral_rate(c, i, e, v);
    }
}

/* Parameters: kp, ki, kd, filter_coefficient, lower, upper, anti_windup, tracking_gain, derivative, angle, bumpless. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct pid *c = constants;
    c->n = n[0];
    c->kp = p[0];
    c->ki = p[1];
    c->kd = p[2];
    c->N = *p[3];
    c->lower = p[4];
    c->upper = p[5];
    c->anti_windup = (int)*p[6];
    c->K_t = *p[7];
    c->derivative = (int)*p[8];
    c->angle = *p[9] != 0.0;
    c->bumpless = *p[10] != 0.0;
}

const Plain plain_pid = {sizeof(struct pid), prepare, pid_outputs, pid_derivatives, pid_update, 0};
const Plain plain_pid_unfiltered = {sizeof(struct pid), prepare, unfiltered_outputs, unfiltered_derivatives, 0, 0};
