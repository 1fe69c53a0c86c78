/* A sea that grows and veers: amplitudes follow a schedule, all else of the components stays. */
#include <math.h>
#include <string.h>

#include "philox.h"
#include "plain.h"
#include "sea.h"
#include "table.h"

enum { MOST_WAVES = 2000, MOST_BANDS = 500 };

struct evolving {
    int m, n, frequencies, directions, dnv;
    const double *times, *heights, *periods, *means;
    double gamma, s, reach;
    double f[2 * MOST_BANDS + 1], angle[2 * MOST_BANDS + 1], waves[ROWS * MOST_WAVES];
};

static double jonswap(double x, double log_gamma)
{
    double part = (x - 1.0) / (x <= 1.0 ? 0.07 : 0.09);
    return exp(-1.25 / (x * x * x * x) + log_gamma * exp(-0.5 * part * part)) / (x * x * x * x * x);
}

static double spread(const struct evolving *c, double angle)
{
    angle = remainder(angle, 2.0 * PI);
    return fabs(angle) < c->reach ? pow(cos(angle), 2.0 * c->s) : 0.0;
}

static void evolving_outputs(const Block *b, double t)
{
    const struct evolving *c = b->constants;
    double H = table_value(c->times, c->heights, c->m, t), T = table_value(c->times, c->periods, c->m, t);
    double mean = table_value(c->times, c->means, c->m, t), gamma = c->gamma, ratio = T / sqrt(H);
    double share[MOST_BANDS], sum = 0.0, energy = 0.0;
    double *a = b->y[0] + AMPLITUDE * c->n;
    int n = c->n, many = c->directions;
    if (c->dnv)
        gamma = ratio <= 3.6 ? 5.0 : ratio < 5.0 ? exp(5.75 - 1.15 * ratio) : 1.0;
    memcpy(b->y[0], c->waves, ROWS * n * sizeof *a);
    double here = spread(c, c->angle[0] - mean);
    for (int j = 0; j < many; j++) {
        double next = spread(c, c->angle[2 * j + 2] - mean);
        share[j] = many == 1 ? 1.0 : here + 4.0 * spread(c, c->angle[2 * j + 1] - mean) + next;
        sum += share[j];
        here = next;
    }
    here = jonswap(c->f[0] * T, log(gamma));
    for (int i = 0; i < c->frequencies; i++) {
        double next = jonswap(c->f[2 * i + 2] * T, log(gamma));
        double size = (c->f[2 * i + 2] - c->f[2 * i]) * (here + 4.0 * jonswap(c->f[2 * i + 1] * T, log(gamma)) + next);
        energy += size;
        for (int j = 0; j < many; j++)
            a[i * many + j] = size * share[j];
        here = next;
    }
    for (int i = 0; i < n; i++)
        a[i] = sqrt(H * H / 8.0 * a[i] / (energy * sum));
}

static double wave_number(double omega, double depth, double g)
{
    double deep = omega * omega / g, k = deep;
    if (deep * depth >= 20.0)
        return deep;
    for (int i = 0; i < 60; i++) {
        double th = tanh(k * depth);
        k -= (k * th - deep) / (th + k * depth * (1.0 - th * th));
    }
    return k;
}

/* Parameters: times, significant_height, peak_period, direction, peakedness, peak_enhancement, spreading, frequencies,
 * directions, seed, depth, gravity, lower_limit, upper_limit; sizes: waves, rows of the schedule, bands. */
static void evolving_prepare(const double *const *p, const int *n, void *constants)
{
    struct evolving *c = constants;
    c->n = n[0];
    c->m = n[1];
    c->frequencies = n[2];
    c->directions = n[3];
    c->times = p[0];
    c->heights = p[1];
    c->periods = p[2];
    c->means = p[3];
    c->gamma = *p[4];
    c->dnv = *p[5] == 1.0;
    c->s = *p[6];
    c->reach = c->s > 0.0 ? fmin(0.5 * PI, 8.5 / sqrt(2.0 * c->s)) : 0.5 * PI;
    double shortest = p[2][0], longest = shortest, least = p[3][0], greatest = least;
    for (int k = 1; k < c->m; k++) {
        shortest = fmin(shortest, p[2][k]);
        longest = fmax(longest, p[2][k]);
        least = fmin(least, p[3][k]);
        greatest = fmax(greatest, p[3][k]);
    }
    double first = *p[12] / longest, last = *p[13] / shortest;
    for (int i = 0; i <= 2 * c->frequencies; i++)
        c->f[i] = first * pow(last / first, i / (2.0 * c->frequencies));
    if (c->directions > 1) {
        least -= c->reach;
        greatest = fmin(greatest + c->reach, least + 2.0 * PI);
    }
    for (int j = 0; j <= 2 * c->directions; j++)
        c->angle[j] = least + (greatest - least) * j / (2.0 * c->directions);
    for (int i = 0; i < c->frequencies; i++)
        for (int j = 0; j < c->directions; j++) {
            double place[2], phase[2], *w = c->waves + i * c->directions + j;
            draw_pair(i, j, 1, (uint32_t)*p[9], 0, place);
            draw_pair(i, j, 0, (uint32_t)*p[9], 0, phase);
            double omega = 2.0 * PI * (c->f[2 * i] + place[0] * (c->f[2 * i + 2] - c->f[2 * i]));
            double to = c->angle[2 * j] + place[1] * (c->angle[2 * j + 2] - c->angle[2 * j]);
            double k = wave_number(omega, *p[10], *p[11]);
            w[OMEGA * c->n] = omega;
            w[NORTH * c->n] = k * cos(to);
            w[EAST * c->n] = k * sin(to);
            w[NUMBER * c->n] = k;
            w[AMPLITUDE * c->n] = 0.0;
            w[PHASE * c->n] = 2.0 * PI * phase[0];
            w[BOTTOM * c->n] = k * *p[10] < 20.0 ? exp(-2.0 * k * *p[10]) : 0.0;
        }
}

const Plain plain_evolving_sea = {sizeof(struct evolving), evolving_prepare, evolving_outputs, 0, 0, 0};
