/* Ships by the MMG standard method, in the horizontal plane and with roll: in primes, as they are published. */
#include <math.h>
#include <string.h>

#include "plain.h"

struct ship {
    double L, force, moment;            /* rho L d / 2, rho L^2 d / 2 */
    double m, x_G, m_x, m_y, I_z;       /* I_z with J_z, about midship */
    double R_0, X[4], Y[6], N[6];
    double turn_x, turn_y;              /* m_x and m_y in a turn: 0 if X[1] and Y[1] have them */
    int by_drift;                       /* polynomials of beta, not of v' */
    double sway[2], yaw[2];             /* M^-1 of these */
    double z_G, z_m, z_H, stiffness, damping, quadratic, heel[2], inverse[3][3];
};

/* f_d = -(X_H, Y_H, N_H) */
static void damping(const struct ship *c, double u, double v, double r, double f[3])
{
    double U = sqrt(u * u + v * v);
    double W = fmax(U, 0.5 * fabs(r) * c->L);
    if (W == 0.0) {
        f[0] = f[1] = f[2] = 0.0;
        return;
    }
    double a = (c->by_drift ? U * atan2(v, fabs(u)) : v) / W, b = r * c->L / W, part = U / W, square = W * W;
    double s = U > 0.0 ? fmin(1.0, fmax(-1.0, sqrt(2.0) * u / U)) : 0.0;
    double X = s * (-c->R_0 * part * part + c->X[0] * a * a + c->X[2] * b * b + c->X[3] * a * a * a * a)
             + c->X[1] * a * b;
    double Y = c->Y[0] * a * part + c->Y[2] * a * a * a + c->Y[4] * a * b * b
             + s * (c->Y[1] * b * part + c->Y[3] * a * a * b + c->Y[5] * b * b * b);
    double N = s * (c->N[0] * a * part + c->N[2] * a * a * a + c->N[4] * a * b * b)
             + c->N[1] * b * part + c->N[3] * a * a * b + c->N[5] * b * b * b;
    f[0] = -c->force * square * X;
    f[1] = -c->force * square * Y;
    f[2] = -c->moment * square * N;
}

static void prepare_factors(const double *const *p, double f[16])
{
    double L = *p[0], d = *p[1], H = *p[12], B = *p[13], h = d / H, q = H / d - 1.0;
    double C = *p[2] / (L * B * d), F = C * B / d, T = C * d / B, W = F * pow(1.0 + B / L, 2.0);
    double K0 = 1.0 + 0.0775 / pow(q, 2.0) - 0.011 / pow(q, 3.0) + 0.000068 / pow(q, 5.0);
    double K1 = -0.0643 / q + 0.0724 / pow(q, 2.0) - 0.0113 / pow(q, 3.0) + 0.0000767 / pow(q, 5.0);
    double K2 = B / d <= 4.0 ? 0.0342 / q : 0.137 * B / d / q;
    double rotary = K0 + K1 * W / 2.0 + K2 * W * W / 3.0, sway = 1.5 * rotary - 0.5;
    double cubic = K0 + 8.0 / 15.0 * K1 * W + 40.0 / 105.0 * K2 * W * W;
    double mixed = K0 + 2.0 / 5.0 * K1 * W + 24.0 / 105.0 * K2 * W * W;
    double own[16] = {
        sway, mixed, rotary, sway,
        pow(1.0 - h, -0.4 * F) - h,
        1.0 + (-5.5 * F * F + 26.0 * F - 31.5) * h + (37.0 * F * F - 185.0 * F + 230.0) * h * h
            + (-38.0 * F * F + 197.0 * F - 250.0) * h * h * h,
        sway, sway, sway, cubic,
        K0 + K1 * W + K2 * W * W,
        pow(1.0 - h, 14.28 * d / L - 1.5) - h,
        sway,
        1.0 + (91.0 * T - 25.0) * h + (144.0 - 515.0 * T) * h * h + (508.0 * T - 143.0) * h * h * h,
        1.0 + (40.0 * F - 88.0) * h + (645.0 - 295.0 * F) * h * h + (312.0 * F - 678.0) * h * h * h,
        cubic,
    };
    memcpy(f, own, sizeof own);
}

