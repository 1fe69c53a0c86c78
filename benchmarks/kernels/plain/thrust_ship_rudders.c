/* Rudders of ships with their propellers: by hydrodynamic derivatives, and by the flow at the stern. */
#include "plain.h"
#include "polynomials.h"

/* Gear: angle_limit, speed_limit, response, time_constant, rate_limit, shaft_time_constant come first. */
struct gear {
    double angle_limit, speed_limit, T, rate, shaft_T;
    int limited;
};

static struct gear gear_of(const double *const *p)
{
    return (struct gear){*p[0], *p[1], *p[3], *p[4], *p[5], (int)*p[2] == 2};
}

static double within(double value, double limit)
{
    return value < -limit ? -limit : value > limit ? limit : value;
}

static double turning(const struct gear *g, double wanted, double angle)
{
    double rate = (within(wanted, g->angle_limit) - angle) / g->T;
    return g->limited ? within(rate, g->rate) : rate;
}

/* By derivatives */

struct rudder {
    struct gear gear;
    struct polynomial polynomial;
    int drifting, shaft, flowing;
    double sign, u0, flow[3];
};

/* Then: derivatives, correction, system, derivatives_turn_to, length, draught, water_depth, density, mass,
 * reference_speed, lowest_speed, flow. Sizes: rows, products, system. */
static void rudder_prepare(const double *const *p, const int *n, void *constants)
{
    struct rudder *r = constants;
    const double *table = p[6];
    double T = *p[11], h = *p[12];
    r->gear = gear_of(p);
    double force = of_system(&r->polynomial, n[2], *p[13], *p[10], T, *p[14], *p[16]);
    take_terms(&r->polynomial, table, n[0], p[7], force, h < 1e300 ? T / (h - T) : 0.0);
    r->drifting = r->shaft = r->flowing = 0;
    for (int i = 0; i < n[0]; i++)
        for (int j = 0; j < 4; j++) {
            int place = (int)table[COLUMNS * i + j];
            r->drifting |= place == BETA || place == BETA + 8;
            r->flowing |= place == FLOW;
            r->shaft |= place == N || place == N + 8 || place == FLOW;
        }
    r->sign = *p[9] == 1.0 ? -1.0 : 1.0;
    r->u0 = *p[15];
    for (int i = 0; i < 3; i++)
        r->flow[i] = p[17][i];
}

static void push(const struct rudder *r, const double *nu, double angle, double n, double *force)
{
    double x[VARIABLES] = {0}, four[4], rate;
    double square = velocities(&r->polynomial, nu[0], nu[1], nu[3], nu[5], r->u0, x, &rate);
    if (r->drifting)
        x[BETA] = atan2(nu[1], nu[0]);
    x[DELTA] = r->sign * angle;
    x[N] = n * rate * r->polynomial.length;
    if (r->flowing) {
        double c2 = r->flow[0] * nu[0] * nu[0] + r->flow[1] * nu[0] * n + r->flow[2] * n * n;
        x[FLOW] = c2 < 0.0 ? 0.0 : rate * rate * c2;
    }
    evaluate(&r->polynomial, x, square, four);
    force[0] = four[0];
    force[1] = four[1];
    force[2] = force[4] = 0.0;
    force[3] = four[2];
    force[5] = four[3];
}

static void rudder_outputs(const Block *b, double t)
{
    const struct rudder *r = b->constants;
    double angle = within(*b->u[0], r->gear.angle_limit), n = r->shaft ? within(*b->u[2], r->gear.speed_limit) : 0.0;
    push(r, b->u[1], angle, n, b->y[0]);
    *b->y[1] = angle;
    if (r->shaft)
        *b->y[2] = n;
}

static void rudder_lag_outputs(const Block *b, double t)
{
    const struct rudder *r = b->constants;
    push(r, b->u[1], b->x[0], r->shaft ? b->x[1] : 0.0, b->y[0]);
    *b->y[1] = b->x[0];
    if (r->shaft)
        *b->y[2] = b->x[1];
}

static void rudder_lag_derivatives(const Block *b, double t)
{
    const struct rudder *r = b->constants;
    b->dx[0] = turning(&r->gear, *b->u[0], b->x[0]);
    if (r->shaft)
        b->dx[1] = (within(*b->u[2], r->gear.speed_limit) - b->x[1]) / r->gear.shaft_T;
}

