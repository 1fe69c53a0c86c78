/* The vehicle afloat: its matrices are diagonal but for the damping by waves, so no full ones are multiplied. */
#include <string.h>

#include "dynamics.h"
#include "plain.h"

struct floating {
    double rigid[6], added[6], mass[6];   /* diagonals of M_RB, M_A and their sum */
    double linear[6][6], drag[6];         /* D_l and the diagonal of D_q */
    double stiffness[3][3];               /* in heave, roll and pitch */
    int coriolis;
};

struct motion {
    double nu_r[6], coriolis[6], damping[6], restoring[6], acceleration[6];
};

/* f += C(nu) nu with a diagonal M */
static void add_coriolis(const double M[6], const double nu[6], double f[6])
{
    double momentum[6], first[3], second[3], third[3];
    for (int i = 0; i < 6; i++)
        momentum[i] = M[i] * nu[i];
    cross(nu + 3, momentum, first);
    cross(nu, momentum, second);
    cross(nu + 3, momentum + 3, third);
    for (int i = 0; i < 3; i++) {
        f[i] += first[i];
        f[3 + i] += second[i] + third[i];
    }
}

static void move(const Block *b, const double R[3][3], struct motion *m)
{
    const struct floating *v = b->constants;
    const double *force = b->u[0], *disturbance = b->u[1];
    const double *lifted = b->x + 2;   /* z, phi, theta */
    const double *nu = b->x + 6;
    double current[3];
    to_body(R, b->u[2], current);
    for (int i = 0; i < 3; i++) {
        m->nu_r[i] = nu[i] - current[i];
        m->nu_r[3 + i] = nu[3 + i];
    }
    memset(m->coriolis, 0, sizeof m->coriolis);
    if (v->coriolis) {
        double turning[3];
        cross(nu + 3, current, turning);
        for (int i = 0; i < 3; i++)
            m->coriolis[i] = v->added[i] * turning[i];
        add_coriolis(v->rigid, nu, m->coriolis);
        add_coriolis(v->added, m->nu_r, m->coriolis);
    }
    memset(m->restoring, 0, sizeof m->restoring);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m->restoring[2 + i] += v->stiffness[i][j] * lifted[j];
    multiply(v->linear, m->nu_r, m->damping);
    for (int i = 0; i < 6; i++) {
        m->damping[i] += v->drag[i] * fabs(m->nu_r[i]) * m->nu_r[i];
        m->acceleration[i] = (force[i] + disturbance[i] - m->coriolis[i] - m->damping[i] - m->restoring[i]) / v->mass[i];
    }
}

static void floating_outputs(const Block *b, double t)
{
    double R[3][3];
    struct motion m;
    rotation_of_euler_angles(b->x + 3, R);
    move(b, R, &m);
    memcpy(b->y[2], m.nu_r, sizeof m.nu_r);
    memcpy(b->y[3], m.acceleration, sizeof m.acceleration);
    memcpy(b->y[4], m.restoring, sizeof m.restoring);
    memcpy(b->y[5], m.damping, sizeof m.damping);
    memcpy(b->y[6], m.coriolis, sizeof m.coriolis);
}

static void floating_derivatives(const Block *b, double t)
{
    double R[3][3];
    struct motion m;
    rotation_of_euler_angles(b->x + 3, R);
    to_ned(R, b->x + 6, b->dx);
    euler_angle_rates(R, b->x[4], b->x + 9, b->dx + 3);
    move(b, R, &m);
    memcpy(b->dx + 6, m.acceleration, sizeof m.acceleration);
}

/* C_D of an elliptical cylinder, linear between the ratios of its breadth across the flow to its length along it */
static double ellipse_drag(double ratio)
{
    static const double ratios[5] = {0.125, 0.25, 0.5, 1.0, 2.0}, drag[5] = {0.22, 0.3, 0.6, 1.0, 1.6};
    if (ratio <= ratios[0])
        return drag[0];
    for (int i = 1; i < 5; i++)
        if (ratio <= ratios[i])
            return drag[i - 1] + (drag[i] - drag[i - 1]) * (ratio - ratios[i - 1]) / (ratios[i] - ratios[i - 1]);
    return drag[4];
}

/* Parameters: length, breadth, draught, displacement, centre_of_gravity, radii_of_gyration, rotational_drag,
 * linear_damping, hydrostatics, coriolis, water_density, gravity. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct floating *v = constants;
    const double pi = 3.14159265358979323846;
    double L = *p[0], B = *p[1], T = *p[2], rho = *p[10], g = *p[11];
    double a = 0.5 * L, b = 0.5 * B, mass = rho * *p[3];
    const double *centre = p[4];
    double gb = *p[8] != 0.0 ? centre[2] - 0.5 * T : 0.0;   /* metacentric: of gravity below that of buoyancy */
    double heave = rho * g * pi * a * b, x = a - centre[0], y = -centre[1];
    double added[6] = {rho * pi * T * b * b, rho * pi * T * a * a, rho * pi * T * a * b, 0.0, 0.0, 0.0};
    double drag[6] = {
        0.5 * rho * ellipse_drag(B / L) * B * T,
        0.5 * rho * ellipse_drag(L / B) * L * T,
        0.5 * rho * 1.9 * pi * a * b,
        p[6][0], p[6][1], p[6][2],
    };
    double stiffness[3][3] = {
        {heave, heave * y, -heave * x},
        {heave * y, heave * (0.25 * b * b + y * y) + mass * g * gb, -heave * x * y},
        {-heave * x, -heave * x * y, heave * (0.25 * a * a + x * x) + mass * g * gb},
    };
    for (int i = 0; i < 6; i++) {
        v->rigid[i] = i < 3 ? mass : mass * p[5][i - 3] * p[5][i - 3];
        v->mass[i] = v->rigid[i] + added[i];
    }
    memcpy(v->added, added, sizeof added);
    memcpy(v->drag, drag, sizeof drag);
    memcpy(v->stiffness, stiffness, sizeof stiffness);
    memcpy(v->linear, p[7], sizeof v->linear);
    v->coriolis = *p[9] != 0.0;
}

const Plain plain_floating_vehicle = {sizeof(struct floating), prepare, floating_outputs, floating_derivatives, 0, 0};
