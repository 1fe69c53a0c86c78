/* What takes power: the hull, shafts, motors, everything on board. */
#include <math.h>
#include <stdlib.h>

#include "plain.h"
#include "table.h"

static const double pi = 3.14159265358979323846;

enum { MOST = 24 };

/* Energy meter */

struct count {
    int n;
};

static double sum(const Block *b)
{
    const struct count *c = b->constants;
    double total = 0.0;
    for (int i = 0; i < c->n; i++)
        total += b->u[0][i];
    return total;
}

static void meter_outputs(const Block *b, double t)
{
    b->y[0][0] = sum(b);
}

static void meter_derivatives(const Block *b, double t)
{
    b->dx[0] = sum(b);
}

static void meter_prepare(const double *const *p, const int *n, void *constants)
{
    *(struct count *)constants = (struct count){n[0]};
}

const Plain plain_energy_meter = {sizeof(struct count), meter_prepare, meter_outputs, meter_derivatives, 0, 0};

/* Power of the thrust, term by term */

static double product(const double a[6], const double b[6])
{
    double total = 0.0;
    for (int i = 0; i < 6; i++)
        total += a[i] * b[i];
    return total;
}

static void thrust_power_outputs(const Block *b, double t)
{
    const double *nu_r = b->u[0];
    double all = product(b->u[1], nu_r);
    double coriolis = product(b->u[2], nu_r), damping = product(b->u[3], nu_r), restoring = product(b->u[4], nu_r);
    double disturbance = -product(b->u[5], nu_r);
    b->y[0][0] = all;
    b->y[1][0] = coriolis;
    b->y[2][0] = damping;
    b->y[3][0] = restoring;
    b->y[4][0] = disturbance;
    b->y[5][0] = all - coriolis - damping - restoring - disturbance;
}

const Plain plain_thrust_power = {0, 0, thrust_power_outputs, 0, 0, 0};

/* Shafts of propellers with K_Q */

struct shafts {
    int n;
    double diameter[MOST], gain[MOST];      /* rho D^5 */
    struct {
        double k_q[4], least, most;         /* and the range of J */
    } way[2];                               /* ahead, astern */
};

static void shaft_outputs(const Block *b, double t)
{
    const struct shafts *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double n = b->u[0][i], size = fabs(n), torque = 0.0;
        if (n != 0.0) {
            int astern = n < 0.0;
            const double *k = c->way[astern].k_q;
            double J = b->u[1][i] / (size * c->diameter[i]);
            if (J < c->way[astern].least)
                J = c->way[astern].least;
            else if (J > c->way[astern].most)
                J = c->way[astern].most;
            torque = c->gain[i] * (((k[0] * J + k[1]) * J + k[2]) * J + k[3]) * size * n;
        }
        b->y[0][i] = torque;
        b->y[1][i] = 2.0 * pi * n * torque;
    }
}

/* Parameters: diameter, density, torque_coefficient_forward, torque_coefficient_reverse, advance_range_forward,
 * advance_range_reverse. */
static void shaft_prepare(const double *const *p, const int *n, void *constants)
{
    struct shafts *c = constants;
    if (n[0] > MOST)
        abort();
    c->n = n[0];
    for (int i = 0; i < n[0]; i++) {
        c->diameter[i] = p[0][i];
        c->gain[i] = *p[1] * pow(p[0][i], 5.0);
    }
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < 4; k++)
            c->way[way].k_q[k] = p[2 + way][k];
        c->way[way].least = p[4 + way][0];
        c->way[way].most = p[4 + way][1];
    }
}

const Plain plain_shaft_power = {sizeof(struct shafts), shaft_prepare, shaft_outputs, 0, 0, 0};

/* Shafts by a table */

struct table {
    int n, m;
    const double *x, *y;
};

static void shaft_table_outputs(const Block *b, double t)
{
    const struct table *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double n = b->u[0][i], torque = table_value(c->x, c->y, c->m, n);
        b->y[0][i] = torque;
        b->y[1][i] = 2.0 * pi * n * torque;
    }
}

/* Parameters: speeds, torques. */
static void shaft_table_prepare(const double *const *p, const int *n, void *constants)
{
    struct table *c = constants;
    *c = (struct table){n[0], n[1], p[0], p[1]};
}

const Plain plain_shaft_power_table = {sizeof(struct table), shaft_table_prepare, shaft_table_outputs, 0, 0, 0};

/* Motors */

struct motors {
    int n;
    const double *copper, *iron, *windage, *constant;
};

static void motor_outputs(const Block *b, double t)
{
    const struct motors *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double Q = b->u[0][i], omega = 2.0 * pi * b->u[1][i], size = fabs(omega);
        double copper = c->copper[i] * Q * Q;
        double idle = (c->iron[i] + c->windage[i] * size * size) * size + c->constant[i];
        b->y[0][i] = omega * Q + copper + idle;
        b->y[1][i] = copper;
        b->y[2][i] = idle;
    }
}

/* Parameters: copper_coefficient, iron_coefficient, windage_coefficient, constant_loss. */
static void motor_prepare(const double *const *p, const int *n, void *constants)
{
    struct motors *c = constants;
    *c = (struct motors){n[0], p[0], p[1], p[2], p[3]};
}

const Plain plain_electric_motor = {sizeof(struct motors), motor_prepare, motor_outputs, 0, 0, 0};

/* Drives of known efficiency */

struct drives {
    int n, m;
    const double *rated, *load_points, *efficiency, *idle, *regeneration;
};

static void drive_outputs(const Block *b, double t)
{
    const struct drives *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double load = b->u[0][i], power;
        if (load < 0.0)
            power = c->regeneration[i] * load;
        else
            power = load / table_value(c->load_points, c->efficiency, c->m, load / c->rated[i]);
        power += c->idle[i];
        b->y[0][i] = power;
        b->y[1][i] = power - load;
    }
}

/* Parameters: rated_power, load_points, efficiency, idle_power, regeneration. */
static void drive_prepare(const double *const *p, const int *n, void *constants)
{
    struct drives *c = constants;
    *c = (struct drives){n[0], n[1], p[0], p[1], p[2], p[3], p[4]};
}

const Plain plain_electric_drive = {sizeof(struct drives), drive_prepare, drive_outputs, 0, 0, 0};

/* Hotel load */

struct hotel {
    int n;
    const double *consumption;
};

static void hotel_outputs(const Block *b, double t)
{
    const struct hotel *c = b->constants;
    double on = b->u[0][0];
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = on * c->consumption[i];
}

static void hotel_prepare(const double *const *p, const int *n, void *constants)
{
    *(struct hotel *)constants = (struct hotel){n[0], p[0]};
}

const Plain plain_hotel_load = {sizeof(struct hotel), hotel_prepare, hotel_outputs, 0, 0, 0};
