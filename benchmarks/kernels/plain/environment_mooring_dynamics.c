/* Mooring lines of lumped masses: segments as springs with dampers, drag, added mass and the floor. */
#include <math.h>
#include <string.h>

#include "dynamics.h"
#include "mooring.h"
#include "plain.h"
#include "thrust.h"

#define LINES 64

struct cables {
    int n, m;                       /* lines, and nodes of each */
    double depth, kb, cb, v0;
    struct cable {
        double anchor[3], fairlead[3];
        double l, EA, BA, wet, normal, tangential, across, along, area, mu, s0, free;
    } lines[LINES];
};

/* Place and velocity of the ends of a segment, and the force in it on the lower one. Returns its length. */
static double spring(const struct cable *c, const double *r0, const double *v0, const double *r1, const double *v1,
                     double F[3])
{
    double d[3], size = 0.0, rate = 0.0;
    for (int i = 0; i < 3; i++) {
        d[i] = r1[i] - r0[i];
        size += d[i] * d[i];
        rate += d[i] * (v1[i] - v0[i]);
    }
    size = sqrt(size);
    rate /= size;
    double T = fmax((size > c->l ? c->EA * (size / c->l - 1.0) : 0.0) + c->BA * rate / c->l, 0.0);
    for (int i = 0; i < 3; i++)
        F[i] = T * d[i] / size;
    return size;
}

static void drag(const struct cable *c, const double *current, const double *velocity, const double q[3], double share,
                 double F[3])
{
    double v[3], t = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++) {
        v[i] = current[i] - velocity[i];
        t += v[i] * q[i];
    }
    for (int i = 0; i < 3; i++) {
        v[i] -= t * q[i];
        square += v[i] * v[i];
    }
    double n = share * c->normal * sqrt(square);
    t *= share * c->tangential * fabs(t);
    for (int i = 0; i < 3; i++)
        F[i] += n * v[i] + t * q[i];
}

static void end_of(double R[3][3], const double *eta, const double *nu, const double r[3], double place[3], double v[3])
{
    double body[3];
    velocity_at(nu, r, body);
    to_ned(R, body, v);
    to_ned(R, r, place);
    for (int i = 0; i < 3; i++)
        place[i] += eta[i];
}

static void pull_at(const struct cable *c, const double *current, const double place[3], const double v[3],
                    const double *node, const double *node_v, double F[3])
{
    double q[3], size = spring(c, place, v, node, node_v, F);
    for (int i = 0; i < 3; i++)
        q[i] = (node[i] - place[i]) / size;
    drag(c, current, v, q, 0.5, F);
    F[2] += 0.5 * c->wet;
}

