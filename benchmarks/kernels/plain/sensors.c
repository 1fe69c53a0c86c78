/* Compass, depth gauge, Doppler log and inertial measurement unit. */
#include <string.h>

#include "sensors.h"

static const double pi = 3.14159265358979323846;

/* Compass. Parameters: seed, delay, noise, bias, deviation, initial. */
struct compass {
    uint32_t seed;
    int late, deviates;
    double noise, bias, A, B, C, D, E;
};

static void compass_prepare(const double *const *p, const int *n, void *constants)
{
    struct compass *c = constants;
    const double *k = p[4];
    *c = (struct compass){(uint32_t)*p[0], n[0], k[1] || k[2] || k[3] || k[4], *p[2], *p[3],
                          k[0], k[1], k[2], k[3], k[4]};
}

static double compass_reads(const Block *b, const struct compass *c)
{
    double psi = b->u[0][5], shown = psi - c->A;
    for (int i = 0; c->deviates && i < 20; i++) {
        double s = sin(shown), k = cos(shown), s2 = 2.0 * s * k, k2 = 1.0 - 2.0 * s * s;
        double off = shown + c->A + c->B * s + c->C * k + c->D * s2 + c->E * k2 - psi;
        double step = off / (1.0 + c->B * k - c->C * s + 2.0 * c->D * k2 - 2.0 * c->E * s2);
        shown -= step;
        if (fabs(step) < 1e-9)
            break;
    }
    double heading = shown + c->bias + noise_of(b, c->noise, c->seed, 0);
    return heading - 2.0 * pi * floor((heading + pi) / (2.0 * pi));
}

static void compass_outputs(const Block *b, double t)
{
    const struct compass *c = b->constants;
    b->y[0][0] = c->late ? *oldest_of(b, b->z + 1, c->late, 1) : compass_reads(b, c);
}

static void compass_update(const Block *b, double t)
{
    const struct compass *c = b->constants;
    if (c->late)
        *oldest_of(b, b->z + 1, c->late, 1) = compass_reads(b, c);
    b->z[0] += 1.0;
}

const Plain plain_compass = {sizeof(struct compass), compass_prepare, compass_outputs, 0, compass_update, 0};

/* Depth gauge. Parameters: seed, delay, noise, bias, scale, lever_arm, initial. */
struct gauge {
    uint32_t seed;
    int late;
    double noise, bias, scale, arm[3];
};

static void gauge_prepare(const double *const *p, const int *n, void *constants)
{
    struct gauge *c = constants;
    *c = (struct gauge){(uint32_t)*p[0], n[0], *p[2], *p[3], *p[4], {p[5][0], p[5][1], p[5][2]}};
}

static double gauge_reads(const Block *b, const struct gauge *c)
{
    const double *eta = b->u[0], *l = c->arm;
    double st = sin(eta[4]), ct = cos(eta[4]), sf = sin(eta[3]), cf = cos(eta[3]);
    double depth = eta[2] - l[0] * st + l[1] * ct * sf + l[2] * ct * cf;
    return c->scale * depth + c->bias + noise_of(b, c->noise, c->seed, 0);
}

static void gauge_outputs(const Block *b, double t)
{
    const struct gauge *c = b->constants;
    b->y[0][0] = c->late ? *oldest_of(b, b->z + 1, c->late, 1) : gauge_reads(b, c);
}

static void gauge_update(const Block *b, double t)
{
    const struct gauge *c = b->constants;
    if (c->late)
        *oldest_of(b, b->z + 1, c->late, 1) = gauge_reads(b, c);
    b->z[0] += 1.0;
}

const Plain plain_depth_gauge = {sizeof(struct gauge), gauge_prepare, gauge_outputs, 0, gauge_update, 0};

/* Doppler log. Parameters: seed, delay, track, noise, bias, scale, lever_arm, initial. */
struct log {
    uint32_t seed;
    int late;
    double noise, bias[3], scale, arm[3];
};

static void log_prepare(const double *const *p, const int *n, void *constants)
{
    struct log *c = constants;
    *c = (struct log){(uint32_t)*p[0], n[0], *p[3], {p[4][0], p[4][1], p[4][2]}, *p[5], {p[6][0], p[6][1], p[6][2]}};
}

