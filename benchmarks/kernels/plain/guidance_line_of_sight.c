/* Line-of-sight laws along the legs between waypoints. */
#include "guidance_legs.h"

static double for_course(const struct guide *c, const Block *b, double course)
{
    return wrapped(c->sideslip ? course - drift(b->u[1][0], b->u[1][1], c->sideslip_speed) : course);
}

/* LineOfSight: steering, enclosure_radius, kp, ki */

enum { LOOKAHEAD, ENCLOSURE, PROPORTIONAL_INTEGRAL };

struct los {
    struct guide guide;
    int steering;
    double radius, kp, ki;
};

static double los_heading(const struct guide *guide, const struct leg *leg, const Block *b)
{
    const struct los *c = (const struct los *)guide;
    if (rests(leg, b))
        return kept_heading(b);
    double e = cross_track(leg, b), turn;
    switch (c->steering) {
    case LOOKAHEAD:
        turn = atan(e / guide->lookahead);
        break;
    case ENCLOSURE:
        turn = asin(fmin(fmax(e / c->radius, -1.0), 1.0));
        break;
    default:
        turn = atan(c->kp * e + c->ki * b->x[0]);
    }
    return for_course(guide, b, leg->course - turn);
}

static void los_outputs(const Block *b, double t)
{
    const struct los *c = b->constants;
    const struct leg *leg = active(&c->guide, b);
    put_outputs(&c->guide, leg, b, los_heading(&c->guide, leg, b));
}

static void pi_derivatives(const Block *b, double t)
{
    const struct los *c = b->constants;
    const struct leg *leg = active(&c->guide, b);
    b->dx[0] = rests(leg, b) ? 0.0 : held(cross_track(leg, b), c->ki * b->x[0], c->guide.tan_limit);
}

static void los_update(const Block *b, double t)
{
    follow(b->constants, b, t, los_heading, is_done);
}

static void los_prepare(const double *const *p, const int *n, void *constants)
{
    struct los *c = constants;
    prepare_legs(p, n, &c->guide);
    c->steering = (int)*p[12];
    c->radius = *p[13];
    c->kp = *p[14];
    c->ki = *p[15];
}

const Plain plain_line_of_sight = {sizeof(struct los), los_prepare, los_outputs, 0, los_update, 0};
const Plain plain_line_of_sight_pi = {sizeof(struct los), los_prepare, los_outputs, pi_derivatives, los_update, 0};

/* IntegralLineOfSight: integral_gain; AdaptiveLineOfSight: adaptation_gain */

struct learning {
    struct guide guide;
    double gain;
};

static void learning_prepare(const double *const *p, const int *n, void *constants)
{
    struct learning *c = constants;
    prepare_legs(p, n, &c->guide);
    c->gain = *p[12];
}

static double integral_heading(const struct guide *guide, const struct leg *leg, const Block *b)
{
    double kappa = ((const struct learning *)guide)->gain;
    if (rests(leg, b))
        return kept_heading(b);
    return for_course(guide, b, leg->course - atan((cross_track(leg, b) + kappa * b->x[0]) / guide->lookahead));
}

static void integral_outputs(const Block *b, double t)
{
    const struct guide *guide = b->constants;
    const struct leg *leg = active(guide, b);
    put_outputs(guide, leg, b, integral_heading(guide, leg, b));
}

static void integral_derivatives(const Block *b, double t)
{
    const struct learning *c = b->constants;
    const struct leg *leg = active(&c->guide, b);
    b->dx[0] = 0.0;
    if (rests(leg, b))
        return;
    double D = c->guide.lookahead, e = cross_track(leg, b), part = c->gain * b->x[0], total = e + part;
    b->dx[0] = held(D * e / (D * D + total * total), part, D * c->guide.tan_limit);
}

static void integral_update(const Block *b, double t)
{
    follow(b->constants, b, t, integral_heading, is_done);
}

const Plain plain_integral_line_of_sight = {
    sizeof(struct learning), learning_prepare, integral_outputs, integral_derivatives, integral_update, 0};

static double adaptive_heading(const struct guide *guide, const struct leg *leg, const Block *b)
{
    if (rests(leg, b))
        return kept_heading(b);
    return for_course(guide, b, leg->course - b->x[0] - atan(cross_track(leg, b) / guide->lookahead));
}

static void adaptive_outputs(const Block *b, double t)
{
    const struct guide *guide = b->constants;
    const struct leg *leg = active(guide, b);
    put_outputs(guide, leg, b, adaptive_heading(guide, leg, b));
}

static double learnt(double gain, double lookahead, double error, double estimate, double limit)
{
    return held(gain * error * lookahead / sqrt(lookahead * lookahead + error * error), estimate, limit);
}

