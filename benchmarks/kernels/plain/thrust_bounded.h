/* Least squares within bounds, by the active-set method of Stark and Parker (1995). */
#ifndef THRUST_BOUNDED_H
#define THRUST_BOUNDED_H

#include <math.h>

enum { MOST_UNKNOWNS = 24 };

/* Of |T f - tau|^2 + e f' W f, with an e that only decides where T leaves a choice: A f = T' tau at the least. */
struct normal {
    int n;
    double A[MOST_UNKNOWNS][MOST_UNKNOWNS];
    double choice[MOST_UNKNOWNS];               /* diagonal of e W, which A includes */
};

/* T[k] is column k. */
static inline void normal_equations(double T[][6], const double *weights, int n, struct normal *c)
{
    double e = 0.0;
    c->n = n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double total = 0.0;
            for (int k = 0; k < 6; k++)
                total += T[i][k] * T[j][k];
            c->A[i][j] = c->A[j][i] = total;
        }
        if (1e-8 * c->A[i][i] > e * weights[i])
            e = 1e-8 * c->A[i][i] / weights[i];
    }
    for (int i = 0; i < n; i++) {
        c->choice[i] = e * weights[i];
        c->A[i][i] += c->choice[i];
    }
}

/* Solve A x = b for the unknowns listed in `free` by Cholesky's method; b comes in x. */
static inline void solve(const struct normal *c, const int *free, int count, double *x)
{
    double L[MOST_UNKNOWNS][MOST_UNKNOWNS];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= i; j++) {
            double total = c->A[free[i]][free[j]];
            for (int k = 0; k < j; k++)
                total -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(total) : total / L[j][j];
        }
        for (int k = 0; k < i; k++)
            x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++)
            x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
}

/* One step towards the least among unknowns that are not held, up to the first bound, which then holds one. False:
 * none was met. */
static inline int step_to_bound(const struct normal *c, const double *right, const double *lower, const double *upper,
                                double *f, int *held)
{
    int free[MOST_UNKNOWNS], count = 0, first = -1;
    double x[MOST_UNKNOWNS], step = 1.0;
    for (int i = 0; i < c->n; i++)
        if (!held[i])
            free[count++] = i;
    for (int k = 0; k < count; k++) {
        x[k] = right[free[k]];
        for (int j = 0; j < c->n; j++)
            if (held[j])
                x[k] -= c->A[free[k]][j] * f[j];
    }
    solve(c, free, count, x);
    for (int k = 0; k < count; k++) {
        int i = free[k];
        double bound = x[k] < lower[i] ? lower[i] : x[k] > upper[i] ? upper[i] : x[k];
        if (bound != x[k] && (bound - f[i]) / (x[k] - f[i]) < step) {
            step = (bound - f[i]) / (x[k] - f[i]);
            first = k;
        }
    }
    for (int k = 0; k < count; k++)
        f[free[k]] += step * (x[k] - f[free[k]]);
    if (first < 0)
        return 0;
    int i = free[first];
    held[i] = x[first] < lower[i] ? -1 : 1;
    f[i] = held[i] < 0 ? lower[i] : upper[i];
    return 1;
}

/* The best f within bounds, from any f within them. `held` is -1 at a lower bound, 1 at an upper one, else 0. */
static inline void improve_within_bounds(const struct normal *c, const double *projected, const double *lower,
                                         const double *upper, double *f, int *held)
{
    double right[MOST_UNKNOWNS], scale = 0.0;
    int rounds_left = 8;
    for (int i = 0; i < c->n; i++) {
        right[i] = projected[i];
        scale = fmax(scale, fabs(right[i]));
    }
    for (int round = 0; round < 90 * (c->n + 1); round++) {
        if (step_to_bound(c, right, lower, upper, f, held))
            continue;
        double worst = 1e-12 * scale, drift = 0.0;
        int let_go = -1;
        for (int i = 0; i < c->n; i++) {
            double gradient = -right[i];
            if (!held[i] || lower[i] >= upper[i])
                continue;
            for (int j = 0; j < c->n; j++)
                gradient += c->A[i][j] * f[j];
            if (held[i] * gradient > worst) {
                worst = held[i] * gradient;
                let_go = i;
            }
        }
        if (let_go >= 0) {
            held[let_go] = 0;
            continue;
        }
        /* Where heavy weights make of e W more than a choice: again, with e (f - previous f)' W (f - previous f). */
        for (int i = 0; i < c->n; i++) {
            double now = projected[i] + c->choice[i] * f[i];
            drift = fmax(drift, fabs(now - right[i]));
            right[i] = now;
        }
        if (drift <= 1e-7 * scale || rounds_left-- == 0)
            return;
    }
}

#endif