static void log_reads(const Block *b, const struct log *c, double v[3])
{
    velocity_at(b->u[0], c->arm, v);
    for (int i = 0; i < 3; i++)
        v[i] = c->scale * v[i] + c->bias[i] + noise_of(b, c->noise, c->seed, i);
}

static void log_outputs(const Block *b, double t)
{
    const struct log *c = b->constants;
    if (c->late)
        memcpy(b->y[0], oldest_of(b, b->z + 1, c->late, 3), 3 * sizeof(double));
    else
        log_reads(b, c, b->y[0]);
}

static void log_update(const Block *b, double t)
{
    const struct log *c = b->constants;
    if (c->late)
        log_reads(b, c, oldest_of(b, b->z + 1, c->late, 3));
    b->z[0] += 1.0;
}

const Plain plain_doppler_log = {sizeof(struct log), log_prepare, log_outputs, 0, log_update, 0};

/* Inertial measurement unit. Parameters: seed, delay, lever_arm, gravity; then of accelerometers and gyros noise_density,
 * bias, drift, drift_time, matrix; initial, period. States: sample, drift of all six, ring. */
struct imu {
    uint32_t seed;
    int late;
    double arm[3], gravity;
    struct triad {
        double sigma;
        const double *bias, *M;
        struct wander wander;
    } triads[2];
};

static void imu_prepare(const double *const *p, const int *n, void *constants)
{
    struct imu *c = constants;
    double period = *p[15];
    *c = (struct imu){(uint32_t)*p[0], n[0], {p[2][0], p[2][1], p[2][2]}, *p[3], {{0}}};
    for (int k = 0; k < 2; k++)
        c->triads[k] = (struct triad){*p[4 + k] / sqrt(period), p[6 + k], p[12 + k],
                                      wander_of(*p[8 + k], period, *p[10 + k])};
}

static void triad_reads(const Block *b, const struct imu *c, int k, const double x[3], double shown[3])
{
    const struct triad *e = &c->triads[k];
    for (int i = 0; i < 3; i++)
        shown[i] = e->M[3 * i] * x[0] + e->M[3 * i + 1] * x[1] + e->M[3 * i + 2] * x[2] + e->bias[i]
                   + b->z[1 + 3 * k + i] + noise_of(b, e->sigma, c->seed, 3 * k + i);
}

static void imu_reads(const Block *b, const struct imu *c, double force[3], double rate[3])
{
    const double *nu = b->u[1], *a = b->u[2], *l = c->arm, *w = nu + 3;
    double v[3], f[3], R[3][3];
    attitude_of(b->u[0], R);
    velocity_at(nu, l, v);
    f[0] = a[0] + a[4] * l[2] - a[5] * l[1] + w[1] * v[2] - w[2] * v[1] - R[2][0] * c->gravity;
    f[1] = a[1] + a[5] * l[0] - a[3] * l[2] + w[2] * v[0] - w[0] * v[2] - R[2][1] * c->gravity;
    f[2] = a[2] + a[3] * l[1] - a[4] * l[0] + w[0] * v[1] - w[1] * v[0] - R[2][2] * c->gravity;
    triad_reads(b, c, 0, f, force);
    triad_reads(b, c, 1, w, rate);
}

static void imu_outputs(const Block *b, double t)
{
    const struct imu *c = b->constants;
    if (!c->late) {
        imu_reads(b, c, b->y[0], b->y[1]);
        return;
    }
    const double *row = oldest_of(b, b->z + 7, c->late, 6);
    memcpy(b->y[0], row, 3 * sizeof(double));
    memcpy(b->y[1], row + 3, 3 * sizeof(double));
}

static void imu_update(const Block *b, double t)
{
    const struct imu *c = b->constants;
    if (c->late) {
        double *row = oldest_of(b, b->z + 7, c->late, 6);
        imu_reads(b, c, row, row + 3);
    }
    for (int i = 0; i < 6; i++)
        wander_on(b, c->triads[i / 3].wander, c->seed, i, &b->z[1 + i]);
    b->z[0] += 1.0;
}

const Plain plain_imu = {sizeof(struct imu), imu_prepare, imu_outputs, 0, imu_update, 0};
