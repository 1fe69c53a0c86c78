/* Vessels in the horizontal plane, with full and with diagonal matrices. States are eta and nu with six elements each,
 * of which the first, second and last move. */
#include <string.h>

#include "cross_flow.h"
#include "dynamics.h"
#include "plain.h"

struct planar {
    double current[2], nu_r[3], coriolis[3], damping[3], acceleration[3];
};

static void six(const double planar[3], double out[6])
{
    out[0] = planar[0];
    out[1] = planar[1];
    out[2] = out[3] = out[4] = 0.0;
    out[5] = planar[2];
}

static void relative_velocity(const Block *b, double s, double c, struct planar *m)
{
    const double *v_c = b->u[2], *nu = b->x + 6;
    m->current[0] = c * v_c[0] + s * v_c[1];
    m->current[1] = c * v_c[1] - s * v_c[0];
    m->nu_r[0] = nu[0] - m->current[0];
    m->nu_r[1] = nu[1] - m->current[1];
    m->nu_r[2] = nu[5];
}

static void write_outputs(const Block *b, const struct planar *m)
{
    six(m->nu_r, b->y[2]);
    six(m->acceleration, b->y[3]);
    memset(b->y[4], 0, 6 * sizeof(double));
    six(m->damping, b->y[5]);
    six(m->coriolis, b->y[6]);
}

static void write_rates(const Block *b, double s, double c, const struct planar *m)
{
    const double *nu = b->x + 6;
    double rates[3] = {c * nu[0] - s * nu[1], s * nu[0] + c * nu[1], nu[5]};
    six(rates, b->dx);
    six(m->acceleration, b->dx + 6);
}

/* Full matrices */

struct full {
    double mass[3][3], inverse[3][3], linear[3][3];
    double Xuu, Xuuu, Yvv, Yrv, Yvr, Yrr, Nvv, Nrv, Nvr, Nrr;   /* of D_n */
    double Xvv, Xvr, Xrr;
    int strips;
    double length, middle, density;   /* of the strips; no length: no drag across the flow */
    const double *draught, *sway;
};

static void full_motion(const Block *b, double s, double c, struct planar *m)
{
    const struct full *v = b->constants;
    const double *force = b->u[0], *disturbance = b->u[1];
    relative_velocity(b, s, c, m);
    double u = m->nu_r[0], w = m->nu_r[1], r = m->nu_r[2];
    double momentum[2];
    for (int i = 0; i < 2; i++)
        momentum[i] = v->mass[i][0] * u + v->mass[i][1] * w + v->mass[i][2] * r;
    double turning[2] = {r * m->current[1], -r * m->current[0]};   /* d(nu_c)/dt */
    double coriolis[3] = {-r * momentum[1], r * momentum[0], u * momentum[1] - w * momentum[0]};
    double damping[3] = {
        (v->Xuu * fabs(u) + v->Xuuu * u * u) * u + v->Xvv * w * w + v->Xvr * w * r + v->Xrr * r * r,
        (v->Yvv * fabs(w) + v->Yrv * fabs(r)) * w + (v->Yvr * fabs(w) + v->Yrr * fabs(r)) * r,
        (v->Nvv * fabs(w) + v->Nrv * fabs(r)) * w + (v->Nvr * fabs(w) + v->Nrr * fabs(r)) * r,
    };
    if (v->length > 0.0) {
        double Y, N;
        cross_flow(v->strips, v->length, v->middle, v->density, v->sway, v->draught, w, r, &Y, &N);
        damping[1] += Y;
        damping[2] += N;
    }
    double sum[3] = {force[0] + disturbance[0], force[1] + disturbance[1], force[5] + disturbance[5]};
    for (int i = 0; i < 3; i++) {
        m->coriolis[i] = coriolis[i] - (v->mass[i][0] * turning[0] + v->mass[i][1] * turning[1]);
        m->damping[i] = damping[i] + v->linear[i][0] * u + v->linear[i][1] * w + v->linear[i][2] * r;
        sum[i] -= m->coriolis[i] + m->damping[i];
    }
    for (int i = 0; i < 3; i++)
        m->acceleration[i] = v->inverse[i][0] * sum[0] + v->inverse[i][1] * sum[1] + v->inverse[i][2] * sum[2];
}

