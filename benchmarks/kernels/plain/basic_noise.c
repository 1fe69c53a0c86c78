/* Noise: random numbers of the sample's number, the element and 0, with the seed and the block's key; normal ones by
 * Box and Muller. */
#include <math.h>
#include <stdint.h>

#include "philox.h"
#include "plain.h"

struct noise {
    int n;
    uint32_t seed;
    double period;
    const double *first, *second;
};

static void draw(const Block *b, int element, double pair[2])
{
    const struct noise *c = b->constants;
    draw_pair((uint64_t)b->z[0], (uint32_t)element, 0, c->seed, b->key, pair);
}

static double normal(const Block *b, int element)
{
    const double pi = 3.14159265358979323846;
    double pair[2];
    draw(b, element, pair);
    return sqrt(-2.0 * log(pair[0])) * cos(2.0 * pi * pair[1]);
}

static void next_sample(const Block *b, double t)
{
    b->z[0] += 1.0;
}

/* Parameters: mean, standard_deviation or lower, upper; seed. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct noise *c = constants;
    *c = (struct noise){n[0], (uint32_t)*p[2], *p[3], p[0], p[1]};
}

static void gaussian_outputs(const Block *b, double t)
{
    const struct noise *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = c->first[i] + c->second[i] * normal(b, i);
}

static void uniform_outputs(const Block *b, double t)
{
    const struct noise *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double pair[2];
        draw(b, i, pair);
        b->y[0][i] = c->first[i] + (c->second[i] - c->first[i]) * pair[0];
    }
}

const Plain plain_gaussian_noise = {sizeof(struct noise), prepare, gaussian_outputs, 0, next_sample, 0};
const Plain plain_uniform_noise = {sizeof(struct noise), prepare, uniform_outputs, 0, next_sample, 0};

/* Parameters: spectral_density, seed, period. */
static void white_prepare(const double *const *p, const int *n, void *constants)
{
    struct noise *c = constants;
    *c = (struct noise){n[0], (uint32_t)*p[1], *p[2], p[0], p[0]};
}

static void white_outputs(const Block *b, double t)
{
    const struct noise *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = sqrt(c->first[i] / c->period) * normal(b, i);
}

const Plain plain_white_noise = {sizeof(struct noise), white_prepare, white_outputs, 0, next_sample, 0};
