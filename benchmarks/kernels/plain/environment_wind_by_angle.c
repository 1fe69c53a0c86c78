/* Wind loads from coefficients over the angle of attack, and Blendermann's and Fujiwara's formulas. */
#include <math.h>

#include "plain.h"
#include "sea.h"
#include "table.h"

enum { MOST_ANGLES = 100 };

struct ship {                   /* what all have: reference, A_F, A_L, L, midship, density come first */
    int apparent;
    double front, side, length, at[3], half_density;
};

struct air {
    double V, cos_gamma, sin_gamma;
};

static struct ship ship_of(const double *const *p)
{
    return (struct ship){*p[0] == 0.0, *p[1], *p[2], *p[3], {p[4][0], p[4][1], p[4][2]}, 0.5 * *p[5]};
}

static struct air air_of(const Block *b, int apparent)
{
    const double *wind = b->u[0], *angles = b->u[1] + 3, *nu = b->u[2];
    double sf = sin(angles[0]), cf = cos(angles[0]);
    double st = sin(angles[1]), ct = cos(angles[1]);
    double sp = sin(angles[2]), cp = cos(angles[2]);
    double ahead = cp * wind[0] + sp * wind[1], across = cp * wind[1] - sp * wind[0];
    double u = -(ct * ahead - st * wind[2]), v = -(sf * (st * ahead + ct * wind[2]) + cf * across);
    if (apparent) {
        u += nu[0];
        v += nu[1];
    }
    double V = sqrt(u * u + v * v);
    return V > 0.0 ? (struct air){V, u / V, v / V} : (struct air){0.0, 1.0, 0.0};
}

static void put(const Block *b, const double at[3], double X, double Y, double K, double N)
{
    double *tau = b->y[0];
    tau[0] = X;
    tau[1] = Y;
    tau[2] = 0.0;
    tau[3] = K - at[2] * Y;
    tau[4] = at[2] * X;
    tau[5] = N + at[0] * Y - at[1] * X;
}

/* Tables: angles, surge, sway, roll, yaw after the first six; size: angles. A node beyond each end makes slopes alike. */

struct tables {
    struct ship ship;
    int half, nodes;
    double angle[MOST_ANGLES + 3], value[4][MOST_ANGLES + 3], slope[4][MOST_ANGLES + 3];
};

static void tables_outputs(const Block *b, double t)
{
    const struct tables *c = b->constants;
    const struct ship *s = &c->ship;
    struct air air = air_of(b, s->apparent);
    double gamma = atan2(air.sin_gamma, air.cos_gamma), side = 1.0, C[4];
    if (c->half) {
        side = gamma < 0.0 ? -1.0 : 1.0;
        gamma = fabs(gamma);
    } else {
        gamma -= 2.0 * PI * floor((gamma - c->angle[1]) / (2.0 * PI));
    }
    int k = 1 + table_interval(c->angle + 1, c->nodes, gamma);
    double h = c->angle[k + 1] - c->angle[k], x = (gamma - c->angle[k]) / h;
    double a = (1.0 + 2.0 * x) * (1.0 - x) * (1.0 - x), d = x * x * (3.0 - 2.0 * x);
    double m = h * x * (1.0 - x) * (1.0 - x), n = -h * x * x * (1.0 - x);
    for (int i = 0; i < 4; i++)
        C[i] = a * c->value[i][k] + d * c->value[i][k + 1] + m * c->slope[i][k] + n * c->slope[i][k + 1];
    double q = s->half_density * air.V * air.V, lateral = side * q * s->side;
    put(b, s->at, q * s->front * C[0], lateral * C[1], lateral * s->side / s->length * C[2], lateral * s->length * C[3]);
}

static void tables_close(struct tables *c, const double *first[4], int count)
{
    for (int i = 0; i < 4; i++) {
        double *v = c->value[i], sign = i ? -1.0 : 1.0;
        for (int j = 0; j < count; j++)
            v[j + 1] = first[i][j];
        if (c->half) {
            if (i)
                v[1] = v[count] = 0.0;
            v[0] = sign * v[2];
            v[count + 1] = sign * v[count - 1];
        } else {
            v[c->nodes] = v[1];
            v[0] = v[c->nodes - 1];
            v[c->nodes + 1] = v[2];
        }
    }
    double *g = c->angle;
    g[0] = c->half ? -g[2] : g[c->nodes - 1] - 2.0 * PI;
    g[c->nodes + 1] = c->half ? 2.0 * PI - g[count - 1] : g[2] + 2.0 * PI;
    for (int i = 0; i < 4; i++)
        for (int k = 1; k <= c->nodes; k++) {
            const double *v = c->value[i];
            double h0 = g[k] - g[k - 1], h1 = g[k + 1] - g[k];
            c->slope[i][k] = (h1 * (v[k] - v[k - 1]) / h0 + h0 * (v[k + 1] - v[k]) / h1) / (h0 + h1);
        }
}

