/* Allocation of a wrench to thrusters that turn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "pseudo_inverse.h"
#include "thrust.h"
#include "thrust_bounded.h"

static const double pi = 3.14159265358979323846;

enum { MOST = 12 };

struct thruster {
    double ahead[6], starboard[6];              /* wrench of each part of its thrust */
    double to_ahead[6], to_starboard[6];        /* rows of the pseudo-inverse */
    double least, greatest;                     /* angles */
    double x_least, y_least, x_greatest, y_greatest;    /* cosines and sines of these */
    int fixed, reversible;
    double c1, c2, c3;
    double limit[2], limit_thrust[2];           /* ahead, astern */
    double weight;
};

struct allocation {
    int n;
    struct thruster thruster[MOST];
};

struct share {
    double X, Y;            /* what is wanted */
    double angle, thrust;   /* what is given */
    int settled;            /* asked for too much, or fixed: the angle stays */
};

static double curve(const struct thruster *one, double n)
{
    return n * (one->c1 + n * (one->c2 + n * one->c3));
}

/* The speed for a thrust, by Newton's method kept in an interval. */
static double speed(const struct thruster *one, double thrust)
{
    int way = thrust < 0.0;
    double wanted = fabs(thrust), low = 0.0, high = one->limit[way];
    if (wanted == 0.0)
        return 0.0;
    if (wanted >= one->limit_thrust[way])
        return way ? -high : high;
    double n = high * sqrt(wanted / one->limit_thrust[way]);
    for (int i = 0; i < 100; i++) {
        double error = curve(one, n) - wanted;
        if (error > 0.0)
            high = n;
        else
            low = n;
        double step = error / (one->c1 + n * (2.0 * one->c2 + n * 3.0 * one->c3));
        n -= step;
        if (fabs(step) < 1e-12 * n)
            break;
        if (n <= low || n >= high)
            n = 0.5 * (low + high);
    }
    return way ? -n : n;
}

/* Whether an angle, or one a full turn from it, is in the range; it becomes that one. */
static int in_range(const struct thruster *one, double *angle)
{
    for (int turn = 0; turn < 3; turn++) {
        double found = *angle + (turn == 0 ? 0.0 : turn == 1 ? 2.0 * pi : -2.0 * pi);
        if (found >= one->least && found <= one->greatest) {
            *angle = found;
            return 1;
        }
    }
    return 0;
}

/* Angle and thrust for wanted parts: ahead, else astern, else at a stop. */
static double direct(const struct thruster *one, double X, double Y, double *angle)
{
    *angle = atan2(Y, X);
    if (in_range(one, angle))
        return sqrt(X * X + Y * Y);
    if (one->reversible) {
        *angle += *angle > 0.0 ? -pi : pi;
        if (in_range(one, angle))
            return -sqrt(X * X + Y * Y);
    }
    double at_least = one->x_least * X + one->y_least * Y, at_greatest = one->x_greatest * X + one->y_greatest * Y;
    double gain = one->reversible ? fabs(at_greatest) - fabs(at_least) : at_greatest - at_least;
    double thrust = gain > 0.0 ? at_greatest : at_least;
    *angle = gain > 0.0 ? one->greatest : one->least;
    return one->reversible || thrust > 0.0 ? thrust : 0.0;
}

static void outputs(const Block *b, double t)
{
    const struct allocation *c = b->constants;
    const double *tau = b->u[0];
    for (int i = 0; i < c->n; i++) {
        const struct thruster *one = &c->thruster[i];
        double angle = one->least, f = product6(one->to_ahead, tau);
        if (!one->fixed)
            f = direct(one, f, product6(one->to_starboard, tau), &angle);
        b->y[0][i] = speed(one, f);
        b->y[1][i] = angle;
        b->y[2][i] = f;
    }
}

/* Within limits */

static double within_limits(const struct thruster *one, double thrust)
{
    return limited(thrust, -one->limit_thrust[1], one->limit_thrust[0]);
}

/* Nearest angles and thrusts for those that are not settled. Says whether one is asked for too much, and settles it. */
static int give(const struct allocation *c, struct share *shares)
{
    int too_much = 0;
    for (int i = 0; i < c->n; i++) {
        struct share *s = &shares[i];
        if (s->settled)
            continue;
        s->thrust = within_limits(&c->thruster[i], direct(&c->thruster[i], s->X, s->Y, &s->angle));
        if (fabs(s->thrust) < (1.0 - 1e-12) * sqrt(s->X * s->X + s->Y * s->Y))
            s->settled = too_much = 1;
    }
    return too_much;
}

static void along(const struct thruster *one, double angle, double column[6])
{
    double x = cos(angle), y = sin(angle);
    for (int k = 0; k < 6; k++)
        column[k] = x * one->ahead[k] + y * one->starboard[k];
}

/* |tau - what is given|^2 */
static double missing(const struct allocation *c, const struct share *shares, const double *tau)
{
    double left[6], column[6];
    memcpy(left, tau, sizeof left);
    for (int i = 0; i < c->n; i++) {
        along(&c->thruster[i], shares[i].angle, column);
        for (int k = 0; k < 6; k++)
            left[k] -= shares[i].thrust * column[k];
    }
    return product6(left, left);
}

