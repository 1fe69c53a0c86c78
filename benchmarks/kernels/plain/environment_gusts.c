/* A wind with gusts: harmonics that stand for bands of equal energy of a spectrum. */
#include <math.h>
#include <stdint.h>

#include "philox.h"
#include "plain.h"
#include "table.h"

static const double PI = 3.14159265358979323846;

/* A density, straight between points */

enum { MOST_POINTS = 513 };

struct density {
    int count;
    double x[MOST_POINTS];
    double y[MOST_POINTS];
    double below[MOST_POINTS];      /* integral up to each point */
};

static void integrate(struct density *d)
{
    d->below[0] = 0.0;
    for (int k = 1; k < d->count; k++)
        d->below[k] = d->below[k - 1] + (d->y[k - 1] + d->y[k]) / 2 * (d->x[k] - d->x[k - 1]);
}

static double whole_of(const struct density *d)
{
    return d->below[d->count - 1];
}

/* The x up to which that part of the integral is found: y_k s + slope s^2/2 = rest, solved for s = x - x_k */
static double where_part_is(const struct density *d, double part)
{
    double sought = part * whole_of(d);
    int k = table_interval(d->below, d->count, sought);
    double rest = sought - d->below[k];
    double slope = (d->y[k + 1] - d->y[k]) / (d->x[k + 1] - d->x[k]);
    double root = d->y[k] + sqrt(fmax(d->y[k] * d->y[k] + 2.0 * slope * rest, 0.0));
    return root > 0.0 ? d->x[k] + 2.0 * rest / root : d->x[k];
}

enum { MOST_HARMONICS = 1024 };

struct gusts {
    int n;
    double speed, north, east, amplitude, omega[MOST_HARMONICS], phase[MOST_HARMONICS];
    struct density spectrum;
};

/* Parameters: speed, direction, spectrum, harmonics, drag_coefficient, lower_frequency, upper_frequency, seed. */
static void gusts_prepare(const double *const *p, const int *n, void *constants)
{
    struct gusts *c = constants;
    double U = *p[0], kappa = *p[4];
    c->n = n[0];
    c->speed = U;
    c->north = -cos(*p[1]);
    c->east = -sin(*p[1]);
    c->spectrum.count = MOST_POINTS;
    for (int k = 0; k < MOST_POINTS; k++) {
        double f = *p[5] * pow(*p[6] / *p[5], k / (MOST_POINTS - 1.0)), x, S;
        if (*p[2] == 0.0) {
            x = 1200.0 * f / U;
            S = 4.0 * kappa * U * U * x * x / pow(1.0 + x * x, 4.0 / 3.0) / f;
        } else if (*p[2] == 1.0) {
            x = 1800.0 * f / U;
            S = 4.0 * kappa * U * U * x / pow(2.0 + x * x, 5.0 / 6.0) / f;
        } else {
            x = 172.0 * f / pow(U / 10.0, 0.75);
            S = 320.0 * (U / 10.0) * (U / 10.0) / pow(1.0 + pow(x, 0.468), 5.0 / (3.0 * 0.468));
        }
        c->spectrum.x[k] = f;
        c->spectrum.y[k] = S;
    }
    integrate(&c->spectrum);
    c->amplitude = sqrt(2.0 * whole_of(&c->spectrum) / c->n);
    for (int i = 0; i < c->n; i++) {
        double pair[2];
        draw_pair((uint64_t)i, 0, 2, (uint32_t)*p[7], 0, pair);
        c->omega[i] = 2.0 * PI * where_part_is(&c->spectrum, (i + pair[0]) / c->n);   /* a band has 1/n of it */
        c->phase[i] = 2.0 * PI * pair[1];
    }
}

static void gusts_outputs(const Block *b, double t)
{
    const struct gusts *c = b->constants;
    double sum = 0.0;
    for (int i = 0; i < c->n; i++)
        sum += cos(c->omega[i] * t + c->phase[i]);
    double speed = c->speed + c->amplitude * sum;
    b->y[0][0] = speed * c->north;
    b->y[0][1] = speed * c->east;
    b->y[0][2] = 0.0;
}

const Plain plain_gusting_wind = {sizeof(struct gusts), gusts_prepare, gusts_outputs, 0, 0, 0};
