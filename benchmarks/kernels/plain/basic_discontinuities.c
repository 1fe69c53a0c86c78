/* Limits, dead zone, quantizer, rate limiter: element by element. */
#include <math.h>

#include "plain.h"

struct elements {
    int n;
    const double *first, *second;   /* parameters */
};

static void prepare(const double *const *p, const int *n, void *constants)
{
    struct elements *c = constants;
    c->n = n[0];
    c->first = p[0];
    c->second = p[1];
}

/* saturation and dead_zone: parameters: lower, upper */

static void saturation_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i];
        b->y[0][i] = u < c->first[i] ? c->first[i] : u > c->second[i] ? c->second[i] : u;
    }
}

static void dead_zone_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i];
        b->y[0][i] = u < c->first[i] ? u - c->first[i] : u > c->second[i] ? u - c->second[i] : 0.0;
    }
}

const Plain plain_saturation = {sizeof(struct elements), prepare, saturation_outputs, 0, 0, 0};
const Plain plain_dead_zone = {sizeof(struct elements), prepare, dead_zone_outputs, 0, 0, 0};

/* quantizer: parameters: interval; z: the output */

static void quantizer_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = b->z[i];
}

static void quantizer_update(const Block *b, double t)
{
    const struct elements *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->z[i] = c->first[i] * round(b->u[0][i] / c->first[i]);
}

const Plain plain_quantizer = {sizeof(struct elements), prepare, quantizer_outputs, 0, quantizer_update, 0};

/* rate_limiter: parameters: rising, falling; z: outputs at the last major step, where they lag behind, and its time */

static void rate_limiter_outputs(const Block *b, double t)
{
    const struct elements *c = b->constants;
    double elapsed = t - b->z[2 * c->n];
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = b->z[i] + fmin(fmax(b->u[0][i] - b->z[i], -c->second[i] * elapsed), c->first[i] * elapsed);
}

static void rate_limiter_update(const Block *b, double t)
{
    const struct elements *c = b->constants;
    double elapsed = t - b->z[2 * c->n];
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i];
        b->z[i] += fmin(fmax(u - b->z[i], -c->second[i] * elapsed), c->first[i] * elapsed);
        b->z[c->n + i] = b->z[i] < u ? 1.0 : b->z[i] > u ? -1.0 : 0.0;
    }
    b->z[2 * c->n] = t;
}

const Plain plain_rate_limiter = {sizeof(struct elements), prepare, rate_limiter_outputs, 0, rate_limiter_update, 0};
