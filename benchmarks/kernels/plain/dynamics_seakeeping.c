/* The vessel whose water remembers, with Euler angles: momentum of the body and of the water, and oscillators. */
#include <string.h>

#include "cross_flow.h"
#include "dynamics.h"
#include "plain.h"

struct hull {
    double rigid_body[6][6], added[6][6], inverse[6][6], linear[6][6], quadratic[6][6], stiffness[6][6];
    double rest[6], net_weight, arm[3];   /* eta_0, W - B, W r_g - B r_b */
    int coriolis, has_stiffness, strips, n;
    double slow;                          /* time constant that parts waves from slow motion, 0: they are not parted */
    double length, middle, density;   /* of the strips; no length: no drag across the flow */
    const double *draught, *sway, *breadth, *heave, *Omega, *D, *B;
};

struct forces {
    double nu_r[6], acceleration[6], restoring[6], damping[6], coriolis[6], memory[6];
};

/* f += (omega x a, v x a + omega x b) for the momentum (a, b) */
static void turn(const double momentum[6], const double nu[6], double f[6])
{
    double x[3], y[3], z[3];
    cross(nu + 3, momentum, x);
    cross(nu, momentum, y);
    cross(nu + 3, momentum + 3, z);
    for (int i = 0; i < 3; i++) {
        f[i] += x[i];
        f[3 + i] += y[i] + z[i];
    }
}

/* M d with the sign turned, of the waves' part d of the velocity: what turning makes of it is left out */
static void leave_out_waves(const struct hull *h, const double d[6], double f[6])
{
    double body[6], water[6];
    multiply(h->rigid_body, d, body);
    multiply(h->added, d, water);
    for (int i = 0; i < 6; i++)
        body[i] = -body[i] - water[i];
    turn(body, d, f);
}

/* s: the waves' part of the momentum B' y over the diagonal of M, behind that of the velocity */
static void remember(const struct hull *h, const double *y, const double *rate, const double nu_r[6], double f[6])
{
    double momentum[6] = {0.0};
    const double *d = rate + h->n, *s = d + 6;
    memset(f, 0, 6 * sizeof(double));
    for (int k = 0; k < h->n; k++)
        for (int i = 0; i < 6; i++) {
            f[i] += h->B[6 * k + i] * rate[k];
            momentum[i] += h->B[6 * k + i] * y[k];
        }
    if (h->coriolis)
        turn(momentum, nu_r, f);
    if (h->coriolis && h->slow > 0.0) {
        for (int i = 0; i < 6; i++)
            momentum[i] = -(h->rigid_body[i][i] + h->added[i][i]) * s[i];
        turn(momentum, d, f);
    }
}

static void damp(const struct hull *h, const double nu_r[6], double f[6])
{
    for (int i = 0; i < 6; i++) {
        f[i] = 0.0;
        for (int j = 0; j < 6; j++)
            f[i] += (h->linear[i][j] + h->quadratic[i][j] * fabs(nu_r[j])) * nu_r[j];
    }
    if (h->length > 0.0) {
        double Y, N, Z, M;
        cross_flow(h->strips, h->length, h->middle, h->density, h->sway, h->draught, nu_r[1], nu_r[5], &Y, &N);
        cross_flow(h->strips, h->length, h->middle, h->density, h->heave, h->breadth, nu_r[2], -nu_r[4], &Z, &M);
        f[1] += Y;
        f[2] += Z;
        f[4] -= M;
        f[5] += N;
    }
}

static void restore(const struct hull *h, const double R[3][3], const double eta[6], double f[6])
{
    double moment[3];
    cross(h->arm, R[2], moment);
    for (int i = 0; i < 3; i++) {
        f[i] = -h->net_weight * R[2][i];
        f[3 + i] = -moment[i];
    }
    if (!h->has_stiffness)
        return;
    double s = sin(eta[5]), c = cos(eta[5]), x = eta[0] - h->rest[0], y = eta[1] - h->rest[1], spring[6];
    double e[6] = {c * x + s * y, c * y - s * x, eta[2] - h->rest[2], eta[3] - h->rest[3], eta[4] - h->rest[4],
                   wrapped(eta[5] - h->rest[5])};
    multiply(h->stiffness, e, spring);
    for (int i = 0; i < 6; i++)
        f[i] += spring[i];
}

