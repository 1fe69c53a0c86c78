/* A wind with gusts: harmonics that stand for bands of equal energy of a spectrum. */
#include <math.h>
#include <stdint.h>

#include "philox.h"
#include "plain.h"
#include "sea.h"

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
        struct band band = band_of(&c->spectrum, i, c->n, 0, 0.0, 0.0);
        c->omega[i] = 2.0 * PI * drawn_from(&c->spectrum, band, pair[0]);
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
