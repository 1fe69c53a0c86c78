/* The plane tangent to the Earth at an origin: what it is prepared from, and places on the Earth from those in it. */
#ifndef NAVIGATION_PLANE_H
#define NAVIGATION_PLANE_H

#include <math.h>

static const double pi = 3.14159265358979323846;

static inline double wrapped(double angle)
{
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

struct plane {
    double a, e2;                           /* radius and squared eccentricity */
    double latitude, longitude, height;     /* of the origin */
    double sp, cp;                          /* sine and cosine of the latitude */
    double root;                            /* W = sqrt(1 - e^2 sin^2 phi) */
    double N;                               /* a/W */
    double M;                               /* radius of curvature along the meridian */
    double axis, equator;                   /* how far it is from the axis of the Earth, and above its equator */
};

/* Parameters: origin_latitude, origin_longitude, origin_height, ellipsoid, sphere_radius. */
static inline void plane_prepare(const double *const *p, struct plane *o)
{
    double f = 1.0 / 298.257223563;
    int sphere = *p[3] == 1.0;
    o->a = sphere ? *p[4] : 6378137.0;
    o->e2 = sphere ? 0.0 : f * (2.0 - f);
    o->latitude = *p[0];
    o->longitude = *p[1];
    o->height = *p[2];
    o->sp = sin(*p[0]);
    o->cp = cos(*p[0]);
    o->root = sqrt(1.0 - o->e2 * o->sp * o->sp);
    o->N = o->a / o->root;
    o->M = o->N * (1.0 - o->e2) / (o->root * o->root);
    o->axis = (o->N + o->height) * o->cp;
    o->equator = (o->N * (1.0 - o->e2) + o->height) * o->sp;
}

/* A latitude, and what differs there from the origin; these differences keep all their digits. */
struct parallel {
    double s, c, W, N;          /* sine, cosine, root, N */
    double ds, dc, dW, dN;
};

static inline struct parallel parallel_at(const struct plane *o, double delta)
{
    struct parallel at;
    double half = sin(0.5 * delta), sine = 2.0 * half * cos(0.5 * delta), versine = 2.0 * half * half;
    at.ds = o->cp * sine - o->sp * versine;
    at.dc = -o->sp * sine - o->cp * versine;
    at.s = o->sp + at.ds;
    at.c = o->cp + at.dc;
    at.W = sqrt(1.0 - o->e2 * at.s * at.s);
    at.N = o->a / at.W;
    at.dW = -o->e2 * at.ds * (at.s + o->sp) / (at.W + o->root);
    at.dN = -at.N * at.dW / o->root;
    return at;
}

/* From the plane, in differences from the origin: p = axis + dp, z = equator + dz, phi = latitude + delta solve
 *
 *   f = p sin phi - z cos phi - e^2 N sin phi cos phi = 0,  df/dphi = M + h,  h = p cos phi + z sin phi - a W
 *
 * and what f and h are at the origin is taken off each term, or metres would be lost in millions of them. */
static inline void plane_geodetic(const struct plane *o, const double eta[3], double geodetic[3])
{
    double dx = -eta[2] * o->cp - eta[0] * o->sp, dy = eta[1], dz = -eta[2] * o->sp + eta[0] * o->cp;
    double x = o->axis + dx, p = sqrt(x * x + dy * dy);
    double dp = x > 0.0 ? dx + dy * dy / (p + x) : p - o->axis;    /* beyond a pole x is negative */
    double delta = (dz * o->cp - dp * o->sp) / (o->M + o->height), height = 0.0;
    for (int i = 0; i < 10; i++) {
        struct parallel at = parallel_at(o, delta);
        double f = o->axis * at.ds - o->equator * at.dc + dp * at.s - dz * at.c
                   - o->e2 * (at.dN * at.s * at.c + o->N * (at.ds * at.c + o->sp * at.dc));
        height = o->height + o->axis * at.dc + o->equator * at.ds + dp * at.c + dz * at.s - o->a * at.dW;
        double step = f / (at.N * (1.0 - o->e2) / (at.W * at.W) + height);
        delta -= step;
        if (fabs(step) < 1e-12)     /* and the height, which has an extremum there, is right without the last step */
            break;
    }
    geodetic[0] = o->latitude + delta;
    geodetic[1] = wrapped(o->longitude + atan2(dy, x));
    geodetic[2] = height;
}

#endif
