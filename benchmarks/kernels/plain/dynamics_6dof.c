/* The vessel in six degrees of freedom, with its damping by two matrices or by a matrix per velocity as well. */
#include <string.h>

#include "cross_flow.h"
#include "dynamics.h"
#include "plain.h"

struct vessel {
    double rigid_body[6][6], added[6][6], inverse[6][6];
    double linear[6][6], quadratic[6][6], crossed[6][6][6], stiffness[6][6];
    double equilibrium[6];
    double net_weight, arm[3];   /* W - B, W r_g - B r_b */
    double derivatives[6][21], fading[6];
    int coriolis, has_stiffness, has_crossed, has_derivatives, has_fading, strips;
    double length, middle, density;   /* of the strips; no length: no drag across the flow */
    const double *draught, *sway, *breadth, *heave;
};

struct motion {
    double nu_r[6], coriolis[6], damping[6], restoring[6], acceleration[6];
};

/* f += C(nu) nu, with (a, b) = M nu: (omega x a, v x a + omega x b) */
static void add_coriolis(const double M[6][6], const double nu[6], double f[6])
{
    double momentum[6], first[3], second[3], third[3];
    multiply(M, nu, momentum);
    cross(nu + 3, momentum, first);
    cross(nu, momentum, second);
    cross(nu + 3, momentum + 3, third);
    for (int i = 0; i < 3; i++) {
        f[i] += first[i];
        f[3 + i] += second[i] + third[i];
    }
}

static void coriolis_force(const struct vessel *v, const double nu[6], const double nu_r[6], const double current[3],
                           double f[6])
{
    memset(f, 0, 6 * sizeof(double));
    if (!v->coriolis)
        return;
    double turning[3];   /* of the current as seen from the body, with the sign turned */
    cross(nu + 3, current, turning);
    for (int i = 0; i < 6; i++)
        f[i] = v->added[i][0] * turning[0] + v->added[i][1] * turning[1] + v->added[i][2] * turning[2];
    add_coriolis(v->rigid_body, nu, f);
    add_coriolis(v->added, nu_r, f);
}

static void damping_force(const struct vessel *v, const double nu_r[6], double f[6])
{
    double squares[6], faded[6];
    for (int i = 0; i < 6; i++) {
        squares[i] = fabs(nu_r[i]) * nu_r[i];
        faded[i] = nu_r[i];
    }
    if (v->has_fading) {
        double speed = sqrt(nu_r[0] * nu_r[0] + nu_r[1] * nu_r[1] + nu_r[2] * nu_r[2]);
        for (int i = 0; i < 6; i++)
            faded[i] *= exp(-v->fading[i] * speed);
    }
    for (int i = 0; i < 6; i++) {
        f[i] = 0.0;
        for (int j = 0; j < 6; j++)
            f[i] += v->linear[i][j] * faded[j] + v->quadratic[i][j] * squares[j];
    }
    if (v->length > 0.0) {
        double Y, N, Z, M;
        cross_flow(v->strips, v->length, v->middle, v->density, v->sway, v->draught, nu_r[1], nu_r[5], &Y, &N);
        cross_flow(v->strips, v->length, v->middle, v->density, v->heave, v->breadth, nu_r[2], -nu_r[4], &Z, &M);
        f[1] += Y;
        f[2] += Z;
        f[4] -= M;
        f[5] += N;
    }
    if (!v->has_crossed)
        return;
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 6; i++) {
            double sum = 0.0;
            for (int j = 0; j < 6; j++)
                sum += v->crossed[k][i][j] * nu_r[j];
            f[i] += fabs(nu_r[k]) * sum;
        }
    if (!v->has_derivatives)
        return;
    double products[21];
    int count = 0;
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++)
            products[count++] = nu_r[i] * nu_r[j];
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 21; k++)
            f[i] -= v->derivatives[i][k] * products[k];
}

static void restoring_force(const struct vessel *v, const double R[3][3], const double position[3],
                            const double angles[3], double f[6])
{
    double moment[3];
    cross(v->arm, R[2], moment);   /* k = R' (0, 0, 1) is the last row of R */
    for (int i = 0; i < 3; i++) {
        f[i] = -v->net_weight * R[2][i];
        f[3 + i] = -moment[i];
    }
    if (!v->has_stiffness)
        return;
    double x = position[0] - v->equilibrium[0], y = position[1] - v->equilibrium[1];
    double s = sin(angles[2]), c = cos(angles[2]);
    double e[6] = {
        c * x + s * y,
        c * y - s * x,
        position[2] - v->equilibrium[2],
        angles[0] - v->equilibrium[3],
        angles[1] - v->equilibrium[4],
        wrapped(angles[2] - v->equilibrium[5]),
    };
    double spring[6];
    multiply(v->stiffness, e, spring);
    for (int i = 0; i < 6; i++)
        f[i] += spring[i];
}