static double part_above(double a, double b)
{
    double whole = fabs(a) + fabs(b);
    return whole > 0.0 ? (fmax(a, 0.0) + fmax(b, 0.0)) / whole : 0.0;
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void outputs(const Block *b, double t)
{
    const struct cables *c = b->constants;
    const double *velocities = b->x + 3 * c->n * c->m;
    double R[3][3], Ra[3][3];
    rotation_of_euler_angles(b->u[0] + 3, R);
    rotation_of_euler_angles(b->u[3] + 3, Ra);
    memset(b->y[0], 0, 6 * sizeof(double));
    memset(b->y[1], 0, 6 * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        const struct cable *k = c->lines + i;
        const double *r = b->x + 3 * c->m * i, *v = velocities + 3 * c->m * i, *last = r + 3 * (c->m - 1);
        double place[3], speed[3], F[3], body[3];
        end_of(Ra, b->u[3], b->u[4], k->anchor, place, speed);
        pull_at(k, b->u[2], place, speed, r, v, F);
        to_body(Ra, F, body);
        add_wrench(body, k->anchor, b->y[1]);
        b->y[3][i] = norm(F);
        double above = part_above(k->free - place[2], k->free - r[2]);
        for (int j = 1; j < c->m; j++)
            above += part_above(k->free - r[3 * j - 1], k->free - r[3 * j + 2]);
        end_of(R, b->u[0], b->u[1], k->fairlead, place, speed);
        pull_at(k, b->u[2], place, speed, last, v + 3 * (c->m - 1), F);
        to_body(R, F, body);
        add_wrench(body, k->fairlead, b->y[0]);
        b->y[2][i] = norm(F);
        b->y[4][i] = k->l * (above + part_above(k->free - last[2], k->free - place[2]));
        b->y[5][i] = atan2(F[2], sqrt(F[0] * F[0] + F[1] * F[1]));
    }
}

static void derivatives(const Block *b, double t)
{
    const struct cables *c = b->constants;
    int count = 3 * c->n * c->m;
    double R[3][3], Ra[3][3];
    rotation_of_euler_angles(b->u[0] + 3, R);
    rotation_of_euler_angles(b->u[3] + 3, Ra);
    memcpy(b->dx, b->x + count, count * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        const struct cable *k = c->lines + i;
        double low[3], low_v[3], high[3], high_v[3], below[3], above[3], F[3], q[3];
        end_of(Ra, b->u[3], b->u[4], k->anchor, low, low_v);
        end_of(R, b->u[0], b->u[1], k->fairlead, high, high_v);
        const double *r = b->x + 3 * c->m * i, *v = r + count, *before = low;
        double *a = b->dx + count + 3 * c->m * i;
        spring(k, low, low_v, r, v, below);
        for (int j = 0; j < c->m; j++, r += 3, v += 3, a += 3) {
            const double *after = j + 1 < c->m ? r + 3 : high;
            spring(k, r, v, after, j + 1 < c->m ? v + 3 : high_v, above);
            for (int d = 0; d < 3; d++) {
                F[d] = above[d] - below[d];
                q[d] = after[d] - before[d];
                below[d] = above[d];
            }
            double size = 1.0 / norm(q);
            for (int d = 0; d < 3; d++)
                q[d] *= size;
            F[2] += k->wet;
            drag(k, b->u[2], v, q, 1.0, F);
            if (r[2] > c->depth) {
                double s = r[2] - c->depth, N = k->area * (c->kb * s + c->cb * v[2] * fmin(10.0 * s / k->s0, 1.0));
                if (N > 0.0) {
                    double f = k->mu * N / sqrt(v[0] * v[0] + v[1] * v[1] + c->v0 * c->v0);
                    F[0] -= f * v[0];
                    F[1] -= f * v[1];
                    F[2] -= N;
                }
            }
            double along = k->along * (F[0] * q[0] + F[1] * q[1] + F[2] * q[2]);
            for (int d = 0; d < 3; d++)
                a[d] = k->across * F[d] + along * q[d];
            before = r;
        }
    }
}

/* Parameters: lines, length, axial_stiffness, mass_per_length, diameter, weight, seabed_friction, depth, density,
 * gravity, segments, damping_ratio, normal_drag, tangential_drag, normal_added_mass, tangential_added_mass,
 * seabed_stiffness, seabed_damping, friction_speed. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    const double pi = 3.14159265358979323846;
    struct cables *c = constants;
    c->n = n[0];
    c->m = n[1];
    c->depth = *p[7];
    c->kb = *p[16];
    c->cb = *p[17];
    c->v0 = *p[18];
    for (int i = 0; i < n[0]; i++) {
        struct cable *k = c->lines + i;
        double l = p[1][i] / (n[1] + 1), m = p[3][i], d = p[4][i], displaced = *p[8] * pi / 4.0 * d * d * l;
        memcpy(k->anchor, p[0] + 6 * i, sizeof k->anchor);
        memcpy(k->fairlead, p[0] + 6 * i + 3, sizeof k->fairlead);
        k->l = l;
        k->EA = p[2][i];
        k->BA = p[11][i] * l * sqrt(k->EA * m);
        k->wet = l * line_weight(p[5][i], m, d, *p[8], *p[9]);
        k->normal = 0.5 * *p[8] * l * d * p[12][i];
        k->tangential = 0.5 * *p[8] * l * d * pi * p[13][i];
        k->across = 1.0 / (m * l + displaced * p[14][i]);
        k->along = 1.0 / (m * l + displaced * p[15][i]) - k->across;
        k->area = d * l;
        k->s0 = fmax(k->wet / l / (c->kb * d), 0.0);
        k->mu = p[6][i];
        k->free = c->depth - 0.1 * d;
    }
}

const Plain plain_mooring_dynamics = {sizeof(struct cables), prepare, outputs, derivatives, 0, 0};
