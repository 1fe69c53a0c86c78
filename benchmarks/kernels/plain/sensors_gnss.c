/* Satellite receiver. Parameters: those of the plane; seed, delay, lever_arm, horizontal_noise, vertical_noise,
 * velocity_noise, bias, horizontal_drift, vertical_drift, drift_time, period. States: sample, number of fixes, the last
 * fix (position, course, speed), drift, ring of fixes with a flag each. */
#include <string.h>

#include "navigation_plane.h"
#include "sensors.h"

enum { FIX = 5, FIX_AND_FLAG };
enum { FIXES = 1, HELD = 2, WANDERING = 7, RING = 10 };

struct gnss {
    struct plane plane;
    uint32_t seed;
    int late;
    double arm[3], bias[3], noise[3], velocity_noise;
    struct wander wander[3];
};

static void gnss_prepare(const double *const *p, const int *n, void *constants)
{
    struct gnss *c = constants;
    plane_prepare(p, &c->plane);
    c->seed = (uint32_t)*p[5];
    c->late = n[0];
    c->velocity_noise = *p[10];
    for (int i = 0; i < 3; i++) {
        c->arm[i] = p[7][i];
        c->bias[i] = p[11][i];
        c->noise[i] = i < 2 ? *p[8] : *p[9];
        c->wander[i] = wander_of(i < 2 ? *p[12] : *p[13], *p[15], *p[14]);
    }
}

static void gnss_reads(const Block *b, const struct gnss *c, double fix[FIX_AND_FLAG])
{
    const double *eta = b->u[0], *l = c->arm;
    double R[3][3], v[3], ground[2];
    attitude_of(eta, R);
    velocity_at(b->u[1], l, v);
    for (int i = 0; i < 3; i++)
        fix[i] = eta[i] + R[i][0] * l[0] + R[i][1] * l[1] + R[i][2] * l[2] + c->bias[i] + b->z[WANDERING + i]
                 + noise_of(b, c->noise[i], c->seed, i);
    for (int i = 0; i < 2; i++)
        ground[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2] + noise_of(b, c->velocity_noise, c->seed, 3 + i);
    fix[3] = atan2(ground[1], ground[0]);
    fix[4] = sqrt(ground[0] * ground[0] + ground[1] * ground[1]);
    fix[5] = b->u[2][0] >= 0.5;
}

static void gnss_outputs(const Block *b, double t)
{
    const struct gnss *c = b->constants;
    double now[FIX_AND_FLAG], geodetic[3];
    const double *fix = now;
    if (c->late)
        fix = oldest_of(b, b->z + RING, c->late, FIX_AND_FLAG);
    else
        gnss_reads(b, c, now);
    int valid = fix[FIX] != 0.0;
    if (!valid)
        fix = b->z + HELD;
    plane_geodetic(&c->plane, fix, geodetic);
    for (int i = 0; i < 3; i++) {
        b->y[i][0] = geodetic[i];
        b->y[3][i] = fix[i];
    }
    b->y[4][0] = fix[3];
    b->y[5][0] = fix[4];
    b->y[6][0] = valid;
    b->y[7][0] = b->z[FIXES] + valid;
}

static void gnss_update(const Block *b, double t)
{
    const struct gnss *c = b->constants;
    memcpy(b->z + HELD, b->y[3], 3 * sizeof(double));
    b->z[HELD + 3] = b->y[4][0];
    b->z[HELD + 4] = b->y[5][0];
    b->z[FIXES] = b->y[7][0];
    if (c->late)
        gnss_reads(b, c, oldest_of(b, b->z + RING, c->late, FIX_AND_FLAG));
    for (int i = 0; i < 3; i++)
        wander_on(b, c->wander[i], c->seed, i, &b->z[WANDERING + i]);
    b->z[0] += 1.0;
}

const Plain plain_gnss = {sizeof(struct gnss), gnss_prepare, gnss_outputs, 0, gnss_update, 0};
