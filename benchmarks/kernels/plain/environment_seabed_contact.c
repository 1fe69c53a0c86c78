/* A hull on the floor: points with a penalty that never pulls, and friction that holds before it slides. */
#include <math.h>
#include <string.h>

#include "dynamics.h"
#include "mooring.h"
#include "plain.h"
#include "thrust.h"

#define POINTS 256

struct contact {
    int n;
    double depth, slope[2], steep, tau;
    struct foot {
        double r[3], k, c, mu, kt;
    } feet[POINTS];
};

struct state {
    double s, N, v[3], up[3];
};

static struct state at(const struct contact *c, const struct foot *f, double R[3][3], const Block *b)
{
    struct state now = {.up = {-c->steep * c->slope[0], -c->steep * c->slope[1], -c->steep}};
    double body[3], place[3], rate = 0.0;
    velocity_at(b->u[1], f->r, body);
    to_ned(R, body, now.v);
    to_ned(R, f->r, place);
    double north = place[0] + b->u[0][0], east = place[1] + b->u[0][1], down = place[2] + b->u[0][2];
    now.s = c->steep * (down - c->depth + b->u[2][0] + c->slope[0] * north + c->slope[1] * east);
    for (int i = 0; i < 3; i++)
        rate -= now.v[i] * now.up[i];
    now.N = now.s > 0.0 ? f->k * now.s * fmax(1.0 + f->c * rate, 0.0) : 0.0;
    for (int i = 0; i < 3; i++)
        now.v[i] += rate * now.up[i];
    return now;
}

/* F_t within the cone of friction. Returns by how much it had to be shortened. */
static double held(const struct contact *c, const struct foot *f, const struct state *now, const double *e, double F[3])
{
    for (int i = 0; i < 3; i++)
        F[i] = -f->kt * (e[i] + c->tau * now->v[i]);
    double size = sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]), most = f->mu * now->N;
    double part = size > most ? most / size : 1.0;
    for (int i = 0; i < 3; i++)
        F[i] *= part;
    return part;
}

static void outputs(const Block *b, double t)
{
    const struct contact *c = b->constants;
    double R[3][3], deepest = -INFINITY;
    rotation_of_euler_angles(b->u[0] + 3, R);
    memset(b->y[0], 0, 6 * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        const struct foot *f = c->feet + i;
        struct state now = at(c, f, R, b);
        double F[3], body[3];
        deepest = fmax(deepest, now.s);
        b->y[1][i] = now.N;
        if (now.N == 0.0)
            continue;
        held(c, f, &now, b->x + 3 * i, F);
        for (int j = 0; j < 3; j++)
            F[j] += now.N * now.up[j];
        to_body(R, F, body);
        add_wrench(body, f->r, b->y[0]);
    }
    b->y[2][0] = -deepest;
}

static void derivatives(const Block *b, double t)
{
    const struct contact *c = b->constants;
    double R[3][3];
    rotation_of_euler_angles(b->u[0] + 3, R);
    for (int i = 0; i < c->n; i++) {
        const struct foot *f = c->feet + i;
        const double *e = b->x + 3 * i;
        double *de = b->dx + 3 * i;
        struct state now = at(c, f, R, b);
        if (now.s <= 0.0) {
            for (int j = 0; j < 3; j++)
                de[j] = -e[j] / c->tau;
            continue;
        }
        double F[3], part = held(c, f, &now, e, F), most = f->mu * now.N;
        double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2], load = f->kt * sqrt(square);
        double along = e[0] * now.v[0] + e[1] * now.v[1] + e[2] * now.v[2];
        double x = (load - 0.8 * most) / (0.2 * most);
        double beta = load <= 0.8 * most ? 0.0 : load >= most ? 1.0 : x * x * (3.0 - 2.0 * x);
        beta = fmax(beta, 1.0 - part);
        double back = along > 0.0 ? beta * along / square : 0.0;
        if (load > most)
            back += (1.0 - most / load) / c->tau;
        for (int j = 0; j < 3; j++)
            de[j] = now.v[j] - back * e[j];
    }
}

/* Parameters: points, depth, slope, stiffness, damping, friction, shear_stiffness, shear_time. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct contact *c = constants;
    *c = (struct contact){.n = n[0], .depth = *p[1], .slope = {p[2][0], p[2][1]}, .tau = *p[7]};
    c->steep = 1.0 / sqrt(1.0 + p[2][0] * p[2][0] + p[2][1] * p[2][1]);
    for (int i = 0; i < n[0]; i++)
        c->feet[i] = (struct foot){{p[0][3 * i], p[0][3 * i + 1], p[0][3 * i + 2]}, p[3][i], p[4][i], p[5][i], p[6][i]};
}

const Plain plain_seabed_contact = {sizeof(struct contact), prepare, outputs, derivatives, 0, 0};
