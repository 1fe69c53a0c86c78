/* The PID controller, with and without a filtered derivative, its gains constant or from tables, and a wrench from its
 * components. */
#include <math.h>

#include "plain.h"
#include "table.h"

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

/* Gains from tables. Parameters as above with tables for gains, then breakpoints; sizes: n, m. */

struct gains {
    double kp, ki, kd;
};

struct scheduled {
    struct pid pid;                 /* its gains are tables of m */
    int m;
    const double *points;
};

static void scheduled_prepare(const double *const *p, const int *n, void *constants)
{
    struct scheduled *c = constants;
    prepare(p, n, &c->pid);
    c->m = n[1];
    c->points = p[11];
}

static struct gains look_up(const struct scheduled *c, const Block *b)
{
    double s = b->u[3][0];
    const double *x = c->points;
    int k = table_interval(x, c->m, s);
    double part = limit((s - x[k]) / (x[k + 1] - x[k]), 0.0, 1.0);
    const double *kp = c->pid.kp + k, *ki = c->pid.ki + k, *kd = c->pid.kd + k;
    return (struct gains){
        kp[0] + part * (kp[1] - kp[0]), ki[0] + part * (ki[1] - ki[0]), kd[0] + part * (kd[1] - kd[0])
    };
}

static double scheduled_rate(const struct pid *c, const struct gains *g, int i, double e, double v)
{
    double excess = v - limit(v, c->lower[i], c->upper[i]);
    double rate = g->ki * e;
    if (g->ki == 0.0)
        return 0.0;
    if (c->anti_windup == BACK_CALCULATION)
        return rate - c->K_t * excess;
    return c->anti_windup == CLAMPING && excess * rate > 0.0 ? 0.0 : rate;
}

static double scheduled_sum(const struct pid *c, const struct gains *g, const Block *b, int i, double e, double ahead)
{
    double v = g->kp * e + b->x[i] + b->u[2][i];
    if (c->derivative == OF_RATE)
        return v - g->kd * b->u[4][i];
    return c->derivative == NO_DERIVATIVE ? v : v + g->kd * c->N * ahead;
}

static void scheduled_outputs(const Block *b, double t)
{
    const struct scheduled *s = b->constants;
    const struct pid *c = &s->pid;
    struct gains g = look_up(s, b);
    int filtered = c->derivative < OF_RATE;
    for (int i = 0; i < c->n; i++) {
        double e = difference(c, b->u[0][i] - b->u[1][i]);
        double v = scheduled_sum(c, &g, b, i, e, filtered ? ahead_of_filter(c, b, i) : 0.0);
        b->y[0][i] = limit(v, c->lower[i], c->upper[i]);
        b->y[1][i] = e;
    }
}

static void scheduled_derivatives(const Block *b, double t)
{
    const struct scheduled *s = b->constants;
    const struct pid *c = &s->pid;
    struct gains g = look_up(s, b);
    int filtered = c->derivative < OF_RATE;
    for (int i = 0; i < c->n; i++) {
        double e = b->y[1][i];
        double ahead = filtered ? ahead_of_filter(c, b, i) : 0.0;
        b->dx[i] = scheduled_rate(c, &g, i, e, scheduled_sum(c, &g, b, i, e, ahead));
        if (filtered)
            b->dx[c->n + i] = c->N * ahead;
    }
}

static void scheduled_update(const Block *b, double t)
{
    const struct scheduled *s = b->constants;
    const Block own = {&s->pid, b->u, b->y, b->x, b->dx, b->z, b->g, b->key};
    pid_update(&own, t);
}

const Plain plain_gain_scheduled_pid = {
    sizeof(struct scheduled), scheduled_prepare, scheduled_outputs, scheduled_derivatives, scheduled_update, 0
};
const Plain plain_gain_scheduled_pid_unfiltered = {
    sizeof(struct scheduled), scheduled_prepare, scheduled_outputs, scheduled_derivatives, 0, 0
};

static void wrench_outputs(const Block *b, double t)
{
    for (int i = 0; i < 6; i++)
        b->y[0][i] = b->u[i][0];
}

const Plain plain_compose_wrench = {0, 0, wrench_outputs, 0, 0, 0};