const Plain plain_polynomial_rudder = {sizeof(struct rudder), rudder_prepare, rudder_outputs, 0, 0, 0};
const Plain plain_polynomial_rudder_lag = {
    sizeof(struct rudder), rudder_prepare, rudder_lag_outputs, rudder_lag_derivatives, 0, 0,
};

/* By the flow at the stern */

struct stern {
    struct gear gear;
    double L, D, k0, k1, w, tau, xP, t, A, aspect, xR, zR, epsilon, kappa, gamma, c[3], aH, xH, cRX, rho, slowest;
};

/* Then, in the order of the docstring's table: length, diameter, thrust_coefficient, wake_fraction, wake_drift,
 * propeller_position, thrust_deduction, area, aspect_ratio, position, wake_ratio, slipstream_gain, flow_straightening,
 * yaw_flow, hull_share, hull_position, rudder_drag, density, lowest_speed. */
static void stern_prepare(const double *const *p, const int *n, void *constants)
{
    struct stern *s = constants;
    *s = (struct stern){
        gear_of(p), *p[6], *p[7], p[8][0], p[8][1], *p[9], *p[10], *p[11], *p[12], *p[13], *p[14], p[15][0], p[15][1],
        *p[16], *p[17], *p[18], {p[19][0], p[19][1], p[19][2]}, *p[20], *p[21], *p[22], *p[23], *p[24],
    };
}

static void drive(const struct stern *s, const double *nu, double delta, double n, double *force)
{
    const double pi = 3.14159265358979323846;
    double u = nu[0], v = nu[1], U_ = sqrt(u * u + v * v);
    if (U_ < s->slowest)
        U_ = s->slowest;
    double r = nu[5] * s->L / U_, w = v / U_, y = w + s->xP * nu[5] / U_;
    double uP = u * (1.0 - s->w + s->tau * y * y);
    double T = s->rho * pow(s->D, 3) * fabs(n) * (s->k0 * s->D * n + s->k1 * uP);
    double uR2 = uP * uP + 8.0 * s->kappa * T / (pi * s->rho * s->D * s->D);
    double uR = uR2 < 0.0 ? 0.0 : s->epsilon * sqrt(uR2);
    double vR = s->gamma * v + U_ * (s->c[0] * r + s->c[1] * r * r * r + s->c[2] * r * r * w);
    double F = -0.5 * s->rho * s->A * 6.13 * s->aspect / (s->aspect + 2.25) * (uR * uR + vR * vR)
               * sin(delta + atan2(vR, uR));
    force[0] = (1.0 - s->t) * T + s->cRX * F * sin(delta);
    force[1] = (1.0 + s->aH) * F * cos(delta);
    force[2] = force[4] = 0.0;
    force[3] = -s->zR * force[1];
    force[5] = (s->xR + s->aH * s->xH) * F * cos(delta);
}

static void stern_outputs(const Block *b, double t)
{
    const struct stern *s = b->constants;
    *b->y[1] = within(*b->u[0], s->gear.angle_limit);
    *b->y[2] = within(*b->u[2], s->gear.speed_limit);
    drive(s, b->u[1], *b->y[1], *b->y[2], b->y[0]);
}

static void stern_lag_outputs(const Block *b, double t)
{
    drive(b->constants, b->u[1], b->x[0], b->x[1], b->y[0]);
    *b->y[1] = b->x[0];
    *b->y[2] = b->x[1];
}

static void stern_lag_derivatives(const Block *b, double t)
{
    const struct stern *s = b->constants;
    b->dx[0] = turning(&s->gear, *b->u[0], b->x[0]);
    b->dx[1] = (within(*b->u[2], s->gear.speed_limit) - b->x[1]) / s->gear.shaft_T;
}

const Plain plain_propeller_rudder = {sizeof(struct stern), stern_prepare, stern_outputs, 0, 0, 0};
const Plain plain_propeller_rudder_lag = {
    sizeof(struct stern), stern_prepare, stern_lag_outputs, stern_lag_derivatives, 0, 0,
};
