/* Dynamic positioning in three or six degrees of freedom. */
#include <math.h>

#include "dynamics.h"
#include "plain.h"

/* Parameters: kp, ki, kd, mass_matrix, damping, lower, upper, tracking_gain; size: n. */
struct positioning {
    int n, place[6], has_integral[6];
    const double *kp, *ki, *kd, *mass, *damping, *lower, *upper, *K_t;
};

static void prepare(const double *const *p, const int *n, void *constants)
{
    struct positioning *c = constants;
    c->n = n[0];
    for (int i = 0; i < c->n; i++) {
        c->place[i] = c->n == 3 && i == 2 ? 5 : i;
        c->has_integral[i] = 0;
        for (int j = 0; j < c->n; j++)
            c->has_integral[i] |= p[1][c->n * i + j] != 0.0;
    }
    c->kp = p[0];
    c->ki = p[1];
    c->kd = p[2];
    c->mass = p[3];
    c->damping = p[4];
    c->lower = p[5];
    c->upper = p[6];
    c->K_t = p[7];
}

static double shortest(double angle)
{
    const double pi = 3.14159265358979323846;
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

static double limit(double value, double lower, double upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

/* R from body axes to NED, and the error in body axes */
static void error_of(const struct positioning *c, const Block *b, double R[3][3], double *e)
{
    const double *wanted = b->u[0], *eta = b->u[1];
    double x = wanted[0] - eta[0], y = wanted[1] - eta[1], z = wanted[2] - eta[2];
    if (c->n == 3) {
        double s = sin(eta[5]), k = cos(eta[5]);
        R[0][0] = R[1][1] = k;
        R[1][0] = s;
        R[0][1] = -s;
        e[0] = k * x + s * y;
        e[1] = -s * x + k * y;
        e[2] = shortest(wanted[5] - eta[5]);
        return;
    }
    rotation_of_euler_angles(eta + 3, R);
    for (int j = 0; j < 3; j++)
        e[j] = R[0][j] * x + R[1][j] * y + R[2][j] * z;
    double phi = shortest(wanted[3] - eta[3]), theta = shortest(wanted[4] - eta[4]), psi = shortest(wanted[5] - eta[5]);
    e[3] = phi - sin(eta[4]) * psi;
    e[4] = cos(eta[3]) * theta + cos(eta[4]) * sin(eta[3]) * psi;
    e[5] = -sin(eta[3]) * theta + cos(eta[4]) * cos(eta[3]) * psi;
}

static void before_limits(const struct positioning *c, const Block *b, double R[3][3], const double *e, double *v)
{
    const double *z = b->x;
    int n = c->n;
    if (n == 3) {
        v[0] = R[0][0] * z[0] + R[1][0] * z[1];
        v[1] = R[0][1] * z[0] + R[1][1] * z[1];
        v[2] = z[5];
    } else {
        for (int j = 0; j < 3; j++) {
            v[j] = R[0][j] * z[0] + R[1][j] * z[1] + R[2][j] * z[2];
            v[3 + j] = R[0][j] * z[3] + R[1][j] * z[4] + R[2][j] * z[5];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int at = n * i + j, k = c->place[j];
            v[i] += c->kp[at] * e[j] + c->kd[at] * (b->u[3][k] - b->u[2][k]) + c->mass[at] * b->u[4][k]
                + c->damping[at] * b->u[3][k];
        }
}

static void outputs(const Block *b, double t)
{
    const struct positioning *c = b->constants;
    double R[3][3], e[6], v[6];
    error_of(c, b, R, e);
    before_limits(c, b, R, e, v);
    for (int i = 0; i < 6; i++)
        b->y[0][i] = b->y[1][i] = 0.0;
    for (int i = 0; i < c->n; i++) {
        b->y[0][c->place[i]] = limit(v[i], c->lower[i], c->upper[i]);
        b->y[1][c->place[i]] = e[i];
    }
}

static void derivatives(const Block *b, double t)
{
    const struct positioning *c = b->constants;
    double R[3][3], e[6], v[6], rate[6];
    int n = c->n;
    error_of(c, b, R, e);
    before_limits(c, b, R, e, v);
    for (int i = 0; i < n; i++) {
        rate[i] = 0.0;
        if (!c->has_integral[i])
            continue;
        for (int j = 0; j < n; j++)
            rate[i] += c->ki[n * i + j] * e[j];
        rate[i] += c->K_t[i] * (limit(v[i], c->lower[i], c->upper[i]) - v[i]);
    }
    if (n == 3) {
        b->dx[0] = R[0][0] * rate[0] + R[0][1] * rate[1];
        b->dx[1] = R[1][0] * rate[0] + R[1][1] * rate[1];
        b->dx[2] = b->dx[3] = b->dx[4] = 0.0;
        b->dx[5] = rate[2];
        return;
    }
    for (int i = 0; i < 3; i++) {
        b->dx[i] = R[i][0] * rate[0] + R[i][1] * rate[1] + R[i][2] * rate[2];
        b->dx[3 + i] = R[i][0] * rate[3] + R[i][1] * rate[4] + R[i][2] * rate[5];
    }
}

const Plain plain_dynamic_positioning = {sizeof(struct positioning), prepare, outputs, derivatives, 0, 0};
