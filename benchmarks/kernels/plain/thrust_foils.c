/* Foils in the water: fixed, turning, and behind a propeller. */
#include <math.h>

#include "plain.h"
#include "thrust.h"

static const double pi = 3.14159265358979323846;

struct foil {
    double r[3], lift, drag;            /* rho A k_l / 2, rho A k_d / 2 */
    double density, limit;
    double sine_cant, cosine_cant;
    struct actuator gear;
    double diameter, share, gain;       /* of the propeller ahead, 0 for none, and of its slipstream */
};

static double commanded(const Block *b)
{
    const struct foil *c = b->constants;
    return limited(b->u[0][0], -c->limit, c->limit);
}

/* Outputs but the angle. u: velocity through the water along the hull, s: across the foil at rest. */
static void act(const Block *b, double delta, double u, double s)
{
    const struct foil *c = b->constants;
    double square = u * u + s * s, V = sqrt(square), F[3] = {0.0};
    double alpha = delta + atan2(s, u);
    if (alpha > pi)
        alpha -= 2.0 * pi;
    else if (alpha < -pi)
        alpha += 2.0 * pi;
    double lift = c->lift * square * sin(2.0 * alpha), drag = c->drag * square * (1.0 - cos(2.0 * alpha));
    if (V > 0.0) {
        double across = -(lift * u + drag * s) / V;
        F[0] = (lift * s - drag * u) / V;
        F[1] = c->cosine_cant * across;
        F[2] = c->sine_cant * across;
    }
    put_wrench(F, c->r, b->y[0]);
    b->y[1][0] = lift;
    b->y[2][0] = drag;
    b->y[3][0] = alpha;
}

static void foil_outputs(const Block *b, double t)
{
    const struct foil *c = b->constants;
    double v[3], delta = commanded(b);
    velocity_at(b->u[1], c->r, v);
    act(b, delta, v[0], c->cosine_cant * v[1] + c->sine_cant * v[2]);
    b->y[4][0] = delta;
}

/* Velocity at a rudder behind a propeller. The water gains as much with way astern, and u may be against the
 * slipstream: squares keep their signs. */
static double in_slipstream(const struct foil *c, double u, double thrust)
{
    if (thrust <= 0.0)
        return u;
    double within = u + c->gain * (speed_behind_disc(thrust, u, c->diameter, c->density) - fabs(u));
    double square = c->share * within * fabs(within) + (1.0 - c->share) * u * fabs(u);
    return copysign(sqrt(fabs(square)), square);
}

static void rudder(const Block *b, double delta)
{
    const struct foil *c = b->constants;
    double v[3];
    b->y[4][0] = delta;
    velocity_at(b->u[1], c->r, v);
    act(b, delta, c->diameter > 0.0 ? in_slipstream(c, v[0], b->u[2][0]) : v[0], v[1]);
}

static void rudder_outputs(const Block *b, double t)
{
    rudder(b, commanded(b));
}

static void lag_outputs(const Block *b, double t)
{
    rudder(b, b->x[0]);
}

static void lag_derivatives(const Block *b, double t)
{
    const struct foil *c = b->constants;
    b->dx[0] = actuator_rate(&c->gear, commanded(b) - b->x[0]);
}

/* Parameters: position, area, lift_coefficient, drag_coefficient, density, angle_limit. */
static void prepare(const double *const *p, struct foil *c)
{
    double pressure_area = 0.5 * *p[4] * *p[1];
    for (int i = 0; i < 3; i++)
        c->r[i] = p[0][i];
    c->lift = pressure_area * *p[2];
    c->drag = pressure_area * *p[3];
    c->density = *p[4];
    c->limit = *p[5];
}

/* And: cant. */
static void foil_prepare(const double *const *p, const int *n, void *constants)
{
    struct foil *c = constants;
    prepare(p, c);
    c->sine_cant = sin(*p[6]);
    c->cosine_cant = cos(*p[6]);
}

/* And: response, time_constant, rate_limit, propeller_diameter, slipstream_share, slipstream_gain. */
static void rudder_prepare(const double *const *p, const int *n, void *constants)
{
    struct foil *c = constants;
    prepare(p, c);
    c->sine_cant = 0.0;
    c->cosine_cant = 1.0;
    c->gear = actuator_of(*p[6], *p[7], *p[8]);
    c->diameter = *p[9];
    c->share = *p[10];
    c->gain = *p[11];
}

const Plain plain_foil = {sizeof(struct foil), foil_prepare, foil_outputs, 0, 0, 0};
const Plain plain_rudder = {sizeof(struct foil), rudder_prepare, rudder_outputs, 0, 0, 0};
const Plain plain_rudder_lag = {sizeof(struct foil), rudder_prepare, lag_outputs, lag_derivatives, 0, 0};