static void adaptive_derivatives(const Block *b, double t)
{
    const struct learning *c = b->constants;
    const struct leg *leg = active(&c->guide, b);
    b->dx[0] = 0.0;
    if (!rests(leg, b))
        b->dx[0] = learnt(c->gain, c->guide.lookahead, cross_track(leg, b), b->x[0], c->guide.limit);
}

static void adaptive_update(const Block *b, double t)
{
    follow(b->constants, b, t, adaptive_heading, is_done);
}

const Plain plain_adaptive_line_of_sight = {
    sizeof(struct learning), learning_prepare, adaptive_outputs, adaptive_derivatives, adaptive_update, 0};

/* LineOfSight3D: vertical_lookahead, pitch_limit, adaptive, adaptation_gain, vertical_adaptation_gain */

struct spatial {
    struct guide guide;
    int adaptive;
    double lookahead, pitch_limit, gain, vertical_gain;
};

static void spatial_prepare(const double *const *p, const int *n, void *constants)
{
    struct spatial *c = constants;
    prepare_legs(p, n, &c->guide);
    c->lookahead = *p[12];
    c->pitch_limit = *p[13];
    c->adaptive = *p[14] != 0.0;
    c->gain = *p[15];
    c->vertical_gain = *p[16];
}

static double vertical_track(const struct leg *leg, const Block *b)
{
    const double *eta = b->u[0];
    double x = eta[0] - leg->x, y = eta[1] - leg->y, ahead;
    if (leg->length > 0.0)
        return (x * leg->cosine + y * leg->sine) * leg->slope_sine + (eta[2] - leg->z) * leg->slope_cosine;
    ahead = x * cos(kept_heading(b)) + y * sin(kept_heading(b));
    return leg->slope > 0.0 ? ahead : -ahead;
}

static int is_done_in_space(const struct guide *c, const struct leg *leg, const double *eta)
{
    if (leg->length == 0.0)
        return is_done(c, leg, eta);
    double x = leg->x_end - eta[0], y = leg->y_end - eta[1], z = leg->z_end - eta[2];
    if (c->along_track)
        return (x * leg->cosine + y * leg->sine) * leg->slope_cosine - z * leg->slope_sine <= c->radius;
    return sqrt(x * x + y * y + z * z) <= c->radius;
}

static double spatial_heading(const struct guide *guide, const struct leg *leg, const Block *b)
{
    const struct spatial *c = (const struct spatial *)guide;
    const double *eta = b->u[0], *nu = b->u[1];
    if (rests(leg, b))
        return kept_heading(b);
    double course = leg->course - atan(cross_track(leg, b) / guide->lookahead);
    if (c->adaptive)
        course -= b->x[0];
    if (guide->sideslip) {
        double aside = nu[1] * cos(eta[3]) - nu[2] * sin(eta[3]), below = nu[1] * sin(eta[3]) + nu[2] * cos(eta[3]);
        double ahead = nu[0] * cos(eta[4]) + below * sin(eta[4]);
        course -= drift(ahead, aside, guide->sideslip_speed);
    }
    return wrapped(course);
}

static void spatial_outputs(const Block *b, double t)
{
    const struct spatial *c = b->constants;
    const struct leg *leg = active(&c->guide, b);
    const double *eta = b->u[0], *nu = b->u[1];
    double z = vertical_track(leg, b), pitch = 0.0;
    put_outputs(&c->guide, leg, b, spatial_heading(&c->guide, leg, b));
    if (!rests(leg, b)) {
        pitch = leg->slope + atan(z / c->lookahead);
        if (c->adaptive)
            pitch += b->x[1];
        if (c->guide.sideslip)
            pitch += drift(nu[0], nu[1] * sin(eta[3]) + nu[2] * cos(eta[3]), c->guide.sideslip_speed);
        pitch = fmin(fmax(pitch, -c->pitch_limit), c->pitch_limit);
    }
    b->y[6][0] = pitch;
    b->y[7][0] = z;
}

static void spatial_derivatives(const Block *b, double t)
{
    const struct spatial *c = b->constants;
    const struct leg *leg = active(&c->guide, b);
    b->dx[0] = b->dx[1] = 0.0;
    if (rests(leg, b))
        return;
    b->dx[0] = learnt(c->gain, c->guide.lookahead, cross_track(leg, b), b->x[0], c->guide.limit);
    b->dx[1] = learnt(c->vertical_gain, c->lookahead, vertical_track(leg, b), b->x[1], c->guide.limit);
}

static void spatial_update(const Block *b, double t)
{
    follow(b->constants, b, t, spatial_heading, is_done_in_space);
}

const Plain plain_line_of_sight_3d = {
    sizeof(struct spatial), spatial_prepare, spatial_outputs, 0, spatial_update, 0};
const Plain plain_adaptive_line_of_sight_3d = {
    sizeof(struct spatial), spatial_prepare, spatial_outputs, spatial_derivatives, spatial_update, 0};