/* The best thrusts of the settled and parts of the others: one unknown, or two. */
static void redistribute(const struct allocation *c, struct share *shares, const double *tau)
{
    struct normal normal;
    double T[2 * MOST][6], weights[2 * MOST], lower[2 * MOST], upper[2 * MOST], f[2 * MOST], projected[2 * MOST];
    int held[2 * MOST] = {0}, n = 0;
    for (int i = 0; i < c->n; i++) {
        const struct thruster *one = &c->thruster[i];
        const struct share *s = &shares[i];
        if (s->settled) {
            along(one, s->angle, T[n]);
            lower[n] = -one->limit_thrust[1];
            upper[n] = one->limit_thrust[0];
            f[n] = s->thrust;
        } else {
            memcpy(T[n], one->ahead, sizeof T[n]);
            memcpy(T[n + 1], one->starboard, sizeof T[n]);
            lower[n] = lower[n + 1] = -HUGE_VAL;
            upper[n] = upper[n + 1] = HUGE_VAL;
            f[n] = s->X;
            f[n + 1] = s->Y;
            weights[n + 1] = one->weight;
        }
        weights[n] = one->weight;
        n += s->settled ? 1 : 2;
    }
    for (int k = 0; k < n; k++)
        projected[k] = product6(T[k], tau);
    normal_equations(T, weights, n, &normal);
    improve_within_bounds(&normal, projected, lower, upper, f, held);
    const double *found = f;
    for (int i = 0; i < c->n; i++) {
        if (shares[i].settled) {
            shares[i].thrust = *found++;
        } else {
            shares[i].X = *found++;
            shares[i].Y = *found++;
        }
    }
}

static void tell(const Block *b, const struct share *shares)
{
    const struct allocation *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        b->y[1][i] = shares[i].angle;
        b->y[2][i] = shares[i].thrust;
    }
}

static void bounded_outputs(const Block *b, double t)
{
    const struct allocation *whole = b->constants;
    struct allocation there = *whole;           /* what is available of it */
    const struct allocation *c = &there;
    for (int i = 0; i < there.n; i++) {
        struct thruster *one = &there.thruster[i];
        double part = b->u[1][i] < 0.0 ? 0.0 : b->u[1][i] > 1.0 ? 1.0 : b->u[1][i];
        one->limit_thrust[0] *= part;
        one->limit_thrust[1] *= part;
        one->reversible = one->reversible && part > 0.0;
    }
    const double *tau = b->u[0];
    struct share shares[MOST];
    int too_much = 0;
    for (int i = 0; i < c->n; i++) {
        const struct thruster *one = &c->thruster[i];
        struct share *s = &shares[i];
        double X = product6(one->to_ahead, tau), Y = product6(one->to_starboard, tau);
        *s = (struct share){X, Y, one->least, 0.0, one->fixed};
        if (one->fixed) {
            s->thrust = within_limits(one, s->X);
            too_much = too_much || s->thrust != s->X;
        }
    }
    too_much = give(c, shares) || too_much;
    tell(b, shares);
    double nearest = too_much ? missing(c, shares, tau) : 0.0;
    for (int round = 0; too_much && round <= c->n; round++) {
        redistribute(c, shares, tau);
        too_much = give(c, shares);
        double missed = missing(c, shares, tau);
        if (missed < nearest) {
            nearest = missed;
            tell(b, shares);
        }
    }
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = speed(&whole->thruster[i], b->y[2][i]);
}

/* Parameters: positions, thrust_coefficient, speed_limit_forward, speed_limit_reverse, angle_min, angle_max, weights,
 * limits. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct allocation *c = constants;
    double T[6 * 2 * MOST], weights[2 * MOST], inverse[2 * MOST][6];
    int columns = 2 * n[0];
    if (n[0] > MOST)
        abort();
    c->n = n[0];
    for (int i = 0; i < c->n; i++) {
        struct thruster *one = &c->thruster[i];
        const double *r = p[0] + 3 * i, *k = p[1] + 3 * i;
        *one = (struct thruster){
            .ahead = {1.0, 0.0, 0.0, 0.0, r[2], -r[1]}, .starboard = {0.0, 1.0, 0.0, -r[2], 0.0, r[0]},
            .least = p[4][i], .greatest = p[5][i], .fixed = p[4][i] == p[5][i], .reversible = p[3][i] > 0.0,
            .x_least = cos(p[4][i]), .y_least = sin(p[4][i]), .x_greatest = cos(p[5][i]), .y_greatest = sin(p[5][i]),
            .c1 = k[0], .c2 = k[1], .c3 = k[2], .limit = {p[2][i], p[3][i]}, .weight = p[6][i],
        };
        for (int way = 0; way < 2; way++)
            one->limit_thrust[way] = curve(one, one->limit[way]);
        weights[2 * i] = weights[2 * i + 1] = one->weight;
        for (int j = 0; j < 6; j++) {       /* a fixed one has one part, along its angle */
            T[j * columns + 2 * i] = one->fixed ? one->x_least * one->ahead[j] + one->y_least * one->starboard[j]
                                                : one->ahead[j];
            T[j * columns + 2 * i + 1] = one->fixed ? 0.0 : one->starboard[j];
        }
    }
    pseudo_inverse(T, weights, columns, inverse);
    for (int i = 0; i < c->n; i++) {
        memcpy(c->thruster[i].to_ahead, inverse[2 * i], sizeof inverse[0]);
        memcpy(c->thruster[i].to_starboard, inverse[2 * i + 1], sizeof inverse[0]);
    }
}

const Plain plain_azimuth_allocation = {sizeof(struct allocation), prepare, outputs, 0, 0, 0};
const Plain plain_azimuth_allocation_bounded = {sizeof(struct allocation), prepare, bounded_outputs, 0, 0, 0};
