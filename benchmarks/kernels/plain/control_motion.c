/* Controllers of one motion: heading, depth, speed, depth by pitch, and sliding mode. */
#include <math.h>

#include "plain.h"

static double shortest(double angle)
{
    const double pi = 3.14159265358979323846;
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

static double limit(double value, double lower, double upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

/* Parameters: kp, ki, inertia, damping, quadratic_damping, lower, upper, tracking_gain, kd. */
struct motion {
    double kp, ki, m, d, dq, lower, upper, K_t, kd;
};

static void motion_prepare(const double *const *p, const int *n, void *constants)
{
    struct motion *c = constants;
    *c = (struct motion){*p[0], *p[1], *p[2], *p[3], *p[4], *p[5], *p[6], *p[7], *p[8]};
}

static void speed_prepare(const double *const *p, const int *n, void *constants)
{
    struct motion *c = constants;
    *c = (struct motion){*p[0], *p[1], *p[2], *p[3], *p[4], *p[5], *p[6], *p[7], 0.0};
}

static double before_limits(const struct motion *c, double I, double e, double wanted, double acceleration, double is)
{
    return c->m * acceleration + (c->d + c->dq * fabs(wanted)) * wanted + c->kp * e + c->kd * (wanted - is) + I;
}

static double integral_rate(const struct motion *c, double e, double v)
{
    return c->ki == 0.0 ? 0.0 : c->ki * e + c->K_t * (limit(v, c->lower, c->upper) - v);
}

static void heading_outputs(const Block *b, double t)
{
    const struct motion *c = b->constants;
    double e = shortest(b->u[0][0] - b->u[1][5]);
    double v = before_limits(c, b->x[0], e, b->u[3][0], b->u[4][0], b->u[2][5]);
    b->y[0][0] = limit(v, c->lower, c->upper);
    b->y[1][0] = e;
}

static void heading_derivatives(const Block *b, double t)
{
    const struct motion *c = b->constants;
    double e = b->y[1][0];
    b->dx[0] = integral_rate(c, e, before_limits(c, b->x[0], e, b->u[3][0], b->u[4][0], b->u[2][5]));
}

const Plain plain_heading_autopilot = {
    sizeof(struct motion), motion_prepare, heading_outputs, heading_derivatives, 0, 0
};

static double sinking(const double *eta, const double *nu)
{
    return -nu[0] * sin(eta[4]) + (nu[1] * sin(eta[3]) + nu[2] * cos(eta[3])) * cos(eta[4]);
}

static void depth_outputs(const Block *b, double t)
{
    const struct motion *c = b->constants;
    double e = b->u[0][0] - b->u[1][2];
    double v = before_limits(c, b->x[0], e, b->u[3][0], b->u[4][0], sinking(b->u[1], b->u[2]));
    b->y[0][0] = limit(v, c->lower, c->upper);
    b->y[1][0] = e;
}

static void depth_derivatives(const Block *b, double t)
{
    const struct motion *c = b->constants;
    double e = b->y[1][0];
    double v = before_limits(c, b->x[0], e, b->u[3][0], b->u[4][0], sinking(b->u[1], b->u[2]));
    b->dx[0] = integral_rate(c, e, v);
}

const Plain plain_depth_controller = {sizeof(struct motion), motion_prepare, depth_outputs, depth_derivatives, 0, 0};

static void speed_outputs(const Block *b, double t)
{
    const struct motion *c = b->constants;
    double e = b->u[0][0] - b->u[1][0];
    b->y[0][0] = limit(before_limits(c, b->x[0], e, b->u[0][0], b->u[2][0], 0.0), c->lower, c->upper);
    b->y[1][0] = e;
}

static void speed_derivatives(const Block *b, double t)
{
    const struct motion *c = b->constants;
    double e = b->y[1][0];
    b->dx[0] = integral_rate(c, e, before_limits(c, b->x[0], e, b->u[0][0], b->u[2][0], 0.0));
}

const Plain plain_speed_controller = {sizeof(struct motion), speed_prepare, speed_outputs, speed_derivatives, 0, 0};

/* Parameters: kp, ki, pitch_kp, pitch_kd, stiffness, pitch_limit, lower, upper, tracking_gain. */
struct dive {
    double kp, ki, pitch_kp, pitch_kd, k, pitch_limit, lower, upper, K_t;
};

static void dive_prepare(const double *const *p, const int *n, void *constants)
{
    struct dive *c = constants;
    *c = (struct dive){*p[0], *p[1], *p[2], *p[3], *p[4], *p[5], *p[6], *p[7], *p[8]};
}

static double pitch_moment(const struct dive *c, const Block *b, double pitch)
{
    return c->pitch_kp * (pitch - b->u[1][4]) - c->pitch_kd * b->u[2][4] + c->k * pitch;
}

static void dive_outputs(const Block *b, double t)
{
    const struct dive *c = b->constants;
    double e = b->u[0][0] - b->u[1][2];
    double pitch = limit(b->x[0] - c->kp * e, -c->pitch_limit, c->pitch_limit);
    b->y[0][0] = limit(pitch_moment(c, b, pitch), c->lower, c->upper);
    b->y[1][0] = pitch;
    b->y[2][0] = e;
}

static void dive_derivatives(const Block *b, double t)
{
    const struct dive *c = b->constants;
    double e = b->y[2][0];
    double wanted = b->x[0] - c->kp * e;
    double pitch = limit(wanted, -c->pitch_limit, c->pitch_limit);
    double v = pitch_moment(c, b, pitch);
    double beyond = wanted - pitch + (v - limit(v, c->lower, c->upper)) / c->pitch_kp;
    b->dx[0] = c->ki == 0.0 ? 0.0 : -c->ki * e - c->K_t * beyond;
}

const Plain plain_dive_plane_controller = {sizeof(struct dive), dive_prepare, dive_outputs, dive_derivatives, 0, 0};

/* Parameters: bandwidth, kd, switching_gain, boundary_layer, boundary, inertia, damping, quadratic_damping, lower,
 * upper, tracking_gain. */
struct sliding {
    double lambda, kd, K, layer, m, d, dq, lower, upper, K_t, slope;
    int is_tanh;
};

static void sliding_prepare(const double *const *p, const int *n, void *constants)
{
    struct sliding *c = constants;
    *c = (struct sliding){
        *p[0], *p[1], *p[2], *p[3], *p[5], *p[6], *p[7], *p[8], *p[9], *p[10], *p[6] + *p[1] + *p[2] / *p[3],
        *p[4] == 0.0
    };
}

static double sliding_moment(const struct sliding *c, const Block *b, double e, double *sigma)
{
    double r = b->u[2][5], r_d = b->u[3][0], lambda = c->lambda;
    double r_v = r_d + 2.0 * lambda * e + b->x[0];
    double rate = b->u[4][0] + 2.0 * lambda * (r_d - r) + lambda * lambda * e;
    *sigma = r - r_v;
    double h = c->is_tanh ? tanh(*sigma / c->layer) : limit(*sigma / c->layer, -1.0, 1.0);
    return c->m * rate + (c->d + c->dq * fabs(r)) * r_v - c->kd * *sigma - c->K * h;
}

static void sliding_outputs(const Block *b, double t)
{
    const struct sliding *c = b->constants;
    double e = shortest(b->u[0][0] - b->u[1][5]);
    b->y[0][0] = limit(sliding_moment(c, b, e, b->y[2]), c->lower, c->upper);
    b->y[1][0] = e;
}

static void sliding_derivatives(const Block *b, double t)
{
    const struct sliding *c = b->constants;
    double e = b->y[1][0], sigma;
    double v = sliding_moment(c, b, e, &sigma);
    b->dx[0] = c->lambda * c->lambda * e + c->K_t * (limit(v, c->lower, c->upper) - v) / c->slope;
}

const Plain plain_integral_sliding_mode = {
    sizeof(struct sliding), sliding_prepare, sliding_outputs, sliding_derivatives, 0, 0
};
