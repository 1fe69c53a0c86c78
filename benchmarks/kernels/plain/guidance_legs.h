/* What plain C of guidance along the legs between waypoints shares. */
#ifndef GUIDANCE_LEGS_H
#define GUIDANCE_LEGS_H

#include <math.h>
#include <stdlib.h>

#include "plain.h"

enum { CIRCLE, ALONG_TRACK };
enum { NEW, UNDER_WAY, FINISHED };
enum { MOST_WAYPOINTS = 100 };

struct leg {
    double x, y, z;                 /* where it begins */
    double x_end, y_end, z_end;
    double course, sine, cosine, length;
    double slope, slope_sine, slope_cosine;
};

struct guide {
    int n, closed, loop, along_track, taper, sideslip, depth_on_leg;
    double radius, lookahead, speed, taper_angle, sideslip_speed, limit;
    double tan_limit;
    struct leg leg[MOST_WAYPOINTS]; /* leg[k] ends at waypoint k, counted from 0 */
};

typedef double (*Heading)(const struct guide *c, const struct leg *leg, const Block *b);
typedef int (*Done)(const struct guide *c, const struct leg *leg, const double *eta);

static inline double wrapped(double angle)
{
    static const double pi = 3.14159265358979323846;
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

/* z = active_waypoint, kept_heading, phase, start_time */
static inline const struct leg *active(const struct guide *c, const Block *b)
{
    return &c->leg[(int)b->z[0] - 1];
}

static inline int has_finished(const Block *b)
{
    return b->z[2] == FINISHED;
}

/* No leg to follow: on the spot, or at the end. */
static inline int rests(const struct leg *leg, const Block *b)
{
    return has_finished(b) || leg->length == 0.0;
}

static inline double kept_heading(const Block *b)
{
    return b->z[2] == NEW ? wrapped(b->u[0][5]) : b->z[1];
}

static inline double along(const struct leg *leg, const double *eta)
{
    return (eta[0] - leg->x) * leg->cosine + (eta[1] - leg->y) * leg->sine;
}

static inline double cross_track(const struct leg *leg, const Block *b)
{
    const double *eta = b->u[0];
    double x = eta[0] - leg->x, y = eta[1] - leg->y;
    if (leg->length > 0.0)
        return y * leg->cosine - x * leg->sine;
    double heading = kept_heading(b);
    return y * cos(heading) - x * sin(heading);
}

/* The angle between two velocities at right angles, faded out below a speed. */
static inline double drift(double forward, double aside, double full_speed)
{
    double V = sqrt(forward * forward + aside * aside), beta = V > 0.0 ? asin(aside / V) : 0.0;
    return V < full_speed ? beta * V / full_speed : beta;
}

/* The rate of an estimate that stays within a limit. */
static inline double held(double rate, double estimate, double limit)
{
    if (fabs(estimate) <= 0.99 * limit || estimate * rate <= 0.0)
        return rate;
    return rate * fmax(0.0, (limit * limit - estimate * estimate) / (limit * limit * (1.0 - 0.99 * 0.99)));
}

static inline void put_outputs(const struct guide *c, const struct leg *leg, const Block *b, double heading)
{
    const double *eta = b->u[0];
    int rest = rests(leg, b);
    double speed = rest ? 0.0 : c->speed, depth = leg->z_end;
    if (c->taper && !rest)
        speed *= fmax(0.0, 1.0 - fabs(wrapped(heading - eta[5])) / c->taper_angle);
    if (c->depth_on_leg && !rest) {
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

static inline int is_done(const struct guide *c, const struct leg *leg, const double *eta)
{
    if (leg->length == 0.0)
        return fabs(leg->z_end - eta[2]) <= c->radius;
    if (c->along_track)
        return leg->length - along(leg, eta) <= c->radius;
    double x = leg->x_end - eta[0], y = leg->y_end - eta[1];
    return sqrt(x * x + y * y) <= c->radius;
}

static inline void follow(const struct guide *c, const Block *b, double t, Heading desired, Done done)
{
    double *waypoint = &b->z[0], *heading = &b->z[1], *phase = &b->z[2], *start = &b->z[3];
    if (*phase == NEW) {
        *phase = UNDER_WAY;
        *start = t;
    }
    if (t == *start && *waypoint == 2.0)
        *heading = wrapped(b->u[0][5]);
    for (int legs = c->closed ? c->n - 1 : c->n; legs > 0 && *phase != FINISHED; legs--) {
        const struct leg *leg = active(c, b);
        if (!done(c, leg, b->u[0]))
            return;
        *heading = desired(c, leg, b);
        if (*waypoint < c->n)
            *waypoint += 1.0;
        else if (c->loop)
            *waypoint = c->closed ? 2.0 : 1.0;
        else
            *phase = FINISHED;
    }
}

/* Parameters: waypoints, acceptance_radius, switching, at_end, lookahead, cruise_speed, speed_taper, taper_angle,
 * sideslip_compensation, sideslip_speed, sideslip_limit, depth_reference, and those of one law. */
static inline void prepare_legs(const double *const *p, const int *n, struct guide *c)
{
    const double *last = p[0] + 3 * (n[0] - 1);
    if (n[0] > MOST_WAYPOINTS)
        abort();
    c->n = n[0];
    c->closed = last[0] == p[0][0] && last[1] == p[0][1] && last[2] == p[0][2];
    c->radius = *p[1];
    c->along_track = *p[2] == ALONG_TRACK;
    c->loop = *p[3] != 0.0;
    c->lookahead = *p[4];
    c->speed = *p[5];
    c->taper = *p[6] != 0.0;
    c->taper_angle = *p[7];
    c->sideslip = *p[8] != 0.0;
    c->sideslip_speed = *p[9];
    c->limit = *p[10];
    c->tan_limit = tan(c->limit);
    c->depth_on_leg = *p[11] != 0.0;
    for (int k = 0; k < c->n; k++) {
        const double *end = p[0] + 3 * k, *begin = k > 0 ? end - 3 : last;
        double x = end[0] - begin[0], y = end[1] - begin[1], z = end[2] - begin[2], course = atan2(y, x);
        double length = sqrt(x * x + y * y), slope = atan2(-z, length);
        c->leg[k] = (struct leg){begin[0], begin[1], begin[2], end[0], end[1], end[2], course, sin(course), cos(course),
                                 length, slope, sin(slope), cos(slope)};
    }
}

#endif
