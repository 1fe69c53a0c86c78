/* What waves do: at a point, at many points of the surface, and to a small vessel. All begin with the waves as input, n
 * of them. */
#include <math.h>

#include "plain.h"
#include "sea.h"

/* Elevation, slope, velocity and pressure at a point */

struct surface {
    int n;
    double weight;              /* rho g */
};

static void surface_outputs(const Block *b, double t)
{
    const struct surface *c = b->constants;
    const double *w = b->u[0], *at = b->u[1];
    double z = at[2] > 0.0 ? at[2] : 0.0;
    double elevation = 0.0, slope[2] = {0.0, 0.0}, v[3] = {0.0, 0.0, 0.0}, pressure = 0.0;
    int n = c->n;
    for (int i = 0; i < n; i++) {
        double omega = w[OMEGA * n + i], north = w[NORTH * n + i], east = w[EAST * n + i], k = w[NUMBER * n + i];
        double a = w[AMPLITUDE * n + i], E = w[BOTTOM * n + i];
        double theta = north * at[0] + east * at[1] - omega * t + w[PHASE * n + i];
        double a_sin = a * sin(theta), a_cos = a * cos(theta);
        double down = exp(-k * z), up = E / down;
        double of_sinh = omega / (1.0 - E), forward = of_sinh * (down + up) / k * a_cos;
        elevation += a_cos;
        slope[0] -= north * a_sin;
        slope[1] -= east * a_sin;
        v[0] += forward * north;
        v[1] += forward * east;
        v[2] -= of_sinh * (down - up) * a_sin;
        pressure += (down + up) / (1.0 + E) * a_cos;
    }
    b->y[0][0] = elevation;
    for (int i = 0; i < 2; i++)
        b->y[1][i] = slope[i];
    for (int i = 0; i < 3; i++)
        b->y[2][i] = v[i];
    b->y[3][0] = c->weight * pressure;
}

/* Parameters: density, gravity. */
static void surface_prepare(const double *const *p, const int *n, void *constants)
{
    struct surface *c = constants;
    *c = (struct surface){n[0], *p[0] * *p[1]};
}

const Plain plain_sea_surface = {sizeof(struct surface), surface_prepare, surface_outputs, 0, 0, 0};

/* Elevation at many points */

struct gauges {
    int n, count;
    const double *positions;    /* north and east of each */
};

static void gauges_outputs(const Block *b, double t)
{
    const struct gauges *c = b->constants;
    const double *w = b->u[0];
    int n = c->n;
    for (int k = 0; k < c->count; k++) {
        double x = c->positions[2 * k], y = c->positions[2 * k + 1], sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += w[AMPLITUDE * n + i]
                   * cos(w[NORTH * n + i] * x + w[EAST * n + i] * y - w[OMEGA * n + i] * t + w[PHASE * n + i]);
        b->y[0][k] = sum;
    }
}

static void gauges_prepare(const double *const *p, const int *n, void *constants)
{
    struct gauges *c = constants;
    *c = (struct gauges){n[0], n[1], p[0]};
}

const Plain plain_wave_gauges = {sizeof(struct gauges), gauges_prepare, gauges_outputs, 0, 0, 0};

/* Load on a small vessel, from pressures around its centre */

struct load {
    int n, corners;
    double length, breadth, depth, weight;
    double area[3], centre[3];
};

enum { CENTRE, FORE, AFT, STARBOARD, PORT, FORE_STARBOARD, FORE_PORT, AFT_STARBOARD, AFT_PORT, PLACES };

/* Where pressures are taken: quarters of the length ahead, and of the breadth to starboard */
static const double PLACE[PLACES][2] = {{0, 0},   {1, 0},   {-1, 0},  {0, 1},  {0, -1},
                                        {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

static void load_outputs(const Block *b, double t)
{
    const struct load *c = b->constants;
    const double *w = b->u[0], *eta = b->u[1], *r = c->centre;
    double sf = sin(eta[3]), cf = cos(eta[3]);
    double st = sin(eta[4]), ct = cos(eta[4]);
    double sp = sin(eta[5]), cp = cos(eta[5]);
    double forward[3] = {cp * ct, sp * ct, -st};        /* axes of the body in NED */
    double starboard[3] = {cp * st * sf - sp * cf, sp * st * sf + cp * cf, ct * sf};
    double down[3] = {cp * st * cf + sp * sf, sp * st * cf - cp * sf, ct * cf};
    double at[3];
    for (int i = 0; i < 3; i++)
        at[i] = eta[i] + forward[i] * r[0] + starboard[i] * r[1] + down[i] * r[2];
    double z = fmax(at[2] + c->depth, 0.0);
    double x[PLACES], y[PLACES], p[PLACES] = {0.0};
    int places = c->corners ? PLACES : FORE_STARBOARD, n = c->n;
    for (int k = 0; k < places; k++) {
        double ahead = PLACE[k][0] * c->length / 4, aside = PLACE[k][1] * c->breadth / 4;
        x[k] = at[0] + ahead * forward[0] + aside * starboard[0];
        y[k] = at[1] + ahead * forward[1] + aside * starboard[1];
    }
    for (int i = 0; i < n; i++) {
        double north = w[NORTH * n + i], east = w[EAST * n + i], E = w[BOTTOM * n + i];
        double e = exp(-w[NUMBER * n + i] * z), a = w[AMPLITUDE * n + i] * (e + E / e) / (1.0 + E);
        double lag = w[OMEGA * n + i] * t - w[PHASE * n + i];
        for (int k = 0; k < places; k++)
            p[k] += a * cos(north * x[k] + east * y[k] - lag);
    }
    double along = c->weight * (p[FORE] - p[AFT]), across = c->weight * (p[STARBOARD] - p[PORT]);
    double arm = c->length / 4 / 2, yaw = along;        /* of half the area */
    if (c->corners)
        yaw = -c->weight * (p[FORE_STARBOARD] - p[FORE_PORT] - p[AFT_STARBOARD] + p[AFT_PORT]);
    double X = -along * c->area[0], Y = -across * c->area[1], Z = -c->weight * p[CENTRE] * c->area[2];
    double *tau = b->y[0];
    tau[0] = X;
    tau[1] = Y;
    tau[2] = Z;
    tau[3] = -across * c->area[2] / 2 * c->breadth / 4 + r[1] * Z - r[2] * Y;
    tau[4] = along * c->area[2] * arm + r[2] * X - r[0] * Z;
    tau[5] = yaw * c->area[1] * arm + r[0] * Y - r[1] * X;
}

/* Parameters: length, breadth, areas, centre, pressure_depth, yaw_moment, density, gravity. */
static void load_prepare(const double *const *p, const int *n, void *constants)
{
    struct load *c = constants;
    *c = (struct load){n[0], *p[5] == 1.0, *p[0], *p[1], *p[4], *p[6] * *p[7], {0.0}, {0.0}};
    for (int i = 0; i < 3; i++) {
        c->area[i] = p[2][i];
        c->centre[i] = p[3][i];
    }
}

const Plain plain_wave_load = {sizeof(struct load), load_prepare, load_outputs, 0, 0, 0};