static void tables_prepare(const double *const *p, const int *n, void *constants)
{
    struct tables *c = constants;
    const double *angles = p[6], *first[4] = {p[7], p[8], p[9], p[10]};
    int count = n[0];
    c->ship = ship_of(p);
    c->half = fabs(angles[0]) < 1e-6 && fabs(angles[count - 1] - PI) < 1e-6;
    int closed = angles[count - 1] - angles[0] > 2.0 * PI - 1e-6;
    c->nodes = c->half || closed ? count : count + 1;
    for (int j = 0; j < count; j++)
        c->angle[j + 1] = angles[j];
    if (!c->half)
        c->angle[c->nodes] = angles[0] + 2.0 * PI;
    tables_close(c, first, count);
}

const Plain plain_tabulated_wind_load = {sizeof(struct tables), tables_prepare, tables_outputs, 0, 0, 0};

/* Blendermann. Parameters: ship_type, centroid_height, centroid_forward, drag_across, drag_ahead, drag_astern,
 * cross_force, rolling after the first six. Of the types those of the examples. */

struct blendermann {
    struct ship ship;
    double height, forward, Ct, ahead, astern, delta, kappa;
};

static void blendermann_outputs(const Block *b, double t)
{
    const struct blendermann *c = b->constants;
    const struct ship *s = &c->ship;
    struct air air = air_of(b, s->apparent);
    double along = air.cos_gamma >= 0.0 ? c->ahead : c->astern;
    double twice = 2.0 * air.sin_gamma * air.cos_gamma;
    double D = 1.0 - 0.5 * c->delta * (1.0 - along * s->front / (c->Ct * s->side)) * twice * twice;
    double q = s->half_density * air.V * air.V / D;
    double X = -q * along * air.cos_gamma * s->front, Y = -q * c->Ct * air.sin_gamma * s->side;
    double gamma = fabs(atan2(air.sin_gamma, air.cos_gamma));
    put(b, s->at, X, Y, c->kappa * c->height * Y, (c->forward - 0.18 * (gamma - 0.5 * PI) * s->length) * Y);
}

static void blendermann_prepare(const double *const *p, const int *n, void *constants)
{
    struct blendermann *c = constants;
    *c = (struct blendermann){ship_of(p), *p[7], *p[8], *p[9], *p[10], *p[11], *p[12], *p[13]};
    if (*p[6] == 12.0) {        /* research vessel */
        c->Ct = 0.85;
        c->ahead = 0.55;
        c->astern = 0.65;
        c->delta = 0.60;
        c->kappa = 1.4;
    }
}

const Plain plain_blendermann_wind_load = {sizeof(struct blendermann), blendermann_prepare, blendermann_outputs, 0, 0, 0};

/* Fujiwara. Parameters: breadth, superstructure_area, bridge_height, centroid_height, centroid_forward, yaw_lever after
 * the first six. */

struct fujiwara {
    struct ship ship;
    double height, lever, cross, half[2][4];
};

static void fujiwara_outputs(const Block *b, double t)
{
    const struct fujiwara *c = b->constants;
    const struct ship *s = &c->ship;
    struct air air = air_of(b, s->apparent);
    double co = air.cos_gamma, si = fabs(air.sin_gamma), side = air.sin_gamma < 0.0 ? -1.0 : 1.0;
    const double *C = c->half[co > 0.0 ? 0 : 1];
    double CX = -(C[0] * co + C[1] * (si - 0.5 * si * co * co) * si * co + C[2] * si * co * co * co);
    double CY = -(c->cross * si * si + C[3] * (co + 0.5 * si * si * co) * si * co);
    double q = s->half_density * air.V * air.V, Y = side * q * s->side * CY;
    put(b, s->at, q * s->front * CX, Y, c->height * Y, (c->lever - 0.149 * (atan2(si, co) - 0.5 * PI) * s->length) * Y);
}

static void fujiwara_prepare(const double *const *p, const int *n, void *constants)
{
    struct fujiwara *c = constants;
    struct ship s = ship_of(p);
    double B = *p[6], AOD = *p[7], HBR = *p[8], HC = *p[9], C = *p[10], L = s.length, AF = s.front, AL = s.side;
    *c = (struct fujiwara){s, HC, *p[11] * C, 0.404 + 0.368 * AF / (B * HBR) + 0.902 * HBR / L,
        {{0.922 - 0.507 * AL / (L * B) - 1.162 * C / L, -0.458 - 3.245 * AL / (L * HBR) + 2.313 * AF / (B * HBR),
          0.585 + 0.906 * AOD / AL - 3.239 * B / L, PI * AL / (L * L) + 0.116 + 3.345 * AF / (L * B)},
         {-0.018 + 5.091 * B / L - 10.367 * HC / L + 3.011 * AOD / (L * L) + 0.341 * AF / (B * B),
          1.901 - 12.727 * AL / (L * HBR) - 24.407 * AF / AL + 40.310 * B / L + 5.481 * AF / (B * HBR),
          0.314 + 1.117 * AOD / AL, PI * AL / (L * L) + 0.446 + 2.192 * AF / (L * L)}}};
}

const Plain plain_fujiwara_wind_load = {sizeof(struct fujiwara), fujiwara_prepare, fujiwara_outputs, 0, 0, 0};
