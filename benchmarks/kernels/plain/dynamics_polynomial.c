/* Ships by hydrodynamic derivatives, with roll or without. States are eta and nu with six elements each. */
#include <string.h>

#include "dynamics.h"
#include "plain.h"
#include "polynomials.h"

struct ship {
    struct polynomial polynomial;
    int rolls;
    double u0, m, mx, mz, righting;    /* m and its moments: 0 where the derivatives have the Coriolis forces */
    double M[4][4], inverse[4][4];     /* of surge, sway, roll, yaw */
};

struct motion {
    double s, c, sf, cf, p, across, u_r, v_r, f_c[4], f_d[4], f_h, acceleration[4];
};

static void invert4(const double A[4][4], double X[4][4])
{
    double m[4][8];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            m[i][j] = j < 4 ? A[i][j] : j - 4 == i;
    for (int k = 0; k < 4; k++) {
        int pivot = k;
        for (int i = k + 1; i < 4; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k]))
                pivot = i;
        for (int j = 0; j < 8; j++) {
            double kept = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        for (int i = 0; i < 4; i++) {
            double factor = m[i][k] / m[k][k];
            for (int j = 0; j < 8 && i != k; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            X[i][j] = m[i][4 + j] / m[i][i];
}

/* Parameters: derivatives, correction, system, mass, roll_inertia, yaw_inertia, centre_of_gravity, metacentric_height,
 * length, draught, water_depth, density, reference_speed, lowest_speed, coriolis. Sizes: rows, products, system. */
static void ship_prepare(const double *const *p, const int *n, void *constants)
{
    struct ship *s = constants;
    const double *table = p[0];
    double m = *p[3], xg = p[6][0], zg = p[6][1], L = *p[8], T = *p[9], h = *p[10];
    double zeta = h < 1e300 ? T / (h - T) : 0.0;
    double force = of_system(&s->polynomial, n[2], *p[11], L, T, m, *p[13]);
    take_terms(&s->polynomial, table, n[1], p[1], force, zeta);
    s->rolls = 0;
    for (int i = 0; i < n[0]; i++) {
        const double *row = table + COLUMNS * i;
        s->rolls |= row[8] != 0.0 || (i >= n[1] && (int)row[0] == P);
        for (int j = 0; j < 3 && i < n[1]; j++)
            s->rolls |= (int)row[j] == P || (int)row[j] == PHI || (int)row[j] == P + 8 || (int)row[j] == PHI + 8;
    }
    if (!s->rolls)
        zg = 0.0;
    double rigid[4][4] = {{m, 0, 0, 0}, {0, m, -m * zg, m * xg}, {0, -m * zg, s->rolls ? *p[4] : 1.0, 0},
                          {0, m * xg, 0, *p[5]}};
    memcpy(s->M, rigid, sizeof rigid);
    double l = s->polynomial.length, unit = n[2] == 3 ? m : force * (n[2] ? L : 1.0);
    for (int i = n[1]; i < n[0]; i++) {
        const double *row = table + COLUMNS * i;
        int j = (int)row[0] - 1;
        for (int k = 0; k < 4; k++)
            s->M[k][j] -= unit * part(row, k, p[1]) * deepening(row, zeta) * (k > 1 ? l : 1.0) * (j > 1 ? l : 1.0);
    }
    invert4(s->M, s->inverse);
    s->u0 = *p[12];
    s->m = *p[14] * m;
    s->mx = s->m * xg;
    s->mz = s->m * zg;
    s->righting = m * 9.81 * *p[7];
}

static void move(const Block *b, struct motion *m)
{
    const struct ship *s = b->constants;
    const double *force = b->u[0], *disturbance = b->u[1], *v_c = b->u[2], *eta = b->x, *nu = b->x + 6;
    double r = nu[5], x[VARIABLES] = {0}, rate;
    m->s = sin(eta[5]);
    m->c = cos(eta[5]);
    m->sf = s->rolls ? sin(eta[3]) : 0.0;
    m->cf = s->rolls ? cos(eta[3]) : 1.0;
    m->p = s->rolls ? nu[3] : 0.0;
    m->f_h = s->rolls ? s->righting * eta[3] : 0.0;
    double ahead = m->c * v_c[0] + m->s * v_c[1], across = m->c * v_c[1] - m->s * v_c[0];
    m->across = across;
    m->u_r = nu[0] - ahead;
    m->v_r = nu[1] - m->cf * across;
    double du = r * m->cf * across, dv = -m->sf * m->p * across - m->cf * m->cf * r * ahead;
    double c[4] = {r * (s->mz * m->p - s->m * m->v_r - s->mx * r), s->m * m->u_r * r, -s->mz * m->u_r * r,
                   s->mx * m->u_r * r};
    for (int i = 0; i < 4; i++)
        m->f_c[i] = c[i] - (s->M[i][0] * du + s->M[i][1] * dv);
    double square = velocities(&s->polynomial, m->u_r, m->v_r, m->p, r, s->u0, x, &rate);
    x[PHI] = s->rolls ? eta[3] : 0.0;
    evaluate(&s->polynomial, x, -square, m->f_d);
    if (!s->rolls)
        m->f_c[2] = m->f_d[2] = 0.0;
    double X = force[0] + disturbance[0] - m->f_c[0] - m->f_d[0], Y = force[1] + disturbance[1] - m->f_c[1] - m->f_d[1];
    double K = s->rolls ? force[3] + disturbance[3] - m->f_c[2] - m->f_d[2] - m->f_h : 0.0;
    double N_ = force[5] + disturbance[5] - m->f_c[3] - m->f_d[3];
    m->acceleration[0] = s->inverse[0][0] * X;
    for (int i = 1; i < 4; i++)
        m->acceleration[i] = s->inverse[i][1] * Y + s->inverse[i][2] * K + s->inverse[i][3] * N_;
    if (!s->rolls)
        m->acceleration[2] = 0.0;
}

static void six(double surge, double sway, double roll, double yaw, double out[6])
{
    out[0] = surge;
    out[1] = sway;
    out[2] = out[4] = 0.0;
    out[3] = roll;
    out[5] = yaw;
}

static void ship_outputs(const Block *b, double t)
{
    struct motion m;
    move(b, &m);
    six(m.u_r, m.v_r, m.p, b->x[11], b->y[2]);
    six(m.acceleration[0], m.acceleration[1], m.acceleration[2], m.acceleration[3], b->y[3]);
    six(0.0, 0.0, m.f_h, 0.0, b->y[4]);
    six(m.f_d[0], m.f_d[1], m.f_d[2], m.f_d[3], b->y[5]);
    six(m.f_c[0], m.f_c[1], m.f_c[2], m.f_c[3], b->y[6]);
}

static void ship_derivatives(const Block *b, double t)
{
    struct motion m;
    const double *nu = b->x + 6;
    move(b, &m);
    double level = m.cf * nu[1] + m.sf * m.sf * m.across;
    six(m.c * nu[0] - m.s * level, m.s * nu[0] + m.c * level, m.p, m.cf * nu[5], b->dx);
    six(m.acceleration[0], m.acceleration[1], m.acceleration[2], m.acceleration[3], b->dx + 6);
}

const Plain plain_polynomial_vessel = {sizeof(struct ship), ship_prepare, ship_outputs, ship_derivatives, 0, 0};
