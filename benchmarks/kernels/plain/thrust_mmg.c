/* Propellers and rudders behind a hull, by the MMG standard method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "thrust.h"

static const double pi = 3.14159265358979323846;

enum { MOST_SCREWS = 4 };

struct screw {
    double D, x, y, z, limit[2], w, C_2[2], area, x_R, y_R, z_R, gamma[2];
};

struct propulsion {
    int n, gaussian;
    double L, rho, k_t[2][4], J[2][2], k_q[4], merit, C_1, C_0, t_P;
    double f_alpha, t_R, a_H, x_H, epsilon, eta, kappa, l_R, limit;
    struct actuator gear;
    struct screw screw[MOST_SCREWS];
};

static double polynomial(const double c[4], double x)
{
    return c[3] + x * (c[2] + x * (c[1] + x * c[0]));
}

static double inflow(const struct propulsion *c, const struct screw *one, const double nu[6], double beta, double U)
{
    double u = nu[0] - nu[5] * one->y;
    if (u <= 0.0)
        return u;
    double at = beta - one->x * nu[5] / fmax(U, 1e-9);
    if (c->gaussian)
        return u * (1.0 - one->w * exp(-c->C_0 * at * at));
    double C_2 = at > 0.0 ? one->C_2[0] : one->C_2[1];
    return u * (1.0 - one->w) * (1.0 + (1.0 - exp(-c->C_1 * fabs(at))) * (C_2 - 1.0));
}

static double past_rudder(const struct propulsion *c, const struct screw *one, double n, double u, double T)
{
    double jet = u;
    if (n > 0.0 && (u > 0.0 || T > 0.0))
        jet += c->kappa * (sqrt(fmax(0.0, u * u + 8.0 * T / (pi * c->rho * one->D * one->D))) - fabs(u));
    double square = c->eta * jet * fabs(jet) + (1.0 - c->eta) * u * fabs(u);
    return square < 0.0 ? -c->epsilon * sqrt(-square) : c->epsilon * sqrt(square);
}

static void act(const Block *b)
{
    const struct propulsion *c = b->constants;
    const double *nu = b->u[2];
    double *tau = b->y[0], U = sqrt(nu[0] * nu[0] + nu[1] * nu[1]), beta = atan2(-nu[1], fabs(nu[0]));
    memset(tau, 0, 6 * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        const struct screw *one = &c->screw[i];
        double n = limited(b->u[0][i], -one->limit[1], one->limit[0]), u = inflow(c, one, nu, beta, U);
        double T = 0.0, Q = 0.0, D = one->D;
        if (n != 0.0) {
            int astern = n < 0.0;
            double J = limited(u / (fabs(n) * D), c->J[astern][0], c->J[astern][1]);
            double k_t = polynomial(c->k_t[astern], J);
            T = c->rho * D * D * D * D * k_t * fabs(n) * n;
            double k_q;
            if (!astern && (c->k_q[0] != 0.0 || c->k_q[1] != 0.0 || c->k_q[2] != 0.0 || c->k_q[3] != 0.0))
                k_q = polynomial(c->k_q, J);
            else
                k_q = disc_power(k_t, astern ? -J : J, 1.0, 1.0, c->merit) / (2.0 * pi);
            Q = c->rho * D * D * D * D * D * k_q * fabs(n) * n;
        }
        double u_R = past_rudder(c, one, n, u, T);
        double v_R = U * beta - c->l_R * c->L * nu[5];
        v_R *= v_R > 0.0 ? one->gamma[0] : one->gamma[1];
        double delta = b->y[5][i], s = sin(delta), e = cos(delta);
        double F = 0.5 * c->rho * one->area * c->f_alpha * sqrt(u_R * u_R + v_R * v_R) * (u_R * s - v_R * e);
        double X_P = (1.0 - c->t_P) * T, X_R = -(1.0 - c->t_R) * F * s, Y_R = -(1.0 + c->a_H) * F * e;
        tau[0] += X_P + X_R;
        tau[1] += Y_R;
        tau[3] += -one->z_R * Y_R;
        tau[4] += one->z * X_P + one->z_R * X_R;
        tau[5] += -(one->x_R + c->a_H * c->x_H * c->L) * F * e - one->y * X_P - one->y_R * X_R;
        b->y[1][i] = T;
        b->y[2][i] = n;
        b->y[3][i] = 2.0 * pi * n * Q;
        b->y[4][i] = Q;
        b->y[6][i] = F;
    }
}

static void instant_outputs(const Block *b, double t)
{
    const struct propulsion *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[5][i] = limited(b->u[1][i], -c->limit, c->limit);
    act(b);
}

static void lag_outputs(const Block *b, double t)
{
    const struct propulsion *c = b->constants;
    memcpy(b->y[5], b->x, c->n * sizeof(double));
    act(b);
}

static void lag_derivatives(const Block *b, double t)
{
    const struct propulsion *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->dx[i] = actuator_rate(&c->gear, limited(b->u[1][i], -c->limit, c->limit) - b->x[i]);
}

static void prepare(const double *const *p, const int *n, void *constants)
{
    struct propulsion *c = constants;
    if (*n > MOST_SCREWS)
        abort();
    c->n = *n;
    c->L = *p[0];
    c->rho = *p[1];
    for (int way = 0; way < 2; way++) {
        memcpy(c->k_t[way], p[4 + 2 * way], sizeof c->k_t[way]);
        memcpy(c->J[way], p[5 + 2 * way], sizeof c->J[way]);
    }
    memcpy(c->k_q, p[8], sizeof c->k_q);
    c->merit = *p[9];
    c->gaussian = *p[13] != 0.0;
    c->C_1 = *p[14];
    c->C_0 = *p[16];
    c->t_P = *p[17];
    c->f_alpha = *p[20];
    c->t_R = *p[21];
    c->a_H = *p[22];
    c->x_H = *p[23];
    c->epsilon = *p[24];
    c->eta = *p[25];
    c->kappa = *p[26];
    c->l_R = *p[28];
    c->limit = *p[29];
    c->gear = actuator_of(*p[30], *p[31], *p[32]);
    for (int i = 0; i < c->n; i++)
        c->screw[i] = (struct screw){
            p[2][i], p[3][3 * i], p[3][3 * i + 1], p[3][3 * i + 2], {p[10][i], p[11][i]}, p[12][i],
            {p[15][2 * i], p[15][2 * i + 1]}, p[18][i], p[19][3 * i], p[19][3 * i + 1], p[19][3 * i + 2],
            {p[27][2 * i], p[27][2 * i + 1]},
        };
}

const Plain plain_mmg_propulsion = {sizeof(struct propulsion), prepare, instant_outputs, 0, 0, 0};
const Plain plain_mmg_propulsion_lag = {sizeof(struct propulsion), prepare, lag_outputs, lag_derivatives, 0, 0};
