/* Noise: Philox-4x32-10 (Salmon et al. 2011) of the sample's number, the element and 0, with the seed and the block's
 * key; normal numbers by Box and Muller. */
#include <math.h>
#include <stdint.h>

#include "plain.h"

struct noise {
    int n;
    uint32_t seed;
    double period;
    const double *first, *second;
};

static void philox(uint32_t x[4], uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53 * x[0], b = (uint64_t)0xCD9E8D57 * x[2];
        uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ key0, (uint32_t)b, (uint32_t)(a >> 32) ^ x[3] ^ key1, (uint32_t)a};
        for (int i = 0; i < 4; i++)
            x[i] = y[i];
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
}

/* Between 0 and 1, in the middle of 2^52 equal parts */
static double unit(uint32_t high, uint32_t low)
{
    uint64_t part = ((uint64_t)(high >> 6) << 26) + (low >> 6);
    return ((double)part + 0.5) / 4503599627370496.0;
}

static void draw(const Block *b, int element, double pair[2])
{
    const struct noise *c = b->constants;
    uint64_t sample = (uint64_t)b->z[0];
    uint32_t x[4] = {(uint32_t)sample, (uint32_t)(sample >> 32), (uint32_t)element, 0};
    philox(x, c->seed, b->key);
    pair[0] = unit(x[0], x[1]);
    pair[1] = unit(x[2], x[3]);
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
