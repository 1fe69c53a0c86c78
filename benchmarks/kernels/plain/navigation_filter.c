/* The Kalman filter of position, heading and current. */
#include <math.h>
#include <string.h>

#include "plain.h"

static const double pi = 3.14159265358979323846;

static double wrapped(double angle)
{
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

/* A scalar measurement whose row of H has the entries h; e is the residual of the prediction, d what has been added to
 * it. Joseph's form, (I - K h) P (I - K h)' + K r K'. */
static inline void corrected(int n, double d[], double P[], const double h[], double e, double r)
{
    double Ph[6], K[6], A[36], s = r;
    for (int i = 0; i < n; i++) {
        Ph[i] = 0.0;
        for (int j = 0; j < n; j++)
            Ph[i] += P[i * n + j] * h[j];
    }
    for (int i = 0; i < n; i++) {
        s += h[i] * Ph[i];
        e -= h[i] * d[i];
    }
    for (int i = 0; i < n; i++) {
        K[i] = Ph[i] / s;
        d[i] += K[i] * e;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = P[i * n + j] - K[i] * Ph[j];
    for (int i = 0; i < n; i++) {
        double Ah = -r * K[i];
        for (int j = 0; j < n; j++)
            Ah += A[i * n + j] * h[j];
        for (int j = i; j < n; j++)
            P[i * n + j] = P[j * n + i] = A[i * n + j] - Ah * K[j];
    }
}

/* F P F' + Q */
static inline void predicted(int n, const double F[], const double P[], const double Q[], double out[])
{
    double FP[36];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            FP[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                FP[i * n + j] += F[i * n + k] * P[k * n + j];
        }
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double sum = Q[i * n + j];
            for (int k = 0; k < n; k++)
                sum += FP[i * n + k] * F[j * n + k];
            out[i * n + j] = out[j * n + i] = sum;
        }
}

/* navigation_filter. Parameters: gnss_noise, lever_arm, compass_noise, gyro_noise_density, gyro_bias_walk, log_noise,
 * current_walk, initial_standard_deviation, period. States: x = north, east, heading, bias, current; P; last fix;
 * last reading of the gyro; 1 if there is one. */
enum { N, E, PSI, BIAS, CN, CE, COUNT };
enum { COVARIANCE = COUNT, LAST_FIX = COUNT + COUNT * COUNT, LAST_GYRO, BEGUN };

struct navigation {
    double T, arm[2], gnss, compass, gyro, log, bias_walk, current_walk;    /* variances of samples and per period */
};

static void navigation_prepare(const double *const *p, const int *n, void *constants)
{
    double T = *p[8];
    *(struct navigation *)constants = (struct navigation){
        T, {p[1][0], p[1][1]}, *p[0] * *p[0], *p[2] * *p[2], *p[3] * *p[3] / T, *p[5] * *p[5], *p[4] * *p[4] * T,
        *p[6] * *p[6] * T,
    };
}

static void navigation_outputs(const Block *b, double t)
{
    const struct navigation *c = b->constants;
    const double *z = b->u[0], *v = b->u[6], *l = c->arm;
    double x[COUNT], d[COUNT] = {0}, P[COUNT * COUNT];
    memcpy(x, b->z, sizeof x);
    if (b->z[BEGUN] != 0.0)
        x[PSI] += 0.5 * c->T * (b->u[5][0] - b->z[LAST_GYRO]);      /* the trapezoidal rule */
    memcpy(P, b->z + COVARIANCE, sizeof P);
    if (b->u[4][0] >= 0.5) {
        const double h[COUNT] = {[PSI] = 1.0};
        corrected(COUNT, d, P, h, wrapped(b->u[3][0] - x[PSI]), c->compass);
    }
    if (b->u[1][0] >= 0.5 && (b->u[2][0] < 0.0 || b->u[2][0] > b->z[LAST_FIX])) {
        double turned = d[PSI], s = sin(x[PSI] + turned), k = cos(x[PSI] + turned);
        double north = k * l[0] - s * l[1], east = s * l[0] + k * l[1];     /* of the antenna from the origin */
        const double by_north[COUNT] = {[N] = 1.0, [PSI] = -east}, by_east[COUNT] = {[E] = 1.0, [PSI] = north};
        corrected(COUNT, d, P, by_north, z[0] - x[N] - north - east * turned, c->gnss);
        corrected(COUNT, d, P, by_east, z[1] - x[E] - east + north * turned, c->gnss);
    }
    for (int i = 0; i < COUNT; i++)
        d[i] += x[i];
    double s = sin(d[PSI]), k = cos(d[PSI]);
    memcpy(b->y[0], (double[6]){d[N], d[E], b->u[7][0], 0.0, 0.0, wrapped(d[PSI])}, 6 * sizeof(double));
    memcpy(b->y[1], (double[6]){v[0] + k * d[CN] + s * d[CE], v[1] - s * d[CN] + k * d[CE], v[2], 0.0, 0.0,
                                b->u[5][0] - d[BIAS]}, 6 * sizeof(double));
    memcpy(b->y[2], (double[3]){d[CN], d[CE], 0.0}, 3 * sizeof(double));
    b->y[3][0] = d[BIAS];
    memcpy(b->y[4], P, sizeof P);
}

static void navigation_update(const Block *b, double t)
{
    const struct navigation *c = b->constants;
    const double *eta = b->y[0], *current = b->y[2], *v = b->u[6];
    double T = c->T, turned = T * b->y[1][5], psi = eta[5] + 0.5 * turned, s = sin(psi), k = cos(psi);
    double north = T * (k * v[0] - s * v[1]), east = T * (s * v[0] + k * v[1]);
    double F[COUNT * COUNT] = {0}, Q[COUNT * COUNT] = {0};
    for (int i = 0; i < COUNT; i++)
        F[i * COUNT + i] = 1.0;
    F[N * COUNT + PSI] = -east;
    F[E * COUNT + PSI] = north;
    F[N * COUNT + CN] = F[E * COUNT + CE] = T;
    double by_bias[3] = {0.5 * T * east, -0.5 * T * north, -T};
    for (int i = 0; i < 3; i++) {
        F[i * COUNT + BIAS] = by_bias[i];
        for (int j = 0; j < 3; j++)
            Q[i * COUNT + j] = c->gyro * by_bias[i] * by_bias[j];
    }
    Q[N * COUNT + N] += T * T * c->log;
    Q[E * COUNT + E] += T * T * c->log;
    Q[BIAS * COUNT + BIAS] = c->bias_walk;
    Q[CN * COUNT + CN] = Q[CE * COUNT + CE] = c->current_walk;
    predicted(COUNT, F, b->y[4], Q, b->z + COVARIANCE);
    b->z[N] = eta[0] + north + T * current[0];
    b->z[E] = eta[1] + east + T * current[1];
    b->z[PSI] = wrapped(eta[5] + turned);
    b->z[BIAS] = b->y[3][0];
    b->z[CN] = current[0];
    b->z[CE] = current[1];
    if (b->u[2][0] > b->z[LAST_FIX])
        b->z[LAST_FIX] = b->u[2][0];
    b->z[LAST_GYRO] = b->u[5][0];
    b->z[BEGUN] = 1.0;
}

const Plain plain_navigation_filter = {
    sizeof(struct navigation), navigation_prepare, navigation_outputs, 0, navigation_update, 0,
};
