/* Motions in waves: from tables of motion transfer functions, and of a box-shaped ship in closed form. */
#include <complex.h>
#include <math.h>

#include "plain.h"
#include "sea.h"
#include "table.h"

enum { MOST_NODES = 1000, MOST_HEADINGS = 100 };

static const int SIDEWAYS[6] = {0, 1, 0, 1, 0, 1};

struct slow {
    double x, y, c, s, north, east;
};

static struct slow slow_of(const Block *b)
{
    const double *eta = b->u[1], *nu = b->u[2];
    double c = cos(eta[5]), s = sin(eta[5]);
    return (struct slow){eta[0], eta[1], c, s, nu[0] * c - nu[1] * s, nu[0] * s + nu[1] * c};
}

static void put(const Block *b, const struct slow *v, double motion[3][6])
{
    const double *eta = b->u[1], *nu = b->u[2];
    for (int d = 0; d < 6; d++) {
        b->y[0][d] = motion[0][d];
        b->y[1][d] = motion[1][d];
        b->y[2][d] = motion[2][d];
        b->y[3][d] = eta[d] + motion[0][d];
        b->y[4][d] = nu[d] + motion[1][d];
    }
    b->y[3][0] = eta[0] + motion[0][0] * v->c - motion[0][1] * v->s;
    b->y[3][1] = eta[1] + motion[0][0] * v->s + motion[0][1] * v->c;
}

struct response {
    int n, rows, columns, symmetric;
    const double *frequencies;
    double headings[MOST_HEADINGS + 1];
    double re[MOST_NODES][6], im[MOST_NODES][6];        /* a row per frequency, a column per heading */
};

static double part_of(const double *points, int k, double value)
{
    return fmin(fmax((value - points[k]) / (points[k + 1] - points[k]), 0.0), 1.0);
}

static void rao_outputs(const Block *b, double t)
{
    const struct response *c = b->constants;
    const double *w = b->u[0];
    struct slow v = slow_of(b);
    int n = c->n;
    double motion[3][6] = {{0.0}};
    for (int i = 0; i < n; i++) {
        double omega = w[OMEGA * n + i], north = w[NORTH * n + i], east = w[EAST * n + i], a = w[AMPLITUDE * n + i];
        if (omega > c->frequencies[c->rows - 1])
            continue;
        double theta = north * v.x + east * v.y - omega * t + w[PHASE * n + i];
        double rate = north * v.north + east * v.east - omega;
        double a_cos = a * cos(theta), a_sin = a * sin(theta);
        double heading = atan2(east * v.c - north * v.s, north * v.c + east * v.s), side = 1.0;
        if (c->symmetric) {
            side = heading < 0.0 ? -1.0 : 1.0;
            heading = fabs(heading);
        } else {
            heading -= 2.0 * PI * floor((heading - c->headings[0]) / (2.0 * PI));
        }
        int row = table_interval(c->frequencies, c->rows, omega);
        int column = table_interval(c->headings, c->columns, heading);
        double down = part_of(c->frequencies, row, omega), across = part_of(c->headings, column, heading);
        double weight[4] = {(1.0 - down) * (1.0 - across), (1.0 - down) * across, down * (1.0 - across), down * across};
        int first = row * c->columns + column;
        int corner[4] = {first, first + 1, first + c->columns, first + c->columns + 1};
        double slope = omega < c->frequencies[0] ? omega / c->frequencies[0] * (omega / c->frequencies[0]) : 1.0;
        for (int d = 0; d < 6; d++) {
            double re = 0.0, im = 0.0, size = (SIDEWAYS[d] ? side : 1.0) * (d > 2 ? slope : 1.0);
            for (int j = 0; j < 4; j++) {
                re += weight[j] * c->re[corner[j]][d];
                im += weight[j] * c->im[corner[j]][d];
            }
            double here = size * (a_cos * re - a_sin * im);
            motion[0][d] += here;
            motion[1][d] -= rate * size * (a_sin * re + a_cos * im);
            motion[2][d] -= rate * rate * here;
        }
    }
    put(b, &v, motion);
}