static void full_outputs(const Block *b, double t)
{
    struct planar m;
    full_motion(b, sin(b->x[5]), cos(b->x[5]), &m);
    write_outputs(b, &m);
}

static void full_derivatives(const Block *b, double t)
{
    struct planar m;
    double s = sin(b->x[5]), c = cos(b->x[5]);
    full_motion(b, s, c, &m);
    write_rates(b, s, c, &m);
}

static void invert3(const double A[3][3], double X[3][3])
{
    double det = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int r = (j + 1) % 3, s = (j + 2) % 3, k = (i + 1) % 3, l = (i + 2) % 3;
            X[i][j] = A[r][k] * A[s][l] - A[r][l] * A[s][k];
        }
    for (int i = 0; i < 3; i++)
        det += A[0][i] * X[i][0];
    for (int i = 0; i < 9; i++)
        X[i / 3][i % 3] /= det;
}

/* Parameters: mass, yaw_inertia, centre_of_gravity, added_mass, linear_damping, nonlinear_damping, surge_in_turn, and
 * length, middle, draught, sway coefficient and density of strips. */
static void full_prepare(const double *const *p, const int *n, void *constants)
{
    struct full *v = constants;
    double m = *p[0], x = p[2][0], y = p[2][1];
    double rigid[3][3] = {{m, 0.0, -m * y}, {0.0, m, m * x}, {-m * y, m * x, *p[1]}};
    for (int i = 0; i < 9; i++)
        v->mass[i / 3][i % 3] = rigid[i / 3][i % 3] + p[3][i];
    invert3(v->mass, v->inverse);
    memcpy(v->linear, p[4], sizeof v->linear);
    memcpy(&v->Xuu, p[5], 10 * sizeof(double));
    memcpy(&v->Xvv, p[6], 3 * sizeof(double));
    v->strips = n[0];
    v->length = *p[7];
    v->middle = *p[8];
    v->draught = p[9];
    v->sway = p[10];
    v->density = *p[11];
}

const Plain plain_vessel_3dof = {sizeof(struct full), full_prepare, full_outputs, full_derivatives, 0, 0};

/* Diagonal matrices */

struct diagonal {
    double m11, m22, m33, d11, d22, d33;
};

static void diagonal_motion(const Block *b, double s, double c, struct planar *m)
{
    const struct diagonal *v = b->constants;
    const double *force = b->u[0], *disturbance = b->u[1];
    relative_velocity(b, s, c, m);
    double u = m->nu_r[0], w = m->nu_r[1], r = m->nu_r[2];
    m->coriolis[0] = -v->m22 * w * r - v->m11 * r * m->current[1];
    m->coriolis[1] = v->m11 * u * r + v->m22 * r * m->current[0];
    m->coriolis[2] = (v->m22 - v->m11) * u * w;
    m->damping[0] = v->d11 * u;
    m->damping[1] = v->d22 * w;
    m->damping[2] = v->d33 * r;
    m->acceleration[0] = (force[0] + disturbance[0] - m->coriolis[0] - m->damping[0]) / v->m11;
    m->acceleration[1] = (force[1] + disturbance[1] - m->coriolis[1] - m->damping[1]) / v->m22;
    m->acceleration[2] = (force[5] + disturbance[5] - m->coriolis[2] - m->damping[2]) / v->m33;
}

static void diagonal_outputs(const Block *b, double t)
{
    struct planar m;
    diagonal_motion(b, sin(b->x[5]), cos(b->x[5]), &m);
    write_outputs(b, &m);
}

static void diagonal_derivatives(const Block *b, double t)
{
    struct planar m;
    double s = sin(b->x[5]), c = cos(b->x[5]);
    diagonal_motion(b, s, c, &m);
    write_rates(b, s, c, &m);
}

/* Parameters: inertia, linear_damping. */
static void diagonal_prepare(const double *const *p, const int *n, void *constants)
{
    struct diagonal *v = constants;
    memcpy(&v->m11, p[0], 3 * sizeof(double));
    memcpy(&v->d11, p[1], 3 * sizeof(double));
}

const Plain plain_vessel_3dof_diagonal = {
    sizeof(struct diagonal), diagonal_prepare, diagonal_outputs, diagonal_derivatives, 0, 0,
};