/* All forces and the acceleration; angles may be anything where there is no stiffness. */
static void move(const Block *b, const double R[3][3], const double position[3], const double angles[3],
                 const double nu[6], struct motion *m)
{
    const struct vessel *v = b->constants;
    const double *force = b->u[0], *disturbance = b->u[1];
    double current[3], sum[6];
    to_body(R, b->u[2], current);
    for (int i = 0; i < 3; i++) {
        m->nu_r[i] = nu[i] - current[i];
        m->nu_r[3 + i] = nu[3 + i];
    }
    coriolis_force(v, nu, m->nu_r, current, m->coriolis);
    damping_force(v, m->nu_r, m->damping);
    restoring_force(v, R, position, angles, m->restoring);
    for (int i = 0; i < 6; i++)
        sum[i] = force[i] + disturbance[i] - m->coriolis[i] - m->damping[i] - m->restoring[i];
    multiply(v->inverse, sum, m->acceleration);
}

static void write_outputs(const Block *b, const struct motion *m)
{
    memcpy(b->y[2], m->nu_r, sizeof m->nu_r);
    memcpy(b->y[3], m->acceleration, sizeof m->acceleration);
    memcpy(b->y[4], m->restoring, sizeof m->restoring);
    memcpy(b->y[5], m->damping, sizeof m->damping);
    memcpy(b->y[6], m->coriolis, sizeof m->coriolis);
}

/* Euler angles */

static void euler_outputs(const Block *b, double t)
{
    double R[3][3];
    struct motion m;
    rotation_of_euler_angles(b->x + 3, R);
    move(b, R, b->x, b->x + 3, b->x + 6, &m);
    write_outputs(b, &m);
}

static void euler_derivatives(const Block *b, double t)
{
    const double *angles = b->x + 3, *nu = b->x + 6;
    double R[3][3];
    struct motion m;
    rotation_of_euler_angles(angles, R);
    to_ned(R, nu, b->dx);
    euler_angle_rates(R, angles[1], nu + 3, b->dx + 3);
    move(b, R, b->x, angles, nu, &m);
    memcpy(b->dx + 6, m.acceleration, sizeof m.acceleration);
}

/* Quaternion */

static void rotation_of_quaternion(const double q[4], double R[3][3])
{
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double w = q[0] / norm, x = q[1] / norm, y = q[2] / norm, z = q[3] / norm;
    R[0][0] = 1.0 - 2.0 * (y * y + z * z);
    R[0][1] = 2.0 * (x * y - z * w);
    R[0][2] = 2.0 * (x * z + y * w);
    R[1][0] = 2.0 * (x * y + z * w);
    R[1][1] = 1.0 - 2.0 * (x * x + z * z);
    R[1][2] = 2.0 * (y * z - x * w);
    R[2][0] = 2.0 * (x * z - y * w);
    R[2][1] = 2.0 * (y * z + x * w);
    R[2][2] = 1.0 - 2.0 * (x * x + y * y);
}

static void euler_angles_of(const double R[3][3], double angles[3])
{
    angles[0] = atan2(R[2][1], R[2][2]);
    angles[1] = -asin(R[2][0]);
    angles[2] = atan2(R[1][0], R[0][0]);
}

static void quaternion_outputs(const Block *b, double t)
{
    const double *position = b->x, *nu = b->x + 7;
    double *eta = b->y[0];
    double R[3][3];
    struct motion m;
    rotation_of_quaternion(b->x + 3, R);
    memcpy(eta, position, 3 * sizeof(double));
    euler_angles_of(R, eta + 3);
    move(b, R, position, eta + 3, nu, &m);
    write_outputs(b, &m);
}

