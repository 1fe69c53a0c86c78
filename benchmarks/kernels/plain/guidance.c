/* Line-of-sight guidance: to one line, and along the legs between waypoints. */
#include <math.h>
#include <stdlib.h>

#include "plain.h"

static const double pi = 3.14159265358979323846;

static double wrapped(double angle)
{
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

/* To one line. Parameters: course, lookahead, origin. */

struct line {
    double course, sine, cosine, lookahead, x, y;
};

static void line_outputs(const Block *b, double t)
{
    const struct line *c = b->constants;
    const double *eta = b->u[0];
    double error = (eta[1] - c->y) * c->cosine - (eta[0] - c->x) * c->sine;
    b->y[0][0] = c->course - atan(error / c->lookahead);
    b->y[1][0] = error;
}

static void line_prepare(const double *const *p, const int *n, void *constants)
{
    struct line *c = constants;
    *c = (struct line){*p[0], sin(*p[0]), cos(*p[0]), *p[1], p[2][0], p[2][1]};
}

const Plain plain_course_line = {sizeof(struct line), line_prepare, line_outputs, 0, 0, 0};

/* Along legs */

enum { CIRCLE, ALONG_TRACK };
enum { NEW, UNDER_WAY, FINISHED };
enum { MOST_WAYPOINTS = 100 };

struct leg {
    double x, y, z;                 /* where it begins */
    double x_end, y_end, z_end;
    double course, sine, cosine, length;
};

struct los {
    int n, closed, loop, along_track, taper, sideslip, depth_on_leg;
    double radius, lookahead, kappa, speed, taper_angle, sideslip_speed;
    struct leg leg[MOST_WAYPOINTS];   /* leg[k] ends at waypoint k, counted from 0 */
};

/* z = active_waypoint, kept_heading, phase, start_time */
static const struct leg *active(const struct los *c, const Block *b)
{
    return &c->leg[(int)b->z[0] - 1];
}

static int has_finished(const Block *b)
{
    return b->z[2] == FINISHED;
}

/* The heading that is kept on the spot, and at the end. */
static double kept_heading(const Block *b)
{
    return b->z[2] == NEW ? wrapped(b->u[0][5]) : b->z[1];
}

static double along(const struct leg *leg, const double *eta)
{
    return (eta[0] - leg->x) * leg->cosine + (eta[1] - leg->y) * leg->sine;
}

static double cross_track(const struct leg *leg, const Block *b)
{
    const double *eta = b->u[0];
    double x = eta[0] - leg->x, y = eta[1] - leg->y;
    if (leg->length > 0.0)
        return y * leg->cosine - x * leg->sine;
    double heading = kept_heading(b);
    return y * cos(heading) - x * sin(heading);
}

static double desired_heading(const struct los *c, const struct leg *leg, const Block *b)
{
    if (has_finished(b) || leg->length == 0.0)
        return kept_heading(b);
    double heading = leg->course - atan((cross_track(leg, b) + c->kappa * b->x[0]) / c->lookahead);
    if (c->sideslip) {
        double u = b->u[1][0], v = b->u[1][1], V = sqrt(u * u + v * v);
        double beta = V > 0.0 ? asin(v / V) : 0.0;
        heading -= V < c->sideslip_speed ? beta * V / c->sideslip_speed : beta;
    }
    return wrapped(heading);
}

static void los_outputs(const Block *b, double t)
{
    const struct los *c = b->constants;
    const struct leg *leg = active(c, b);
    const double *eta = b->u[0];
    int rests = has_finished(b) || leg->length == 0.0;
    double heading = desired_heading(c, leg, b), speed = rests ? 0.0 : c->speed, depth = leg->z_end;
    if (c->taper && !rests)
        speed *= fmax(0.0, 1.0 - fabs(wrapped(heading - eta[5])) / c->taper_angle);
    if (c->depth_on_leg && !rests) {
        double part = fmin(fmax(along(leg, eta) / leg->length, 0.0), 1.0);
        depth = leg->z + part * (leg->z_end - leg->z);
    }
    b->y[0][0] = heading;
    b->y[1][0] = speed;
    b->y[2][0] = depth;
    b->y[3][0] = cross_track(leg, b);
    b->y[4][0] = b->z[0];
    b->y[5][0] = has_finished(b);
}

static void los_derivatives(const Block *b, double t)
{
    const struct los *c = b->constants;
    const struct leg *leg = active(c, b);
    b->dx[0] = 0.0;
    if (c->kappa == 0.0 || has_finished(b) || leg->length == 0.0)
        return;
    double error = cross_track(leg, b), total = error + c->kappa * b->x[0];
    b->dx[0] = c->lookahead * error / (c->lookahead * c->lookahead + total * total);
}

static int is_done(const struct los *c, const struct leg *leg, const double *eta)
{
    if (leg->length == 0.0)
        return fabs(leg->z_end - eta[2]) <= c->radius;
    if (c->along_track)
        return leg->length - along(leg, eta) <= c->radius;
    double x = leg->x_end - eta[0], y = leg->y_end - eta[1];
    return sqrt(x * x + y * y) <= c->radius;
}

static void los_update(const Block *b, double t)
{
    const struct los *c = b->constants;
    double *waypoint = &b->z[0], *heading = &b->z[1], *phase = &b->z[2], *start = &b->z[3];
    if (*phase == NEW) {
        *phase = UNDER_WAY;
        *start = t;
    }
    if (t == *start && *waypoint == 2.0)
        *heading = wrapped(b->u[0][5]);
    for (int legs = c->closed ? c->n - 1 : c->n; legs > 0 && *phase != FINISHED; legs--) {
        const struct leg *leg = active(c, b);
        if (!is_done(c, leg, b->u[0]))
            return;
        *heading = desired_heading(c, leg, b);
        if (*waypoint < c->n)
            *waypoint += 1.0;
        else if (c->loop)
            *waypoint = c->closed ? 2.0 : 1.0;
        else
            *phase = FINISHED;
    }
}

/* Parameters: waypoints, acceptance_radius, switching, at_end, lookahead, integral_gain, cruise_speed, speed_taper,
 * taper_angle, sideslip_compensation, sideslip_speed, depth_reference. */
static void los_prepare(const double *const *p, const int *n, void *constants)
{
    struct los *c = constants;
    const double *last = p[0] + 3 * (n[0] - 1);
    if (n[0] > MOST_WAYPOINTS)
        abort();
    c->n = n[0];
    c->closed = last[0] == p[0][0] && last[1] == p[0][1] && last[2] == p[0][2];
    c->radius = *p[1];
    c->along_track = *p[2] == ALONG_TRACK;
    c->loop = *p[3] != 0.0;
    c->lookahead = *p[4];
    c->kappa = *p[5];
    c->speed = *p[6];
    c->taper = *p[7] != 0.0;
    c->taper_angle = *p[8];
    c->sideslip = *p[9] != 0.0;
    c->sideslip_speed = *p[10];
    c->depth_on_leg = *p[11] != 0.0;
    for (int k = 0; k < c->n; k++) {
        const double *end = p[0] + 3 * k, *begin = k > 0 ? end - 3 : last;
        double x = end[0] - begin[0], y = end[1] - begin[1], course = atan2(y, x);
        c->leg[k] = (struct leg){begin[0], begin[1], begin[2], end[0], end[1], end[2],
                                 course, sin(course), cos(course), sqrt(x * x + y * y)};
    }
}

const Plain plain_line_of_sight = {sizeof(struct los), los_prepare, los_outputs, los_derivatives, los_update, 0};
