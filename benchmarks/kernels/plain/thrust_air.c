/* What pushes against the air: a sail, and a fan on a pivot. */
#include <math.h>

#include "plain.h"
#include "thrust.h"

/* Velocity of a point of the hull through the air, ahead and to starboard. */
static void through_air(const double *eta, const double *nu, const double *wind, const double r[3], double v[2])
{
    double sf = sin(eta[3]), cf = cos(eta[3]);
    double st = sin(eta[4]), ct = cos(eta[4]);
    double sp = sin(eta[5]), cp = cos(eta[5]);
    double ahead = cp * wind[0] + sp * wind[1], across = cp * wind[1] - sp * wind[0];   /* along the heading */
    v[0] = nu[0] + nu[4] * r[2] - nu[5] * r[1] - (ct * ahead - st * wind[2]);
    v[1] = nu[1] + nu[5] * r[0] - nu[3] * r[2] - (sf * (st * ahead + ct * wind[2]) + cf * across);
}

/* Sail */

struct sail {
    double r[3], lift, drag, limit;     /* rho A k_l / 2, rho A k_d / 2 */
};

static void sail_outputs(const Block *b, double t)
{
    const struct sail *c = b->constants;
    double v[2], F[3] = {0.0};
    through_air(b->u[1], b->u[2], b->u[3], c->r, v);
    double square = v[0] * v[0] + v[1] * v[1], V = sqrt(square), beta = atan2(v[1], v[0]);
    double sheet = limited(b->u[0][0], 0.0, c->limit), boom = limited(beta, -sheet, sheet), alpha = beta - boom;
    double lift = c->lift * square * sin(2.0 * alpha), drag = c->drag * square * (1.0 - cos(2.0 * alpha));
    if (V > 0.0) {
        F[0] = (lift * v[1] - drag * v[0]) / V;
        F[1] = -(lift * v[0] + drag * v[1]) / V;
    }
    put_wrench(F, c->r, b->y[0]);
    b->y[1][0] = lift;
    b->y[2][0] = drag;
    b->y[3][0] = boom;
    b->y[4][0] = V;
    b->y[5][0] = beta;
}

/* Parameters: position, area, lift_coefficient, drag_coefficient, density, angle_limit. */
static void sail_prepare(const double *const *p, const int *n, void *constants)
{
    struct sail *c = constants;
    double pressure_area = 0.5 * *p[4] * *p[1];
    *c = (struct sail){{p[0][0], p[0][1], p[0][2]}, pressure_area * *p[2], pressure_area * *p[3], *p[5]};
}

const Plain plain_sail = {sizeof(struct sail), sail_prepare, sail_outputs, 0, 0, 0};

/* Fan */

struct fan {
    double r[3], ahead, astern, limit, diameter, figure_of_merit, full_speed, density;
};

static void fan_outputs(const Block *b, double t)
{
    const struct fan *c = b->constants;
    double f = limited(b->u[0][0], -c->astern, c->ahead), size = fabs(f);
    double alpha = limited(b->u[1][0], -c->limit, c->limit), s = sin(alpha), k = cos(alpha);
    double v[2], F[3] = {f * k, f * s, 0.0};
    through_air(b->u[2], b->u[3], b->u[4], c->r, v);
    double w = k * v[0] + s * v[1];
    put_wrench(F, c->r, b->y[0]);
    b->y[1][0] = f;
    b->y[2][0] = copysign(c->full_speed * sqrt(size / c->ahead), f);
    b->y[3][0] = disc_power(size, f < 0.0 ? -w : w, c->diameter, c->density, c->figure_of_merit);
    b->y[4][0] = alpha;
}

/* Parameters: position, thrust_limit_forward, thrust_limit_reverse, angle_limit, diameter, figure_of_merit, full_speed,
 * density. */
static void fan_prepare(const double *const *p, const int *n, void *constants)
{
    struct fan *c = constants;
    *c = (struct fan){{p[0][0], p[0][1], p[0][2]}, *p[1], *p[2], *p[3], *p[4], *p[5], *p[6], *p[7]};
}

const Plain plain_air_fan = {sizeof(struct fan), fan_prepare, fan_outputs, 0, 0, 0};