static void quaternion_derivatives(const Block *b, double t)
{
    const struct vessel *v = b->constants;
    const double *position = b->x, *q = b->x + 3, *nu = b->x + 7;
    double p = nu[3], s = nu[4], r = nu[5];
    double R[3][3], angles[3] = {0.0};
    struct motion m;
    rotation_of_quaternion(q, R);
    if (v->has_stiffness)
        euler_angles_of(R, angles);
    to_ned(R, nu, b->dx);
    double back = 0.5 * (1.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));   /* to norm 1, in 1 s */
    b->dx[3] = -0.5 * (q[1] * p + q[2] * s + q[3] * r) + back * q[0];
    b->dx[4] = 0.5 * (q[0] * p + q[2] * r - q[3] * s) + back * q[1];
    b->dx[5] = 0.5 * (q[0] * s + q[3] * p - q[1] * r) + back * q[2];
    b->dx[6] = 0.5 * (q[0] * r + q[1] * s - q[2] * p) + back * q[3];
    move(b, R, position, angles, nu, &m);
    memcpy(b->dx + 7, m.acceleration, sizeof m.acceleration);
}

/* Pose as an input */

static void velocity_outputs(const Block *b, double t)
{
    const double *pose = b->u[3];
    double R[3][3];
    struct motion m;
    memcpy(b->y[0], pose, 6 * sizeof(double));
    rotation_of_euler_angles(pose + 3, R);
    move(b, R, pose, pose + 3, b->x, &m);
    write_outputs(b, &m);
}

static void velocity_derivatives(const Block *b, double t)
{
    const double *pose = b->u[3];
    double R[3][3];
    struct motion m;
    rotation_of_euler_angles(pose + 3, R);
    move(b, R, pose, pose + 3, b->x, &m);
    memcpy(b->dx, m.acceleration, sizeof m.acceleration);
}

/* Parameters: rigid_body_inertia, added_mass, linear_damping, quadratic_damping, weight, buoyancy, centre_of_gravity,
 * centre_of_buoyancy, coriolis, attitude, stiffness, equilibrium, integrate_pose, length, middle, draught, sway
 * coefficient, breadth, heave coefficient and density of strips and, where there are such, damping_matrices,
 * derivatives and linear_fading; the sizes say whether there is a stiffness, how many strips there are, and whether there
 * are derivatives, and fading. */
static void vessel_prepare(const double *const *p, const int *n, void *constants)
{
    struct vessel *v = constants;
    double mass[6][6];
    memcpy(v->rigid_body, p[0], sizeof v->rigid_body);
    memcpy(v->added, p[1], sizeof v->added);
    memcpy(v->linear, p[2], sizeof v->linear);
    memcpy(v->quadratic, p[3], sizeof v->quadratic);
    memcpy(v->stiffness, p[10], sizeof v->stiffness);
    memcpy(v->equilibrium, p[11], sizeof v->equilibrium);
    for (int i = 0; i < 36; i++)
        mass[i / 6][i % 6] = p[0][i] + p[1][i];
    invert6(mass, v->inverse);
    v->net_weight = *p[4] - *p[5];
    for (int i = 0; i < 3; i++)
        v->arm[i] = *p[4] * p[6][i] - *p[5] * p[7][i];
    v->coriolis = *p[8] != 0.0;
    v->has_stiffness = n[0];
    v->strips = n[1];
    v->length = *p[13];
    v->middle = *p[14];
    v->draught = p[15];
    v->sway = p[16];
    v->breadth = p[17];
    v->heave = p[18];
    v->density = *p[19];
}

static void complex_prepare(const double *const *p, const int *n, void *constants)
{
    struct vessel *v = constants;
    vessel_prepare(p, n, constants);
    memcpy(v->crossed, p[20], sizeof v->crossed);
    memcpy(v->derivatives, p[21], sizeof v->derivatives);
    memcpy(v->fading, p[22], sizeof v->fading);
    v->has_crossed = 1;
    v->has_derivatives = n[2];
    v->has_fading = n[3];
}

#define VESSEL(prepare, attitude) {sizeof(struct vessel), prepare, attitude##_outputs, attitude##_derivatives, 0, 0}

const Plain plain_vessel_6dof_euler = VESSEL(vessel_prepare, euler);
const Plain plain_vessel_6dof_quaternion = VESSEL(vessel_prepare, quaternion);
const Plain plain_vessel_6dof_velocity = VESSEL(vessel_prepare, velocity);
const Plain plain_vessel_6dof_complex_euler = VESSEL(complex_prepare, euler);
const Plain plain_vessel_6dof_complex_quaternion = VESSEL(complex_prepare, quaternion);
const Plain plain_vessel_6dof_complex_velocity = VESSEL(complex_prepare, velocity);
