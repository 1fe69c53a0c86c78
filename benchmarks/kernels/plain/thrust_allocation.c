/* Allocation of a wrench to propellers. */
#include <string.h>

#include "plain.h"
#include "thrust_bounded.h"
#include "thrust_propellers.h"

struct allocation {
    struct propellers set;
    double inverse[MOST_PROPELLERS][6];
    double kappa;
    struct normal normal;
};

/* The m >= 0 with max(K_T(J), kappa K_T(0)) m^2 = wanted, J = v_a/(m D), by Newton's method kept in an interval. */
static double revolutions(const struct propeller *one, const struct way *way, double kappa, double v_a, double wanted)
{
    const double *c = way->k_t;
    double least = kappa * c[3], low = 0.0, high = sqrt(wanted / least), m = sqrt(wanted / c[3]);
    if (wanted <= 0.0)
        return 0.0;
    if (cubic(c, advance_ratio(one, way, v_a, high)) <= least)
        return high;
    for (int i = 0; i < 60; i++) {
        double J = advance_ratio(one, way, v_a, m), k = cubic(c, J), slope = 0.0, last = m;
        if (k < least)
            k = least;
        else if (J > way->least && J < way->most)
            slope = (3.0 * c[0] * J + 2.0 * c[1]) * J + c[2];
        double error = k * m * m - wanted;
        if (error > 0.0)
            high = m;
        else
            low = m;
        m -= error / (m * (2.0 * k - J * slope));
        if (m < low || m > high)
            m = 0.5 * (low + high);
        if (fabs(m - last) < 1e-8 * m)      /* what is left is the square of this */
            break;
    }
    return m;
}

static double command(const struct allocation *c, const struct propeller *one, double thrust, double v_a)
{
    int way = thrust < 0.0 ? ASTERN : AHEAD;
    double m = revolutions(one, &c->set.way[way], c->kappa, v_a, fabs(thrust) / one->gain[way]);
    if (m > one->limit[way])
        m = one->limit[way];
    return way == ASTERN ? -m : m;
}

static void outputs(const Block *b, double t)
{
    const struct allocation *c = b->constants;
    for (int i = 0; i < c->set.n; i++) {
        const struct propeller *one = &c->set.propeller[i];
        b->y[1][i] = product6(c->inverse[i], b->u[0]);
        b->y[0][i] = command(c, one, b->y[1][i], product6(one->advance, b->u[1]));
    }
}

/* Thrust at the limit, if it is of the sign that it should be. */
static double most_thrust(const struct allocation *c, const struct propeller *one, int way, double v_a)
{
    double n = one->limit[way], k_t = cubic(c->set.way[way].k_t, advance_ratio(one, &c->set.way[way], v_a, n));
    return k_t > 0.0 ? one->gain[way] * k_t * n * n : 0.0;
}

static void bounded_outputs(const Block *b, double t)
{
    const struct allocation *c = b->constants;
    double lower[MOST_PROPELLERS], upper[MOST_PROPELLERS], v_a[MOST_PROPELLERS], projected[MOST_PROPELLERS];
    double *f = b->y[1];
    int held[MOST_PROPELLERS], beyond = 0;
    for (int i = 0; i < c->set.n; i++) {
        const struct propeller *one = &c->set.propeller[i];
        f[i] = product6(c->inverse[i], b->u[0]);
        v_a[i] = product6(one->advance, b->u[1]);
        double part = limited(b->u[2][i], 0.0, 1.0);
        lower[i] = -part * most_thrust(c, one, ASTERN, v_a[i]);
        upper[i] = part * most_thrust(c, one, AHEAD, v_a[i]);
        held[i] = f[i] < lower[i] ? -1 : f[i] > upper[i];
        f[i] = limited(f[i], lower[i], upper[i]);
        beyond = beyond || held[i];
    }
    if (beyond) {
        for (int i = 0; i < c->set.n; i++)
            projected[i] = product6(c->set.propeller[i].axis, b->u[0]);
        improve_within_bounds(&c->normal, projected, lower, upper, f, held);
    }
    for (int i = 0; i < c->set.n; i++)
        b->y[0][i] = command(c, &c->set.propeller[i], f[i], v_a[i]);
}

/* Parameters from 13 on: weights, inversion_floor, limits. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct allocation *c = constants;
    double columns[MOST_PROPELLERS][6];
    prepare_propellers(p, n[0], &c->set);
    pseudo_inverse(p[0], p[13], n[0], c->inverse);
    c->kappa = *p[14];
    for (int i = 0; i < n[0]; i++)
        memcpy(columns[i], c->set.propeller[i].axis, sizeof columns[i]);
    normal_equations(columns, p[13], n[0], &c->normal);
}

const Plain plain_thrust_allocation = {sizeof(struct allocation), prepare, outputs, 0, 0, 0};
const Plain plain_thrust_allocation_bounded = {sizeof(struct allocation), prepare, bounded_outputs, 0, 0, 0};
