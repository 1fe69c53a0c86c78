/* Mooring lines: elastic catenaries, free or on the floor, each by Newton's method in one unknown. */
#include <math.h>
#include <string.h>

#include "dynamics.h"
#include "mooring.h"
#include "plain.h"
#include "thrust.h"

#define LINES 64

struct mooring {
    int n;
    double depth;
    struct line {
        double anchor[3], fairlead[3], L, EA, w, mu;
    } lines[LINES];
};

struct pulls {
    double H, V, Ha, Va, lying;     /* V: down at the fairlead; Va: up at the anchor */
};

/* X over L of a free line with this lambda, e = w L / 2 EA and z = Z / L; its logarithm, and the derivative by ln lambda */
static double free_span(double lambda, double e, double z, double *slope)
{
    double t = tanh(lambda), c = z * t / (t + e), r = 1.0 - c * c;
    if (!(r > 0.0))
        return NAN;
    double ct = z * e * (1.0 - t * t) / ((t + e) * (t + e));
    *slope = lambda * (1.0 / (lambda + e) - 1.0 / t - c * ct / r);
    return log((lambda + e) / sinh(lambda)) + 0.5 * log(r);
}

static struct pulls hang(double X, double Z, const struct line *k, double w)
{
    double e = w * k->L / (2.0 * k->EA), z = fabs(Z) / k->L, wanted = log(fmax(X, 1e-12 * k->L) / k->L);
    double low = -700.0, high = log(60.0), slope, here = sqrt(1.0 - fmin(z * z, 0.99)) * k->L / fmax(X, 1e-12 * k->L);
    /* an inextensible catenary, or the stretched chord, to begin with */
    double y = here > 1.0 + e ? log(fmin(sqrt(6.0 * (here - 1.0)), log(2.0 * here) + log(log(2.0 * here) + 1.0)))
                              : log(cbrt(6.0 * e) + 1e-12);
    double chord = hypot(X, Z) / k->L;
    if (chord > 1.0 + e)
        y = log(e / (chord - 1.0));
    for (int i = 0; i < 80; i++) {
        double f = free_span(exp(y), e, z, &slope) - wanted, next;
        if (f > 0.0)
            low = y;
        else
            high = y;
        next = y - f / slope;
        if ((!(next > low && next < high) && fabs(next - y) > 1e-9) || fabs(next - y) > 4.0)
            next = low > -700.0 ? 0.5 * (low + high) : y - 2.0;
        double step = fabs(next - y);
        y = next;
        if (step < 1e-9 || f == 0.0)
            break;
    }
    double lambda = exp(y), middle = 0.5 * w * Z / (tanh(lambda) + e);
    double H = 0.5 * w * X / (lambda + e), half = 0.5 * w * k->L;
    return (struct pulls){H, middle + half, H, middle - half, 0.0};
}

/* V and the span of a branch that rises by Z from the floor under H, and dV/dH and d(span - V/w)/dH */
static void branch(double H, double Z, const struct line *k, double *V, double *span, double *dV, double *dspan)
{
    double a = k->EA + H, more = 2.0 * k->EA * k->w * Z / (sqrt(a * a + 2.0 * k->EA * k->w * Z) + a), T = H + more;
    *V = sqrt(more * (T + H));
    *span = *dV = *dspan = 0.0;
    if (Z > 0.0 && H > 0.0) {
        double angle = log1p((*V + more) / H);
        *dV = (T * a / (k->EA + T) - H) / *V;
        *span = H * angle / k->w;
        *dspan = (angle + (*dV * H - *V) / T - *dV) / k->w;
    }
}

static double lying_span(double H, double low, double high, const struct line *k, double mu, double *slope,
                         struct pulls *out)
{
    double V[2], s[2], dV[2], ds[2];
    branch(H, low, k, V, s, dV, ds);
    branch(H, high, k, V + 1, s + 1, dV + 1, ds + 1);
    double lying = k->L - (V[0] + V[1]) / k->w, drag = mu * k->w, lift = dV[0] + dV[1];
    *out = (struct pulls){H, V[1], fmax(H - drag * lying, 0.0), -V[0], lying};
    double X = lying + s[0] + s[1];
    *slope = ds[0] + ds[1];
    if (H >= drag * lying) {
        *slope += (k->L + drag * lying * lift / k->w) / k->EA;
        return X + (H * k->L - 0.5 * drag * lying * lying) / k->EA;
    }
    *slope += (k->L - lying + H / drag - H * lift / k->w) / k->EA;
    return X + (H * (k->L - lying) + 0.5 * H * H / drag) / k->EA;
}

