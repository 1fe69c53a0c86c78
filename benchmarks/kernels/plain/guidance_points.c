/* Guidance to a target that moves, and to a station. */
#include <math.h>

#include "plain.h"

struct target {
    int bearing;
    double offset[3], speed, distance;
};

static void target_prepare(const double *const *p, const int *n, void *constants)
{
    struct target *c = constants;
    *c = (struct target){*p[0] == 0.0, {p[1][0], p[1][1], p[1][2]}, *p[2], *p[3]};
}

static double wrapped(double angle)
{
    const double pi = 3.14159265358979323846;
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

static void target_outputs(const Block *b, double t)
{
    const struct target *c = b->constants;
    const double *eta = b->u[0], *target = b->u[1], *velocity = b->u[2];
    double dx = eta[0] - target[0] - c->offset[0], dy = eta[1] - target[1] - c->offset[1];
    double kappa = c->speed / sqrt(dx * dx + dy * dy + c->distance * c->distance);
    double vx = -kappa * dx, vy = -kappa * dy;
    if (c->bearing) {
        vx += velocity[0];
        vy += velocity[1];
    }
    double speed = sqrt(vx * vx + vy * vy);
    b->y[0][0] = speed > 1e-6 * c->speed ? atan2(vy, vx) : wrapped(eta[5]);
    b->y[1][0] = speed;
    b->y[2][0] = target[2] + c->offset[2];
    b->y[3][0] = sqrt(dx * dx + dy * dy);
}

const Plain plain_target_tracking = {sizeof(struct target), target_prepare, target_outputs, 0, 0, 0};

struct station {
    double x, y, z, inner, outer, speed, slow;
};

static void station_prepare(const double *const *p, const int *n, void *constants)
{
    struct station *c = constants;
    *c = (struct station){p[0][0], p[0][1], p[0][2], *p[1], *p[2], *p[3], *p[4]};
}

static void station_outputs(const Block *b, double t)
{
    const struct station *c = b->constants;
    const double *eta = b->u[0];
    double dx = c->x - eta[0], dy = c->y - eta[1], d = sqrt(dx * dx + dy * dy);
    if (b->z[0]) {
        b->y[0][0] = b->z[1];
        b->y[1][0] = 0.0;
    } else {
        b->y[0][0] = d > 0.0 ? atan2(dy, dx) : wrapped(eta[5]);
        b->y[1][0] = d < c->slow ? c->speed * d / c->slow : c->speed;
    }
    b->y[2][0] = c->z;
    b->y[3][0] = d;
    b->y[4][0] = b->z[0];
}

static void station_update(const Block *b, double t)
{
    const struct station *c = b->constants;
    double dx = c->x - b->u[0][0], dy = c->y - b->u[0][1], d = sqrt(dx * dx + dy * dy);
    if (b->z[0]) {
        if (d >= c->outer)
            b->z[0] = 0.0;
    } else if (d <= c->inner) {
        b->z[0] = 1.0;
        b->z[1] = wrapped(b->u[0][5]);
    }
}

const Plain plain_station_keeping = {sizeof(struct station), station_prepare, station_outputs, 0, station_update, 0};