/* Parameters: frequencies, headings, amplitude, phase; sizes: waves, frequencies, headings. */
static void rao_prepare(const double *const *p, const int *n, void *constants)
{
    struct response *c = constants;
    int given = n[2];
    c->n = n[0];
    c->rows = n[1];
    c->frequencies = p[0];
    c->symmetric = fabs(p[1][0]) < 1e-6 && fabs(p[1][given - 1] - PI) < 1e-6;
    int closed = c->symmetric || p[1][given - 1] - p[1][0] > 2.0 * PI - 1e-6;
    c->columns = closed ? given : given + 1;
    for (int j = 0; j < c->columns; j++)
        c->headings[j] = j < given ? p[1][j] : p[1][0] + 2.0 * PI;
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->columns; j++) {
            int node = i * c->columns + j, central = c->symmetric && (j == 0 || j == given - 1);
            for (int d = 0; d < 6; d++) {
                int at = (d * c->rows + i) * given + j % given;
                double size = central && SIDEWAYS[d] ? 0.0 : p[2][at];
                c->re[node][d] = size * cos(p[3][at]);
                c->im[node][d] = size * sin(p[3][at]);
            }
        }
}

const Plain plain_motion_rao = {sizeof(struct response), rao_prepare, rao_outputs, 0, 0, 0};

/* Parameters: length, breadth, draught, block_coefficient, roll_period, roll_damping; sizes: waves. */

struct box {
    int n;
    double L, B, T, Be, omega4, zeta;
};

static double mean_of(double x)
{
    return fabs(x) < 1e-3 ? 1.0 - x * x / 6.0 : sin(x) / x;
}

static double slope_of(double x)
{
    if (fabs(x) < 0.1)
        return 1.0 - x * x / 10.0 + x * x * x * x / 280.0 - x * x * x * x * x * x / 15120.0;
    return 3.0 * (sin(x) - x * cos(x)) / (x * x * x);
}

static void box_outputs(const Block *b, double t)
{
    const struct box *c = b->constants;
    const double *w = b->u[0];
    struct slow v = slow_of(b);
    int n = c->n;
    double motion[3][6] = {{0.0}};
    for (int i = 0; i < n; i++) {
        double omega = w[OMEGA * n + i], north = w[NORTH * n + i], east = w[EAST * n + i], k = w[NUMBER * n + i];
        double kx = north * v.c + east * v.s, ky = east * v.c - north * v.s;
        double rate = north * v.north + east * v.east - omega, alpha = -rate / omega;
        double A = 2.0 * sin(0.5 * k * c->Be * alpha * alpha) * exp(-k * c->T * alpha * alpha);
        double D = A * A / (k * c->Be * alpha * alpha);
        double sigma = 0.5 * kx * c->L, mean = mean_of(sigma), smith = exp(-fabs(kx) * c->T);
        double complex PQ = (1.0 - k * c->T - I * D / fabs(alpha))
            / (1.0 - 2.0 * k * c->T * alpha * alpha - I * copysign(D, alpha));
        double theta = north * v.x + east * v.y - omega * t + w[PHASE * n + i];
        double complex wave = w[AMPLITUDE * n + i] * (cos(theta) + I * sin(theta));
        double ratio = -rate / c->omega4;
        double complex of[3] = {
            -smith * mean * PQ,
            -I * ky * mean * slope_of(0.5 * ky * c->B) / (1.0 - ratio * ratio - 2.0 * I * c->zeta * ratio),
            I * kx * smith * slope_of(sigma) * PQ};
        for (int d = 0; d < 3; d++) {
            double complex here = of[d] * wave;
            motion[0][2 + d] += creal(here);
            motion[1][2 + d] -= rate * cimag(here);
            motion[2][2 + d] -= rate * rate * creal(here);
        }
    }
    put(b, &v, motion);
}

static void box_prepare(const double *const *p, const int *n, void *constants)
{
    struct box *c = constants;
    *c = (struct box){n[0], *p[0], *p[1], *p[2], *p[3] * *p[1], 2.0 * PI / *p[4], *p[5]};
}

const Plain plain_box_ship_motion = {sizeof(struct box), box_prepare, box_outputs, 0, 0, 0};