static struct pulls lie(double X, double low, double high, const struct line *k, double mu)
{
    struct pulls found;
    double slope, most = k->EA * X / k->L + mu * k->w * k->L, least = 0.0;
    if (X <= lying_span(0.0, low, high, k, mu, &slope, &found))
        return found;
    double slack = low + high > 0.0 ? (k->L - X) / (low + high) : 1.0;
    double H = slack > 0.01 ? k->w * (low + high) * 0.22 * (1.0 / (slack * slack) - 1.0) : 0.5 * most;
    H = fmax(H, k->EA * (X / k->L - 1.0));
    if (!(H > 0.0 && H < most))
        H = 0.5 * most;
    for (int i = 0; i < 80; i++) {
        double off = lying_span(H, low, high, k, mu, &slope, &found) - X;
        if (off > 0.0)
            most = H;
        else
            least = H;
        double next = H - off / slope;
        if (!(next > least && next < most) && fabs(next - H) > 1e-9 * H)
            next = least > 0.0 ? sqrt(least * most) : 0.01 * most;
        double step = fabs(next - H);
        if (fabs(off) < 2e-16 * k->L)
            break;
        H = next;
        if (step < 1e-9 * H)
            break;
    }
    lying_span(H, low, high, k, mu, &slope, &found);
    return found;
}

static struct pulls line_of(double X, double za, double zf, double depth, const struct line *k)
{
    if (k->w < 0.0) {
        struct pulls found = hang(X, zf - za, k, -k->w);
        found.V = -found.V;
        found.Va = -found.Va;
        return found;
    }
    if (depth > 1e299)
        return hang(X, za - zf, k, k->w);
    double low = fmax(depth - za, 0.0), high = fmax(depth - zf, 0.0);
    int grounded = low < 1e-9 * k->L;
    struct pulls found = hang(X, high - low, k, k->w);
    if (found.Va >= 0.0 || found.V <= 0.0)
        return found;
    double sag = (hypot(found.H, found.Va) - found.H) / k->w + found.Va * found.Va / (2.0 * k->EA * k->w);
    if (grounded)
        return lie(X, 0.0, high, k, k->mu);
    return sag > low ? lie(X, low, high, k, 0.0) : found;
}

static void outputs(const Block *b, double t)
{
    const struct mooring *c = b->constants;
    const double *eta = b->u[0], *other = b->u[3];
    double R[3][3], Ra[3][3];
    rotation_of_euler_angles(eta + 3, R);
    rotation_of_euler_angles(other + 3, Ra);
    memset(b->y[0], 0, 6 * sizeof(double));
    memset(b->y[1], 0, 6 * sizeof(double));
    for (int i = 0; i < c->n; i++) {
        const struct line *k = c->lines + i;
        double a[3], f[3], pull[3];
        to_ned(Ra, k->anchor, a);
        to_ned(R, k->fairlead, f);
        for (int j = 0; j < 3; j++) {
            a[j] += other[j];
            f[j] += eta[j];
        }
        double north = a[0] - f[0], east = a[1] - f[1], X = sqrt(north * north + east * east);
        struct pulls found = line_of(X, a[2], f[2], c->depth, k);
        double cn = X > 0.0 ? north / X : 0.0, ce = X > 0.0 ? east / X : 0.0;
        to_body(R, (double[3]){found.H * cn, found.H * ce, found.V}, pull);
        add_wrench(pull, k->fairlead, b->y[0]);
        to_body(Ra, (double[3]){-found.Ha * cn, -found.Ha * ce, -found.Va}, pull);
        add_wrench(pull, k->anchor, b->y[1]);
        b->y[2][i] = sqrt(found.H * found.H + found.V * found.V);
        b->y[3][i] = sqrt(found.Ha * found.Ha + found.Va * found.Va);
        b->y[4][i] = k->L - found.lying;
        b->y[5][i] = atan2(found.V, found.H);
    }
}

/* Parameters: lines, length, axial_stiffness, mass_per_length, diameter, weight, seabed_friction, depth, density,
 * gravity. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct mooring *c = constants;
    c->n = n[0];
    c->depth = *p[7];
    for (int i = 0; i < n[0]; i++) {
        struct line *k = c->lines + i;
        memcpy(k->anchor, p[0] + 6 * i, sizeof k->anchor);
        memcpy(k->fairlead, p[0] + 6 * i + 3, sizeof k->fairlead);
        k->L = p[1][i];
        k->EA = p[2][i];
        k->w = line_weight(p[5][i], p[3][i], p[4][i], *p[8], *p[9]);
        k->mu = p[6][i];
    }
}

const Plain plain_mooring = {sizeof(struct mooring), prepare, outputs, 0, 0, 0};
