/* Propellers fixed in the hull: K_T over J, and what that depends on. */
#ifndef THRUST_PROPELLERS_H
#define THRUST_PROPELLERS_H

#include <math.h>
#include <stdlib.h>

#include "pseudo_inverse.h"
#include "thrust.h"

enum { MOST_PROPELLERS = 24 };
enum { AHEAD, ASTERN };

/* What holds for one direction of rotation, of all propellers. */
struct way {
    double k_t[4], k_q[4], least, most;     /* coefficients, and the range of J */
};

struct propeller {
    double axis[6];                 /* column of T */
    double advance[6];              /* from nu_r to v_a */
    double diameter, gain[2];       /* rho D^4 theta */
    double limit[2];
};

struct propellers {
    int n;
    struct way way[2];
    struct propeller propeller[MOST_PROPELLERS];
};

static inline double cubic(const double c[4], double x)
{
    return ((c[0] * x + c[1]) * x + c[2]) * x + c[3];
}

/* Parameters 0 to 12: allocation_matrix, diameter, density, thrust_coefficient_forward and _reverse,
 * advance_range_forward and _reverse, loss_forward and _reverse, advance_speed, wake_fraction, speed_limit_forward
 * and _reverse. */
static inline void prepare_propellers(const double *const *p, int n, struct propellers *c)
{
    double inverse[MOST_PROPELLERS][6];
    int axial = *p[9] == 0.0;
    if (n > MOST_PROPELLERS)
        abort();
    c->n = n;
    if (!axial)
        pseudo_inverse(p[0], 0, n, inverse);
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < 4; k++)
            c->way[way].k_t[k] = p[3 + way][k];
        c->way[way].least = p[5 + way][0];
        c->way[way].most = p[5 + way][1];
    }
    for (int i = 0; i < n; i++) {
        struct propeller *one = &c->propeller[i];
        one->diameter = p[1][i];
        for (int k = 0; k < 6; k++) {
            one->axis[k] = p[0][k * n + i];
            one->advance[k] = (1.0 - p[10][i]) * (axial ? one->axis[k] : inverse[i][k]);
        }
        for (int way = 0; way < 2; way++) {
            one->gain[way] = *p[2] * pow(p[1][i], 4.0) * p[7 + way][i];
            one->limit[way] = p[11 + way][i];
        }
    }
}

/* J for n != 0 */
static inline double advance_ratio(const struct propeller *one, const struct way *way, double v_a, double size)
{
    return limited(v_a / (size * one->diameter), way->least, way->most);
}

#endif
