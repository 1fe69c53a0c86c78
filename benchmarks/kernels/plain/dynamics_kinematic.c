/* The vehicle without hydrodynamics: the wrench is a commanded velocity. */
#include <string.h>

#include "dynamics.h"
#include "plain.h"

struct vehicle {
    double mobility[6], response_time;
};

static void move(const Block *b, const double R[3][3], double nu_r[6], double acceleration[6])
{
    const struct vehicle *v = b->constants;
    const double *force = b->u[0], *disturbance = b->u[1], *nu = b->x + 6;
    double current[3], turning[3];
    to_body(R, b->u[2], current);
    cross(nu + 3, current, turning);
    for (int i = 0; i < 6; i++) {
        nu_r[i] = i < 3 ? nu[i] - current[i] : nu[i];
        acceleration[i] = (v->mobility[i] * (force[i] + disturbance[i]) - nu_r[i]) / v->response_time;
    }
    for (int i = 0; i < 3; i++)
        acceleration[i] -= turning[i];
}

static void outputs(const Block *b, double t)
{
    const struct vehicle *v = b->constants;
    double R[3][3];
    rotation_of_euler_angles(b->x + 3, R);
    move(b, R, b->y[2], b->y[3]);
    memset(b->y[4], 0, 6 * sizeof(double));
    for (int i = 0; i < 6; i++)
        b->y[5][i] = v->mobility[i] != 0.0 ? b->y[2][i] / v->mobility[i] : 0.0;
    memset(b->y[6], 0, 6 * sizeof(double));
}

static void derivatives(const Block *b, double t)
{
    double R[3][3], nu_r[6];
    rotation_of_euler_angles(b->x + 3, R);
    to_ned(R, b->x + 6, b->dx);
    euler_angle_rates(R, b->x[4], b->x + 9, b->dx + 3);
    move(b, R, nu_r, b->dx + 6);
}

/* Parameters: mobility, response_time. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct vehicle *v = constants;
    memcpy(v->mobility, p[0], sizeof v->mobility);
    v->response_time = *p[1];
}

const Plain plain_kinematic_vehicle = {sizeof(struct vehicle), prepare, outputs, derivatives, 0, 0};
