/* Two propellers side by side, and thrusters known by a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "table.h"
#include "thrust.h"

/* Side by side */

struct pair {
    double arm, depth, ahead, astern, efficiency, full_speed;
};

static void pair_outputs(const Block *b, double t)
{
    const struct pair *c = b->constants;
    const double *nu_r = b->u[1];
    double *tau = b->y[0], *f = b->y[1];
    for (int i = 0; i < 2; i++) {
        f[i] = limited(b->u[0][i], -c->astern, c->ahead);
        b->y[2][i] = copysign(c->full_speed * sqrt(fabs(f[i]) / c->ahead), f[i]);
        double power = f[i] * (nu_r[0] + c->depth * nu_r[4] + (i == 0 ? c->arm : -c->arm) * nu_r[5]);
        b->y[3][i] = power > 0.0 ? power / c->efficiency : power * c->efficiency;
    }
    memset(tau, 0, 6 * sizeof(double));
    tau[0] = f[0] + f[1];
    tau[4] = c->depth * tau[0];
    tau[5] = c->arm * (f[0] - f[1]);
}

/* Parameters: spacing, depth, thrust_limit_forward, thrust_limit_reverse, efficiency, full_speed. */
static void pair_prepare(const double *const *p, const int *n, void *constants)
{
    struct pair *c = constants;
    *c = (struct pair){0.5 * *p[0], *p[1], *p[2], *p[3], *p[4], *p[5]};
}

const Plain plain_differential_thrust = {sizeof(struct pair), pair_prepare, pair_outputs, 0, 0, 0};

/* By a table */

enum { MOST_POINTS = 400, MOST_THRUSTERS = 24 };
enum { THRUST, SPEED, POWER, QUANTITIES };

struct bench {
    int n, m;
    double axis[MOST_THRUSTERS][6], inflow[MOST_THRUSTERS];
    const double *command;
    double cubic[QUANTITIES][MOST_POINTS][4];   /* of each interval, from the constant up, over the part of the way */
};

static double value(const double c[4], double part)
{
    return c[0] + part * (c[1] + part * (c[2] + part * c[3]));
}

static void bench_outputs(const Block *b, double t)
{
    const struct bench *c = b->constants;
    double *tau = b->y[0];
    memset(tau, 0, 6 * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        double command = limited(b->u[0][i], c->command[0], c->command[c->m - 1]);
        int k = table_interval(c->command, c->m, command);
        double part = (command - c->command[k]) / (c->command[k + 1] - c->command[k]);
        double n = value(c->cubic[SPEED][k], part);
        double f = value(c->cubic[THRUST][k], part) - c->inflow[i] * fabs(n) * product6(c->axis[i], b->u[1]);
        for (int j = 0; j < 6; j++)
            tau[j] += c->axis[i][j] * f;
        b->y[1][i] = f;
        b->y[2][i] = n;
        b->y[3][i] = value(c->cubic[POWER][k], part);
    }
}

/* Slope at an end, h and d being length and slope of the first interval and the second. */
static double end_slope(double h0, double h1, double d0, double d1)
{
    double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (slope * d0 <= 0.0)
        return 0.0;
    return d0 * d1 <= 0.0 && fabs(slope) > 3.0 * fabs(d0) ? 3.0 * d0 : slope;
}

/* Pchip: weighted harmonic means of the slopes on both sides, zero at extrema. */
static void find_slopes(const double *x, const double *y, int m, double *slope)
{
    double h[MOST_POINTS] = {0.0}, d[MOST_POINTS] = {0.0};
    for (int k = 0; k < m - 1; k++) {
        h[k] = x[k + 1] - x[k];
        d[k] = (y[k + 1] - y[k]) / h[k];
    }
    for (int k = 1; k < m - 1; k++) {
        double before = 2.0 * h[k] + h[k - 1], after = h[k] + 2.0 * h[k - 1];
        slope[k] = d[k - 1] * d[k] > 0.0 ? (before + after) / (before / d[k - 1] + after / d[k]) : 0.0;
    }
    slope[0] = m > 2 ? end_slope(h[0], h[1], d[0], d[1]) : d[0];
    slope[m - 1] = m > 2 ? end_slope(h[m - 2], h[m - 3], d[m - 2], d[m - 3]) : d[0];
}

/* Parameters: allocation_matrix, commands, thrusts, speeds, powers, interpolation, inflow_coefficient. */
static void bench_prepare(const double *const *p, const int *n, void *constants)
{
    struct bench *c = constants;
    if (n[0] > MOST_THRUSTERS || n[1] > MOST_POINTS)
        abort();
    c->n = n[0];
    c->m = n[1];
    c->command = p[1];
    for (int i = 0; i < n[0]; i++) {
        c->inflow[i] = p[6][i];
        for (int j = 0; j < 6; j++)
            c->axis[i][j] = p[0][j * n[0] + i];
    }
    for (int q = 0; q < QUANTITIES; q++) {
        double slope[MOST_POINTS];
        find_slopes(p[1], p[2 + q], n[1], slope);
        for (int k = 0; k < n[1] - 1; k++) {
            const double *x = p[1] + k, *y = p[2 + q] + k;
            double *a = c->cubic[q][k], rise = y[1] - y[0], h = x[1] - x[0];
            int smooth = *p[5] == 0.0;
            a[0] = y[0];
            a[1] = smooth ? h * slope[k] : rise;
            a[2] = smooth ? 3.0 * rise - h * (2.0 * slope[k] + slope[k + 1]) : 0.0;
            a[3] = smooth ? h * (slope[k] + slope[k + 1]) - 2.0 * rise : 0.0;
        }
    }
}

const Plain plain_measured_thruster = {sizeof(struct bench), bench_prepare, bench_outputs, 0, 0, 0};
