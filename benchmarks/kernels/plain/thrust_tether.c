/* The tether: drag on parts of a cable, and the tension along its chord. */
#include <math.h>

#include "dynamics.h"
#include "plain.h"
#include "table.h"
#include "thrust.h"

static const double pi = 3.14159265358979323846;

struct tether {
    double r[3], length, stiffness;
    double normal, tangential, weight;      /* of a part */
    int parts, m;
    const double *depths, *factors;
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The H for a chord c and a load F across it: H^2 (L H / EA + L - c) = c F^2 / 24, by Newton's method from above. */
static double tension_of(const struct tether *k, double c, double F)
{
    double slope = k->length / k->stiffness, slack = k->length - c, right = c * F * F / 24.0;
    double H = (slack < 0.0 ? -slack / slope : 0.0) + cbrt(right / slope);
    if (right == 0.0)
        return H;
    for (int i = 0; i < 100; i++) {
        double step = (H * H * (slope * H + slack) - right) / (H * (3.0 * slope * H + 2.0 * slack));
        H -= step;
        if (fabs(step) < 1e-14 * H)
            break;
    }
    return H;
}

static void outputs(const Block *b, double t)
{
    const struct tether *c = b->constants;
    const double *eta = b->u[0], *current = b->u[2], *top = b->u[3], *top_velocity = b->u[4];
    double R[3][3], body[3], velocity[3], arm[3], e[3], change[3], end[3] = {0.0}, total[3] = {0.0};
    rotation_of_euler_angles(eta + 3, R);
    velocity_at(b->u[1], c->r, body);
    to_ned(R, body, velocity);
    to_ned(R, c->r, arm);
    for (int i = 0; i < 3; i++) {
        e[i] = eta[i] + arm[i] - top[i];
        change[i] = velocity[i] - top_velocity[i];
    }
    double chord = sqrt(dot(e, e)), rise = e[2];
    for (int i = 0; i < 3; i++)
        e[i] = chord > 0.0 ? e[i] / chord : 0.0;
    for (int k = 0; k < c->parts; k++) {
        double s = (k + 0.5) / c->parts, factor = table_value(c->depths, c->factors, c->m, top[2] + s * rise), v[3];
        for (int i = 0; i < 3; i++)
            v[i] = factor * current[i] - top_velocity[i] - s * change[i];
        double along = dot(v, e);
        for (int i = 0; i < 3; i++)
            v[i] -= along * e[i];
        double across = c->normal * sqrt(dot(v, v));
        along *= c->tangential * fabs(along);
        for (int i = 0; i < 3; i++) {
            double F = across * v[i] + along * e[i] + (i == 2 ? c->weight : 0.0);
            total[i] += F;
            end[i] += s * F;
        }
    }
    double along = dot(total, e), across[3];
    for (int i = 0; i < 3; i++)
        across[i] = total[i] - along * e[i];
    double H = tension_of(c, chord, sqrt(dot(across, across)));
    for (int i = 0; i < 3; i++) {
        end[i] -= H * e[i];
        b->y[2][i] = total[i] - end[i];
    }
    to_body(R, end, body);
    put_wrench(body, c->r, b->y[0]);
    b->y[1][0] = H;
}

/* Parameters: position, length, diameter, weight, axial_stiffness, normal_drag, tangential_drag, density, segments,
 * profile_depths, profile_factors. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct tether *c = constants;
    double part = *p[1] / *p[8], half = 0.5 * *p[7] * *p[2] * part;
    *c = (struct tether){{p[0][0], p[0][1], p[0][2]}, *p[1], *p[4], half * *p[5], half * pi * *p[6], *p[3] * part,
                         (int)*p[8], n[0], p[9], p[10]};
}

const Plain plain_tether = {sizeof(struct tether), prepare, outputs, 0, 0, 0};
