/* Currents that wander, and currents that change with the depth. */
#include <math.h>
#include <stdint.h>

#include "philox.h"
#include "plain.h"
#include "table.h"

static const double pi = 3.14159265358979323846;

static void flow(double speed, double direction, double *y)
{
    y[0] = speed * cos(direction);
    y[1] = speed * sin(direction);
    y[2] = 0.0;
}

/* Three Gauss-Markov processes: z is the number of the sample, then what speed, direction and vertical velocity are
 * beside their means. */

struct wandering {
    double mean[3], kept[3], step[3], lowest, highest;
    uint32_t seed;
};

/* Parameters: three means, three standard deviations, three correlation times, lowest and highest speed, seed,
 * period. */
static void wandering_prepare(const double *const *p, const int *n, void *constants)
{
    struct wandering *c = constants;
    for (int i = 0; i < 3; i++) {
        double a = *p[12] / *p[6 + i];
        c->mean[i] = *p[i];
        c->kept[i] = exp(-a);
        c->step[i] = *p[3 + i] * sqrt(1.0 - exp(-2.0 * a));
    }
    c->lowest = *p[9];
    c->highest = *p[10];
    c->seed = (uint32_t)*p[11];
}

static void wandering_outputs(const Block *b, double t)
{
    const struct wandering *c = b->constants;
    flow(c->mean[0] + b->z[1], c->mean[1] + b->z[2], b->y[0]);
    b->y[0][2] = c->mean[2] + b->z[3];
}

static void wandering_update(const Block *b, double t)
{
    const struct wandering *c = b->constants;
    for (int i = 0; i < 3; i++) {
        double pair[2];
        draw_pair((uint64_t)b->z[0], (uint32_t)i, 1, c->seed, b->key, pair);
        b->z[1 + i] = c->kept[i] * b->z[1 + i] + c->step[i] * sqrt(-2.0 * log(pair[0])) * cos(2.0 * pi * pair[1]);
    }
    b->z[1] = fmin(fmax(c->mean[0] + b->z[1], c->lowest), c->highest) - c->mean[0];
    b->z[0] += 1.0;
}

const Plain plain_gauss_markov_current = {
    sizeof(struct wandering), wandering_prepare, wandering_outputs, 0, wandering_update, 0,
};

/* A table over the depth */

enum { MOST_DEPTHS = 200 };

struct profile {
    int count;
    const double *depths, *speeds;
    double directions[MOST_DEPTHS];     /* without jumps of a turn */
};

static void profile_prepare(const double *const *p, const int *n, void *constants)
{
    struct profile *c = constants;
    c->count = n[0];
    c->depths = p[0];
    c->speeds = p[1];
    for (int k = 0; k < n[0]; k++)
        c->directions[k] = k ? c->directions[k - 1] + remainder(p[2][k] - p[2][k - 1], 2.0 * pi) : p[2][0];
}

static void profile_outputs(const Block *b, double t)
{
    const struct profile *c = b->constants;
    double z = b->u[0][2];
    flow(table_value(c->depths, c->speeds, c->count, z), table_value(c->depths, c->directions, c->count, z), b->y[0]);
}

const Plain plain_sheared_current = {sizeof(struct profile), profile_prepare, profile_outputs, 0, 0, 0};

/* A power law from the surface to the bottom */

struct power_law {
    double north, east, depth, exponent;
};

/* Parameters: speed, direction, depth, exponent. */
static void power_law_prepare(const double *const *p, const int *n, void *constants)
{
    struct power_law *c = constants;
    *c = (struct power_law){*p[0] * cos(*p[1]), *p[0] * sin(*p[1]), *p[2], *p[3]};
}

static void power_law_outputs(const Block *b, double t)
{
    const struct power_law *c = b->constants;
    double z = b->u[0][2], share = z <= 0.0 ? 1.0 : z >= c->depth ? 0.0 : pow(1.0 - z / c->depth, c->exponent);
    b->y[0][0] = share * c->north;
    b->y[0][1] = share * c->east;
    b->y[0][2] = 0.0;
}

const Plain plain_power_law_current = {sizeof(struct power_law), power_law_prepare, power_law_outputs, 0, 0, 0};
