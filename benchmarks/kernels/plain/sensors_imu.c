#include <string.h>

#include "sensors.h"

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