static void prepare(const double *const *p, const int *n, void *constants)
{
    struct ship *c = constants;
    double f[16];
    c->L = *p[0];
    c->force = 0.5 * *p[3] * c->L * *p[1];
    c->moment = c->force * c->L;
    c->m = *p[3] * *p[2];
    c->x_G = *p[4];
    c->m_x = c->moment * p[6][0];
    c->m_y = c->moment * p[6][1];
    c->I_z = c->m * (pow(*p[5] * c->L, 2.0) + c->x_G * c->x_G) + c->moment * c->L * c->L * p[6][2];
    for (int i = 0; i < 16; i++)
        f[i] = 1.0;
    if (*p[12] < 1e9)
        prepare_factors(p, f);
    c->R_0 = *p[7];
    for (int i = 0; i < 4; i++)
        c->X[i] = p[9][i] * f[i];
    for (int i = 0; i < 6; i++) {
        c->Y[i] = p[10][i] * f[4 + i];
        c->N[i] = p[11][i] * f[10 + i];
    }
    c->by_drift = *p[8] != 0.0;
    c->turn_x = c->by_drift ? 0.0 : c->m_x;
    c->turn_y = c->by_drift ? 0.0 : c->m_y;
    if (c->by_drift) {
        c->X[1] = -(p[9][1] + p[6][1]) * f[1] + p[6][1];
        c->Y[1] = (p[10][1] + p[6][0]) * f[5] - p[6][0];
        for (int i = 0; i < 6; i += 2) {
            c->Y[i] = -c->Y[i];
            c->N[i] = -c->N[i];
        }
    }
    double a = c->m + c->m_y, b = c->m * c->x_G, det = a * c->I_z - b * b;
    c->sway[0] = c->I_z / det;
    c->sway[1] = c->yaw[0] = -b / det;
    c->yaw[1] = a / det;
}

/* In the horizontal plane */

static void planar(const Block *b, double s, double e, double f_c[3], double f_d[3], double nu_r[3], double rate[3])
{
    const struct ship *c = b->constants;
    const double *nu = b->x + 6, *v_c = b->u[2];
    double ahead = e * v_c[0] + s * v_c[1], across = e * v_c[1] - s * v_c[0], r = nu[5];
    nu_r[0] = nu[0] - ahead;
    nu_r[1] = nu[1] - across;
    nu_r[2] = r;
    damping(c, nu_r[0], nu_r[1], r, f_d);
    f_c[0] = -c->m * r * (nu[1] + c->x_G * r) - c->turn_y * nu_r[1] * r - c->m_x * r * across;
    f_c[1] = c->m * nu[0] * r + c->turn_x * nu_r[0] * r + c->m_y * r * ahead;
    f_c[2] = c->m * c->x_G * nu[0] * r;
    double X = b->u[0][0] + b->u[1][0] - f_c[0] - f_d[0], Y = b->u[0][1] + b->u[1][1] - f_c[1] - f_d[1];
    double N = b->u[0][5] + b->u[1][5] - f_c[2] - f_d[2];
    rate[0] = X / (c->m + c->m_x);
    rate[1] = c->sway[0] * Y + c->sway[1] * N;
    rate[2] = c->yaw[0] * Y + c->yaw[1] * N;
}

static void three(const double from[3], double to[6])
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = to[3] = to[4] = 0.0;
    to[5] = from[2];
}

static void planar_outputs(const Block *b, double t)
{
    double f_c[3], f_d[3], nu_r[3], rate[3];
    planar(b, sin(b->x[5]), cos(b->x[5]), f_c, f_d, nu_r, rate);
    three(nu_r, b->y[2]);
    three(rate, b->y[3]);
    memset(b->y[4], 0, 6 * sizeof(double));
    three(f_d, b->y[5]);
    three(f_c, b->y[6]);
}

static void planar_derivatives(const Block *b, double t)
{
    double f_c[3], f_d[3], nu_r[3], rate[3], s = sin(b->x[5]), e = cos(b->x[5]);
    const double *nu = b->x + 6;
    planar(b, s, e, f_c, f_d, nu_r, rate);
    three((double[3]){e * nu[0] - s * nu[1], s * nu[0] + e * nu[1], nu[5]}, b->dx);
    three(rate, b->dx + 6);
}

const Plain plain_mmg_vessel = {sizeof(struct ship), prepare, planar_outputs, planar_derivatives, 0, 0};

/* With roll */

