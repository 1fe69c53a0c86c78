#include <math.h>
#include <stdint.h>

#include "philox.h"
#include "plain.h"

static const double pi = 3.14159265358979323846;

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
    double speed = c->mean[0] + b->z[1], direction = c->mean[1] + b->z[2];
    b->y[0][0] = speed * cos(direction);
    b->y[0][1] = speed * sin(direction);
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
