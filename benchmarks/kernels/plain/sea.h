/* What seas are made of: regular waves, and densities whose integral is cut into bands.
 *
 * Waves are a matrix with a column per component: omega, k_north, k_east, k, amplitude, phase, e^(-2 k h). */
#ifndef SEA_H
#define SEA_H

#include <math.h>

#include "table.h"

enum { OMEGA, NORTH, EAST, NUMBER, AMPLITUDE, PHASE, BOTTOM, ROWS };

static const double PI = 3.14159265358979323846;

/* k of omega^2 = g k tanh(k h), by Newton's method from between its limits for deep and for shallow water */
static inline double wave_number(double omega, double depth, double gravity)
{
    double deep = omega * omega / gravity, k = deep / sqrt(tanh(deep * depth));
    for (int step = 0; step < 30; step++) {
        double th = tanh(k * depth);
        k -= (k * th - deep) / (th + k * depth * (1.0 - th * th));
    }
    return k;
}

/* Component i of n, travelling to `direction` */
static inline void put_wave(double *waves, int n, int i, double omega, double direction, double amplitude, double phase,
                            double depth, double gravity)
{
    double k = wave_number(omega, depth, gravity);
    waves[OMEGA * n + i] = omega;
    waves[NORTH * n + i] = k * cos(direction);
    waves[EAST * n + i] = k * sin(direction);
    waves[NUMBER * n + i] = k;
    waves[AMPLITUDE * n + i] = amplitude;
    waves[PHASE * n + i] = phase;
    waves[BOTTOM * n + i] = exp(-2.0 * k * depth);
}

/* A density, straight between points */

enum { MOST_POINTS = 513 };

struct density {
    int count;
    double x[MOST_POINTS];
    double y[MOST_POINTS];
    double below[MOST_POINTS];      /* integral up to each point */
};

static inline void integrate(struct density *d)
{
    d->below[0] = 0.0;
    for (int k = 1; k < d->count; k++)
        d->below[k] = d->below[k - 1] + (d->y[k - 1] + d->y[k]) / 2 * (d->x[k] - d->x[k - 1]);
}

static inline double whole_of(const struct density *d)
{
    return d->below[d->count - 1];
}

/* Part of the integral up to x, 0 to 1 */
static inline double part_up_to(const struct density *d, double x)
{
    if (x <= d->x[0])
        return 0.0;
    if (x >= d->x[d->count - 1])
        return 1.0;
    int k = table_interval(d->x, d->count, x);
    double y = table_value(d->x, d->y, d->count, x);
    return (d->below[k] + (d->y[k] + y) / 2 * (x - d->x[k])) / whole_of(d);
}

/* The x up to which that part of the integral is found: y_k s + slope s^2/2 = rest, solved for s = x - x_k */
static inline double where_part_is(const struct density *d, double part)
{
    double sought = part * whole_of(d);
    int k = table_interval(d->below, d->count, sought);
    double rest = sought - d->below[k];
    double slope = (d->y[k + 1] - d->y[k]) / (d->x[k + 1] - d->x[k]);
    double root = d->y[k] + sqrt(fmax(d->y[k] * d->y[k] + 2.0 * slope * rest, 0.0));
    return root > 0.0 ? d->x[k] + 2.0 * rest / root : d->x[k];
}

/* A band: its share of the integral is that from `from` to `to`; `middle` is where its component stands if it is not
 * drawn. */
struct band {
    double from, to, middle;
};

/* Band i of so many, of equal width between first and last, or of equal integral */
static inline struct band band_of(const struct density *d, int i, int many, int equal_width, double first, double last)
{
    if (!equal_width)
        return (struct band){(double)i / many, (double)(i + 1) / many, where_part_is(d, (i + 0.5) / many)};
    double width = (last - first) / many;
    double from = i == 0 ? 0.0 : part_up_to(d, first + i * width);
    double to = i == many - 1 ? 1.0 : part_up_to(d, first + (i + 1) * width);
    return (struct band){from, to, first + (i + 0.5) * width};
}

static inline double drawn_from(const struct density *d, struct band b, double random)
{
    return where_part_is(d, b.from + random * (b.to - b.from));
}

#endif