static void prepare_rolling(const double *const *p, const int *n, void *constants)
{
    struct ship *c = constants;
    prepare(p, n, constants);
    c->z_G = *p[14];
    c->z_m = *p[17];
    c->z_H = *p[18];
    double square = *p[15] * *p[15];
    double I_x = c->m * (square + c->z_G * c->z_G) + *p[16] * c->m * square + c->m_y * c->z_m * c->z_m;
    c->stiffness = c->m * *p[23] * *p[19];
    c->damping = 2.0 * *p[20] * sqrt(c->stiffness * I_x);
    c->quadratic = *p[21];
    c->heel[0] = c->force * p[22][0];
    c->heel[1] = c->moment * p[22][1];
    double a = c->m + c->m_y, b = -c->m * c->z_G - c->m_y * c->z_m, d = c->m * c->x_G, e = -c->m * c->x_G * c->z_G;
    double det = a * (I_x * c->I_z - e * e) - b * (b * c->I_z - e * d) + d * (b * e - I_x * d);
    double inverse[3][3] = {
        {(I_x * c->I_z - e * e) / det, (d * e - b * c->I_z) / det, (b * e - d * I_x) / det},
        {(e * d - b * c->I_z) / det, (a * c->I_z - d * d) / det, (d * b - a * e) / det},
        {(b * e - I_x * d) / det, (b * d - a * e) / det, (a * I_x - b * b) / det},
    };
    memcpy(c->inverse, inverse, sizeof inverse);
}

static void rolling(const Block *b, double s, double e, double f_c[4], double f_d[4], double nu_r[4], double rate[4])
{
    const struct ship *c = b->constants;
    const double *nu = b->x + 6, *v_c = b->u[2];
    double ahead = e * v_c[0] + s * v_c[1], across = e * v_c[1] - s * v_c[0], p = nu[3], r = nu[5], phi = b->x[3];
    double u = nu[0] - ahead, v = nu[1] - across, hull[3];
    nu_r[0] = u;
    nu_r[1] = v;
    nu_r[2] = p;
    nu_r[3] = r;
    f_c[0] = -r * (c->m * (nu[1] + c->x_G * r - c->z_G * p) + c->turn_y * v - c->m_y * c->z_m * p + c->m_x * across);
    f_c[1] = r * (c->m * nu[0] + c->turn_x * u + c->m_y * ahead);
    f_c[2] = -r * (c->m * c->z_G * nu[0] + c->turn_x * c->z_m * u + c->m_y * c->z_m * ahead);
    f_c[3] = r * c->m * c->x_G * nu[0];
    damping(c, u, v, r, hull);
    double side = hull[1] - c->heel[0] * (u * u + v * v) * phi;
    f_d[0] = hull[0];
    f_d[1] = side;
    f_d[2] = c->damping * p + c->quadratic * fabs(p) * p - c->z_H * side;
    f_d[3] = hull[2] - c->heel[1] * (u * u + v * v) * phi;
    double X = b->u[0][0] + b->u[1][0] - f_c[0] - f_d[0], Y = b->u[0][1] + b->u[1][1] - f_c[1] - f_d[1];
    double K = b->u[0][3] + b->u[1][3] - f_c[2] - f_d[2] - c->stiffness * sin(phi);
    double N = b->u[0][5] + b->u[1][5] - f_c[3] - f_d[3];
    rate[0] = X / (c->m + c->m_x);
    for (int i = 0; i < 3; i++)
        rate[1 + i] = c->inverse[i][0] * Y + c->inverse[i][1] * K + c->inverse[i][2] * N;
}

static void four(const double from[4], double to[6])
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = to[4] = 0.0;
    to[3] = from[2];
    to[5] = from[3];
}

static void rolling_outputs(const Block *b, double t)
{
    const struct ship *c = b->constants;
    double f_c[4], f_d[4], nu_r[4], rate[4];
    rolling(b, sin(b->x[5]), cos(b->x[5]), f_c, f_d, nu_r, rate);
    four(nu_r, b->y[2]);
    four(rate, b->y[3]);
    memset(b->y[4], 0, 6 * sizeof(double));
    b->y[4][3] = c->stiffness * sin(b->x[3]);
    four(f_d, b->y[5]);
    four(f_c, b->y[6]);
}

static void rolling_derivatives(const Block *b, double t)
{
    double f_c[4], f_d[4], nu_r[4], rate[4], s = sin(b->x[5]), e = cos(b->x[5]);
    const double *nu = b->x + 6;
    rolling(b, s, e, f_c, f_d, nu_r, rate);
    four((double[4]){e * nu[0] - s * nu[1], s * nu[0] + e * nu[1], nu[3], nu[5]}, b->dx);
    four(rate, b->dx + 6);
}

const Plain plain_mmg_vessel_4dof = {sizeof(struct ship), prepare_rolling, rolling_outputs, rolling_derivatives, 0, 0};
