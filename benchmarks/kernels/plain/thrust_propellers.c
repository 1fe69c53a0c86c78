/* Propellers fixed in the hull. */
#include <string.h>

#include "plain.h"
#include "thrust_propellers.h"

static const double pi = 3.14159265358979323846;

struct thrusters {
    struct propellers set;
    int by_coefficients;
    double figure_of_merit;
    double torque_gain[MOST_PROPELLERS];    /* rho D^5 */
    struct actuator shaft[MOST_PROPELLERS];
};

static double commanded(const Block *b, const struct propeller *one, int i)
{
    return limited(b->u[0][i], -one->limit[ASTERN], one->limit[AHEAD]);
}

static double torque_coefficient(const struct thrusters *c, const struct way *way, double k_t, double J, int astern)
{
    if (c->by_coefficients)
        return cubic(way->k_q, J);
    if (k_t <= 0.0)
        return 0.0;
    double j = astern ? -J : J;
    return k_t * (0.5 * j + sqrt(0.25 * j * j + 2.0 * k_t / pi)) / (2.0 * pi * c->figure_of_merit);
}

/* All but the speeds, from these. */
static void push(const Block *b)
{
    const struct thrusters *c = b->constants;
    const double *speed = b->y[2];
    double *tau = b->y[0], *thrust = b->y[1], *power = b->y[3], *torque = b->y[4];
    memset(tau, 0, 6 * sizeof(double));
    for (int i = 0; i < c->set.n; i++) {
        const struct propeller *one = &c->set.propeller[i];
        double n = speed[i], size = fabs(n);
        thrust[i] = torque[i] = 0.0;
        if (n != 0.0) {
            int astern = n < 0.0;
            const struct way *way = &c->set.way[astern];
            double J = advance_ratio(one, way, product6(one->advance, b->u[1]), size), k_t = cubic(way->k_t, J);
            thrust[i] = one->gain[astern] * k_t * size * n;
            torque[i] = c->torque_gain[i] * torque_coefficient(c, way, k_t, J, astern) * size * n;
        }
        power[i] = 2.0 * pi * n * torque[i];
        for (int k = 0; k < 6; k++)
            tau[k] += one->axis[k] * thrust[i];
    }
}

static void instant_outputs(const Block *b, double t)
{
    const struct thrusters *c = b->constants;
    for (int i = 0; i < c->set.n; i++)
        b->y[2][i] = commanded(b, &c->set.propeller[i], i);
    push(b);
}

static void lag_outputs(const Block *b, double t)
{
    const struct thrusters *c = b->constants;
    memcpy(b->y[2], b->x, c->set.n * sizeof(double));
    push(b);
}

static void lag_derivatives(const Block *b, double t)
{
    const struct thrusters *c = b->constants;
    for (int i = 0; i < c->set.n; i++)
        b->dx[i] = actuator_rate(&c->shaft[i], commanded(b, &c->set.propeller[i], i) - b->x[i]);
}

/* Parameters from 13 on: torque_model, figure_of_merit, torque_coefficient_forward and _reverse, response,
 * time_constant, rate_limit. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct thrusters *c = constants;
    prepare_propellers(p, n[0], &c->set);
    c->by_coefficients = *p[13] == 1.0;
    c->figure_of_merit = *p[14];
    for (int way = 0; way < 2; way++)
        memcpy(c->set.way[way].k_q, p[15 + way], sizeof c->set.way[way].k_q);
    for (int i = 0; i < n[0]; i++) {
        c->torque_gain[i] = *p[2] * pow(p[1][i], 5.0);
        c->shaft[i] = actuator_of(*p[17], p[18][i], p[19][i]);
    }
}

const Plain plain_propeller_thrusters = {sizeof(struct thrusters), prepare, instant_outputs, 0, 0, 0};
const Plain plain_propeller_thrusters_lag = {sizeof(struct thrusters), prepare, lag_outputs, lag_derivatives, 0, 0};
