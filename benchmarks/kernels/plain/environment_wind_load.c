/* The load of the wind. */
#include <math.h>

#include "plain.h"

struct load {
    int apparent;
    double surge, sway, yaw;    /* factors of V^2 cos gamma, V^2 sin gamma, V^2 sin gamma cos gamma */
};

static void load_outputs(const Block *b, double t)
{
    const struct load *c = b->constants;
    const double *wind = b->u[0], *angles = b->u[1] + 3, *nu = b->u[2];
    double sf = sin(angles[0]), cf = cos(angles[0]);
    double st = sin(angles[1]), ct = cos(angles[1]);
    double sp = sin(angles[2]), cp = cos(angles[2]);
    double ahead = cp * wind[0] + sp * wind[1], across = cp * wind[1] - sp * wind[0];   /* along the heading */
    double u = -(ct * ahead - st * wind[2]);            /* V cos gamma */
    double v = -(sf * (st * ahead + ct * wind[2]) + cf * across);   /* V sin gamma */
    if (c->apparent) {
        u += nu[0];
        v += nu[1];
    }
    double V = sqrt(u * u + v * v), *tau = b->y[0];
    tau[0] = c->surge * V * u;
    tau[1] = c->sway * V * v;
    tau[2] = tau[3] = tau[4] = 0.0;
    tau[5] = c->yaw * u * v;
}

/* Parameters: reference, frontal_area, lateral_area, length, surge_coefficient, sway_coefficient, yaw_coefficient,
 * density. */
static void load_prepare(const double *const *p, const int *n, void *constants)
{
    struct load *c = constants;
    double half = 0.5 * *p[7];
    *c = (struct load){*p[0] == 0.0, -half * *p[4] * *p[1], -half * *p[5] * *p[2], -half * *p[6] * *p[2] * *p[3] * 2.0};
}

const Plain plain_wind_load = {sizeof(struct load), load_prepare, load_outputs, 0, 0, 0};