static void act(const Block *b, const double R[3][3], struct forces *f)
{
    const struct hull *h = b->constants;
    const double *eta = b->x, *nu = b->x + 6, *y = b->x + 12, *rate = y + h->n;
    double current[3], momentum[6], sum[6];
    to_body(R, b->u[2], current);
    for (int i = 0; i < 6; i++)
        f->nu_r[i] = i < 3 ? nu[i] - current[i] : nu[i];
    memset(f->coriolis, 0, sizeof f->coriolis);
    if (h->coriolis) {
        double change[6] = {0.0};   /* of the current as seen from the body, with the sign turned */
        cross(nu + 3, current, change);
        multiply(h->added, change, f->coriolis);
        multiply(h->rigid_body, nu, momentum);
        turn(momentum, nu, f->coriolis);
        multiply(h->added, f->nu_r, momentum);
        turn(momentum, f->nu_r, f->coriolis);
        if (h->slow > 0.0)
            leave_out_waves(h, rate + h->n, f->coriolis);
    }
    damp(h, f->nu_r, f->damping);
    restore(h, R, eta, f->restoring);
    remember(h, y, rate, f->nu_r, f->memory);
    for (int i = 0; i < 6; i++)
        sum[i] = b->u[0][i] + b->u[1][i] - f->coriolis[i] - f->damping[i] - f->restoring[i] - f->memory[i];
    multiply(h->inverse, sum, f->acceleration);
}

static void hull_outputs(const Block *b, double t)
{
    double R[3][3];
    struct forces f;
    rotation_of_euler_angles(b->x + 3, R);
    act(b, R, &f);
    memcpy(b->y[2], f.nu_r, sizeof f.nu_r);
    memcpy(b->y[3], f.acceleration, sizeof f.acceleration);
    memcpy(b->y[4], f.restoring, sizeof f.restoring);
    memcpy(b->y[5], f.damping, sizeof f.damping);
    memcpy(b->y[6], f.coriolis, sizeof f.coriolis);
    memcpy(b->y[7], f.memory, sizeof f.memory);
}

static void hull_derivatives(const Block *b, double t)
{
    const struct hull *h = b->constants;
    const double *nu = b->x + 6, *y = b->x + 12, *rate = y + h->n;
    double R[3][3], *change = b->dx + 12;
    struct forces f;
    rotation_of_euler_angles(b->x + 3, R);
    to_ned(R, nu, b->dx);
    euler_angle_rates(R, b->x[4], nu + 3, b->dx + 3);
    act(b, R, &f);
    memcpy(b->dx + 6, f.acceleration, sizeof f.acceleration);
    for (int k = 0; k < h->n; k++) {
        double a = -h->Omega[k] * h->Omega[k] * y[k];
        for (int i = 0; i < 6; i++)
            a += h->B[6 * k + i] * f.nu_r[i];
        for (int j = 0; j < h->n; j++)
            a -= h->D[h->n * k + j] * rate[j];
        change[k] = rate[k];
        change[h->n + k] = a;
    }
    if (h->slow > 0.0) {
        const double *d = rate + h->n, *s = d + 6;
        double current[3], turned[3], *part = change + 2 * h->n;
        to_body(R, b->u[2], current);
        cross(nu + 3, current, turned);
        for (int i = 0; i < 6; i++) {
            double force = 0.0;
            for (int k = 0; k < h->n; k++)
                force += h->B[6 * k + i] * rate[k];
            part[i] = f.acceleration[i] + (i < 3 ? turned[i] : 0.0) - d[i] / h->slow;
            part[6 + i] = force / (h->rigid_body[i][i] + h->added[i][i]) - s[i] / h->slow;
        }
    }
}

/* Parameters: those of the vessel in six degrees of freedom, then memory_frequencies, memory_damping, memory_coupling,
 * initial_memory, slow_motion_time; sizes: whether there is a stiffness, strips, oscillators. */
static void hull_prepare(const double *const *p, const int *n, void *constants)
{
    struct hull *h = constants;
    double mass[6][6];
    memcpy(h->rigid_body, p[0], sizeof h->rigid_body);
    memcpy(h->added, p[1], sizeof h->added);
    memcpy(h->linear, p[2], sizeof h->linear);
    memcpy(h->quadratic, p[3], sizeof h->quadratic);
    memcpy(h->stiffness, p[10], sizeof h->stiffness);
    memcpy(h->rest, p[11], sizeof h->rest);
    for (int i = 0; i < 36; i++)
        mass[i / 6][i % 6] = p[0][i] + p[1][i];
    invert6(mass, h->inverse);
    h->net_weight = *p[4] - *p[5];
    for (int i = 0; i < 3; i++)
        h->arm[i] = *p[4] * p[6][i] - *p[5] * p[7][i];
    h->coriolis = *p[8] != 0.0;
    h->has_stiffness = n[0];
    h->strips = n[1];
    h->n = n[2];
    h->length = *p[13];
    h->middle = *p[14];
    h->draught = p[15];
    h->sway = p[16];
    h->breadth = p[17];
    h->heave = p[18];
    h->density = *p[19];
    h->Omega = p[20];
    h->D = p[21];
    h->B = p[22];
    h->slow = *p[24];
}

const Plain plain_seakeeping_vessel_euler = {sizeof(struct hull), hull_prepare, hull_outputs, hull_derivatives, 0, 0};
