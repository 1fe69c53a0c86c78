/* Thrusters that turn about a vertical axis, or stand across the hull. */
#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "thrust.h"

static const double pi = 3.14159265358979323846;

enum { MOST = 24 };

struct azimuth {
    double r[3], c1, c2, c3, inflow;
    double ahead, astern, least, greatest;      /* limits of the speed, range of the angle */
    int endless;
    double cubic_power, diameter;
    struct actuator shaft, turn;
};

struct thrusters {
    int n, by_figure_of_merit;
    double figure_of_merit, density;
    struct azimuth thruster[MOST];
};

static double commanded_speed(const struct azimuth *a, double command)
{
    return limited(command, -a->astern, a->ahead);
}

static double commanded_angle(const struct azimuth *a, double command)
{
    return a->endless ? command : limited(command, a->least, a->greatest);
}

/* All but speeds and angles, from these. */
static void push(const Block *b)
{
    const struct thrusters *c = b->constants;
    const double *nu_r = b->u[2], *speed = b->y[2], *angle = b->y[4];
    double *tau = b->y[0];
    memset(tau, 0, 6 * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        const struct azimuth *a = &c->thruster[i];
        const double *r = a->r;
        double n = speed[i], size = fabs(n), s = sin(angle[i]), k = cos(angle[i]);
        double u = nu_r[0] + nu_r[4] * r[2] - nu_r[5] * r[1], v = nu_r[1] + nu_r[5] * r[0] - nu_r[3] * r[2];
        double v_a = k * u + s * v;
        double f = (a->c1 + a->c2 * size + a->c3 * n * n) * n - a->inflow * size * v_a, X = f * k, Y = f * s;
        tau[0] += X;
        tau[1] += Y;
        tau[3] -= r[2] * Y;
        tau[4] += r[2] * X;
        tau[5] += r[0] * Y - r[1] * X;
        b->y[1][i] = f;
        if (!c->by_figure_of_merit)
            b->y[3][i] = a->cubic_power * size * n * n;
        else if (n < 0.0)
            b->y[3][i] = disc_power(-f, -v_a, a->diameter, c->density, c->figure_of_merit);
        else
            b->y[3][i] = disc_power(f, v_a, a->diameter, c->density, c->figure_of_merit);
    }
}

static void instant_outputs(const Block *b, double t)
{
    const struct thrusters *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        b->y[2][i] = commanded_speed(&c->thruster[i], b->u[0][i]);
        b->y[4][i] = commanded_angle(&c->thruster[i], b->u[1][i]);
    }
    push(b);
}

/* x = speeds, then angles */
static void lag_outputs(const Block *b, double t)
{
    const struct thrusters *c = b->constants;
    memcpy(b->y[2], b->x, c->n * sizeof(double));
    memcpy(b->y[4], b->x + c->n, c->n * sizeof(double));
    push(b);
}

static void lag_derivatives(const Block *b, double t)
{
    const struct thrusters *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        const struct azimuth *a = &c->thruster[i];
        double turn = commanded_angle(a, b->u[1][i]) - b->x[c->n + i];
        if (a->endless)
            turn -= 2.0 * pi * floor((turn + pi) / (2.0 * pi));     /* the shorter way */
        b->dx[i] = actuator_rate(&a->shaft, commanded_speed(a, b->u[0][i]) - b->x[i]);
        b->dx[c->n + i] = actuator_rate(&a->turn, turn);
    }
}

/* Parameters: positions, thrust_coefficient, speed_limit_forward, speed_limit_reverse, angle_min, angle_max,
 * inflow_coefficient, power_model, power_coefficient, diameter, figure_of_merit, density, full_turn, response,
 * time_constant, rate_limit, angle_time_constant, angle_rate_limit. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct thrusters *c = constants;
    if (n[0] > MOST)
        abort();
    c->n = n[0];
    c->by_figure_of_merit = *p[7] == 1.0;
    c->figure_of_merit = *p[10];
    c->density = *p[11];
    for (int i = 0; i < n[0]; i++) {
        const double *r = p[0] + 3 * i, *curve = p[1] + 3 * i;
        int full_turn = p[5][i] - p[4][i] > 2.0 * pi - 1e-4;
        c->thruster[i] = (struct azimuth){
            {r[0], r[1], r[2]}, curve[0], curve[1], curve[2], p[6][i], p[2][i], p[3][i], p[4][i], p[5][i],
            full_turn && *p[12] == 1.0, p[8][i], p[9][i],
            actuator_of(*p[13], p[14][i], p[15][i]), actuator_of(*p[13], p[16][i], p[17][i]),
        };
    }
}

const Plain plain_azimuth_thrusters = {sizeof(struct thrusters), prepare, instant_outputs, 0, 0, 0};
const Plain plain_azimuth_thrusters_lag = {sizeof(struct thrusters), prepare, lag_outputs, lag_derivatives, 0, 0};
