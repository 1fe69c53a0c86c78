/* What plain C of thrusters, foils and cables shares. */
#ifndef THRUST_H
#define THRUST_H

#include <math.h>

static inline double limited(double value, double lower, double upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

/* v + omega x r */
static inline void velocity_at(const double nu[6], const double r[3], double v[3])
{
    v[0] = nu[0] + nu[4] * r[2] - nu[5] * r[1];
    v[1] = nu[1] + nu[5] * r[0] - nu[3] * r[2];
    v[2] = nu[2] + nu[3] * r[1] - nu[4] * r[0];
}

/* (F, r x F) */
static inline void put_wrench(const double F[3], const double r[3], double tau[6])
{
    tau[0] = F[0];
    tau[1] = F[1];
    tau[2] = F[2];
    tau[3] = r[1] * F[2] - r[2] * F[1];
    tau[4] = r[2] * F[0] - r[0] * F[2];
    tau[5] = r[0] * F[1] - r[1] * F[0];
}

/* An actuator that follows its command by first order; `rate` is HUGE_VAL where that is not limited. */
struct actuator {
    double time_constant, rate;
};

enum { INSTANT, FIRST_ORDER, RATE_LIMITED };

static inline struct actuator actuator_of(double response, double time_constant, double rate)
{
    return (struct actuator){time_constant, response == RATE_LIMITED ? rate : HUGE_VAL};
}

static inline double actuator_rate(const struct actuator *a, double lag)
{
    return limited(lag / a->time_constant, -a->rate, a->rate);
}

/* Water behind an actuator disc: half of what this is above v has been gained at the disc. */
static inline double speed_behind_disc(double thrust, double v, double diameter, double density)
{
    const double pi = 3.14159265358979323846;
    return sqrt(v * v + 8.0 * thrust / (pi * density * diameter * diameter));
}

static inline double disc_power(double thrust, double v, double diameter, double density, double figure_of_merit)
{
    if (thrust <= 0.0)
        return 0.0;
    return thrust * 0.5 * (v + speed_behind_disc(thrust, v, diameter, density)) / figure_of_merit;
}

static inline double product6(const double a[6], const double b[6])
{
    double total = 0.0;
    for (int i = 0; i < 6; i++)
        total += a[i] * b[i];
    return total;
}

#endif
