/* Polynomials of hydrodynamic derivatives, as one writes them in C: a list of products with their four coefficients. */
#ifndef POLYNOMIALS_H
#define POLYNOMIALS_H

#include <math.h>

enum {U = 1, V, P, R, PHI, BETA, DELTA, N, FLOW = 17, VARIABLES = 18, MOST = 64, COLUMNS = 14};

struct term {
    int a, b, c, d;
    double X, Y, K, N;
};

struct polynomial {
    int count, divided;            /* divided: velocities by the speed */
    double length, velocity, slowest;
    struct term terms[MOST];
};

static inline double deepening(const double *row, double zeta)
{
    double left = zeta > row[5] ? zeta - row[5] : 0.0, product = 1.0;
    for (int k = 0; k < (int)row[4]; k++)
        product *= left;
    return product;
}

static inline double part(const double *row, int axis, const double *correction)
{
    return row[6 + axis] * correction[(int)row[10 + axis]];
}

/* Force that a coefficient of 1 stands for; system: 0 SI, 1 prime I, 2 prime II, 3 bis */
static inline double of_system(struct polynomial *s, int system, double rho, double L, double T, double m, double slowest)
{
    s->length = system ? L : 1.0;
    s->divided = system == 1 || system == 2;
    s->velocity = system == 3 ? 1.0 / sqrt(9.81 * L) : 1.0;
    s->slowest = slowest;
    return system == 0 ? 1.0 : system == 1 ? 0.5 * rho * L * L : system == 2 ? 0.5 * rho * L * T : 9.81 * m;
}

static inline void take_terms(struct polynomial *s, const double *table, int count, const double *correction,
                              double force, double zeta)
{
    s->count = count;
    for (int i = 0; i < count; i++) {
        const double *row = table + COLUMNS * i;
        double f = force * deepening(row, zeta), moment = f * s->length;
        s->terms[i] = (struct term){
            (int)row[0], (int)row[1], (int)row[2], (int)row[3],
            f * part(row, 0, correction), f * part(row, 1, correction),
            moment * part(row, 2, correction), moment * part(row, 3, correction),
        };
    }
}

/* x[U] to x[N] are there: the sums X, Y, K, N, times what U they are divided by */
static inline void evaluate(const struct polynomial *s, double x[VARIABLES], double square, double out[4])
{
    double X = 0.0, Y = 0.0, K = 0.0, M = 0.0;
    for (int i = U; i <= N; i++)
        x[i + 8] = fabs(x[i]);
    for (const struct term *t = s->terms; t < s->terms + s->count; t++) {
        double product = x[t->a] * x[t->b] * (x[t->c] * x[t->d]);
        X += t->X * product;
        Y += t->Y * product;
        K += t->K * product;
        M += t->N * product;
    }
    out[0] = square * X;
    out[1] = square * Y;
    out[2] = square * K;
    out[3] = square * M;
}

/* Velocities in the system; returns what the forces are multiplied by, and in rate what the velocities are. */
static inline double velocities(const struct polynomial *s, double u, double v, double p, double r, double u0,
                                double x[VARIABLES], double *rate)
{
    double speed = 1.0;
    *rate = s->velocity;
    if (s->divided) {
        speed = sqrt(u * u + v * v);
        if (speed < s->slowest)
            speed = s->slowest;
        *rate = 1.0 / speed;
    }
    x[0] = 1.0;
    x[U] = (u - u0) * *rate;
    x[V] = v * *rate;
    x[P] = p * *rate * s->length;
    x[R] = r * *rate * s->length;
    return speed * speed;
}

#endif
