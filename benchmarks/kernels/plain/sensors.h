/* What plain C of instruments shares. Their first state is the number of the sample; one that is late by `late` samples
 * has them in a ring, a row each, of which number modulo `late` is the oldest. */
#ifndef SENSORS_H
#define SENSORS_H

#include <math.h>
#include <stdint.h>

#include "philox.h"
#include "plain.h"
#include "thrust.h"

enum { NOISE, DRIFT };

static inline double normal_of(const Block *b, uint32_t seed, int channel, int use)
{
    const double two_pi = 6.28318530717958647692;
    double pair[2];
    draw_pair((uint64_t)b->z[0], (uint32_t)channel, (uint32_t)use, seed, b->key, pair);
    return sqrt(-2.0 * log(pair[0])) * cos(two_pi * pair[1]);
}

static inline double noise_of(const Block *b, double sigma, uint32_t seed, int channel)
{
    return sigma == 0.0 ? 0.0 : sigma * normal_of(b, seed, channel, NOISE);
}

/* x(k + 1) = e^(-T/tau) x(k) + sigma sqrt(1 - e^(-2 T/tau)) N(0, 1) */
struct wander {
    double keep, step;
};

static inline struct wander wander_of(double sigma, double period, double tau)
{
    return (struct wander){exp(-period / tau), sigma * sqrt(-expm1(-2.0 * period / tau))};
}

static inline void wander_on(const Block *b, struct wander w, uint32_t seed, int channel, double *x)
{
    *x = w.keep * *x + (w.step == 0.0 ? 0.0 : w.step * normal_of(b, seed, channel, DRIFT));
}

static inline double *oldest_of(const Block *b, double *ring, int late, int width)
{
    return ring + (int64_t)b->z[0] % late * width;
}

/* R = R_z(psi) R_y(theta) R_x(phi) of eta */
static inline void attitude_of(const double eta[6], double R[3][3])
{
    double sf = sin(eta[3]), cf = cos(eta[3]), st = sin(eta[4]), ct = cos(eta[4]), sp = sin(eta[5]), cp = cos(eta[5]);
    R[0][0] = cp * ct;
    R[0][1] = cp * st * sf - sp * cf;
    R[0][2] = cp * st * cf + sp * sf;
    R[1][0] = sp * ct;
    R[1][1] = sp * st * sf + cp * cf;
    R[1][2] = sp * st * cf - cp * sf;
    R[2][0] = -st;
    R[2][1] = ct * sf;
    R[2][2] = ct * cf;
}

#endif
