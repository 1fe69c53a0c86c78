/* Guidance along curved paths: piecewise cubics through waypoints, and Dubins paths between poses. */
#include <math.h>
#include <stdlib.h>

#include "dubins.h"
#include "plain.h"

enum { MOST_PIECES = 100 };
enum { NEW, UNDER_WAY, FINISHED };
enum { SAMPLES = 16, HALVINGS = 60 };

struct piece {
    double begin, length;               /* theta */
    double x[4], y[4], z[4];            /* cubic: coefficients; Dubins: x, y, z where it begins, z[1] the slope */
    double course, sine, cosine, curvature;
};

struct path {
    int n, legs, pieces, per_leg, everywhere, loop, taper, sideslip, dubins;
    double x_end, y_end, radius, lookahead, speed, taper_angle, sideslip_speed, gain, length;
    struct piece piece[MOST_PIECES + 1];    /* the last one is straight, after the end */
};

struct point {
    double x, y, z, cosine, sine, rate, curvature;
};

static double wrapped(double angle)
{
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

static int piece_at(const struct path *c, double theta)
{
    int k = 0;
    while (k + 1 < c->pieces && theta >= c->piece[k + 1].begin)
        k++;
    return k;
}

static void cubic_at(const struct path *c, double theta, struct point *found)
{
    const struct piece *q = &c->piece[piece_at(c, theta)];
    double s = fmin(fmax(theta - q->begin, 0.0), q->length), beyond = theta - q->begin - s;
    double dx = q->x[1] + s * (2.0 * q->x[2] + 3.0 * s * q->x[3]);
    double dy = q->y[1] + s * (2.0 * q->y[2] + 3.0 * s * q->y[3]);
    double ddx = 2.0 * q->x[2] + 6.0 * s * q->x[3], ddy = 2.0 * q->y[2] + 6.0 * s * q->y[3];
    double rate = sqrt(dx * dx + dy * dy), kept = fmax(rate, 0.02);
    found->rate = kept;
    found->cosine = dx / rate;
    found->sine = dy / rate;
    found->curvature = beyond != 0.0 ? 0.0 : (dx * ddy - dy * ddx) / (rate * rate * kept);
    found->x = q->x[0] + s * (q->x[1] + s * (q->x[2] + s * q->x[3])) + beyond * kept * found->cosine;
    found->y = q->y[0] + s * (q->y[1] + s * (q->y[2] + s * q->y[3])) + beyond * kept * found->sine;
    found->z = q->z[0] + s * (q->z[1] + s * (q->z[2] + s * q->z[3]));
}

static void dubins_at(const struct path *c, double theta, struct point *found)
{
    int k = theta >= c->length ? c->pieces : piece_at(c, theta);
    const struct piece *q = &c->piece[k];
    double s = theta - q->begin, curvature = theta < 0.0 ? 0.0 : q->curvature;
    found->rate = 1.0;
    found->curvature = curvature;
    if (curvature == 0.0) {
        found->cosine = q->cosine;
        found->sine = q->sine;
        found->x = q->x[0] + s * q->cosine;
        found->y = q->y[0] + s * q->sine;
    } else {
        double course = q->course + curvature * s;
        found->cosine = cos(course);
        found->sine = sin(course);
        found->x = q->x[0] + (found->sine - q->sine) / curvature;
        found->y = q->y[0] - (found->cosine - q->cosine) / curvature;
    }
    found->z = q->z[0] + (k == c->pieces || theta < 0.0 ? 0.0 : s * q->z[1]);
}

static void path_at(const struct path *c, double theta, struct point *found)
{
    if (c->loop)
        theta -= c->length * floor(theta / c->length);
    if (c->dubins)
        dubins_at(c, theta, found);
    else
        cubic_at(c, theta, found);
}

/* x = path_parameter; z = begun, phase, start_time, next_waypoint */
static double theta_of(const struct path *c, const Block *b)
{
    return b->z[1] == FINISHED ? c->length : b->z[0] + b->x[0];
}

static double ahead(const Block *b, const struct point *p)
{
    return (b->u[0][0] - p->x) * p->cosine + (b->u[0][1] - p->y) * p->sine;
}

static double aside(const Block *b, const struct point *p)
{
    return (b->u[0][1] - p->y) * p->cosine - (b->u[0][0] - p->x) * p->sine;
}

static double progress(const struct path *c, const Block *b, const struct point *p)
{
    if (b->z[1] == FINISHED)
        return 0.0;
    double c_psi = cos(b->u[0][5]), s_psi = sin(b->u[0][5]), u = b->u[1][0], v = b->u[1][1];
    double cosine = c_psi * p->cosine + s_psi * p->sine, sine = s_psi * p->cosine - c_psi * p->sine;
    double x_e = ahead(b, p), part = x_e / c->lookahead;
    return u * cosine - v * sine + c->gain * x_e / sqrt(1.0 + part * part);
}

static double heading_for(const struct path *c, const Block *b, const struct point *p)
{
    double heading = atan2(p->sine, p->cosine);
    if (b->z[1] == FINISHED)
        return heading;
    heading -= atan(aside(b, p) / c->lookahead);
    if (c->sideslip) {
        double u = b->u[1][0], v = b->u[1][1], V = sqrt(u * u + v * v);
        double beta = V > 0.0 ? asin(v / V) : 0.0;
        heading -= V < c->sideslip_speed ? beta * V / c->sideslip_speed : beta;
    }
    return wrapped(heading);
}

static void outputs(const Block *b, double t)
{
    const struct path *c = b->constants;
    struct point p;
    path_at(c, theta_of(c, b), &p);
    double heading = heading_for(c, b, &p), speed = b->z[1] == FINISHED ? 0.0 : c->speed;
    if (c->taper && speed > 0.0)
        speed *= fmax(0.0, 1.0 - fabs(wrapped(heading - b->u[0][5])) / c->taper_angle);
    b->y[0][0] = heading;
    b->y[1][0] = speed;
    b->y[2][0] = p.z;
    b->y[3][0] = aside(b, &p);
    b->y[4][0] = p.curvature * progress(c, b, &p);
    b->y[5][0] = p.x;
    b->y[5][1] = p.y;
    b->y[5][2] = p.z;
    b->y[6][0] = b->z[3];
    b->y[7][0] = b->z[1] == FINISHED;
}

static void derivatives(const Block *b, double t)
{
    const struct path *c = b->constants;
    struct point p;
    path_at(c, theta_of(c, b), &p);
    b->dx[0] = progress(c, b, &p) / p.rate;
}

static double nearest(const struct path *c, const Block *b)
{
    double least = 1e300, low = 0.0, high = 0.0, last = 0.0;
    int open = 0;
    struct point p;
    for (int k = 0; k < (c->everywhere ? c->pieces : c->per_leg); k++) {
        for (int i = 0; i <= SAMPLES && c->piece[k].length > 0.0; i++) {
            double theta = c->piece[k].begin + i * c->piece[k].length / SAMPLES;
            path_at(c, theta, &p);
            double x = p.x - b->u[0][0], y = p.y - b->u[0][1], distance = sqrt(x * x + y * y);
            if (open && theta > last) {
                high = theta;
                open = 0;
            }
            if (distance < least) {
                least = distance;
                low = last;
                high = theta;
                open = 1;
            }
            last = theta;
        }
    }
    double middle = low;
    for (int i = 0; i < HALVINGS; i++) {
        middle = (low + high) / 2.0;
        path_at(c, middle, &p);
        if (ahead(b, &p) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return middle;
}

static void update(const Block *b, double t)
{
    const struct path *c = b->constants;
    double *begun = &b->z[0], *phase = &b->z[1], *start = &b->z[2], *waypoint = &b->z[3];
    if (*phase == NEW) {
        *phase = UNDER_WAY;
        *start = t;
    }
    if (t == *start && *phase != FINISHED)
        *begun = nearest(c, b);
    double theta = theta_of(c, b), lap = c->loop ? c->length * floor(theta / c->length) : 0.0;
    int leg = *phase == FINISHED ? c->legs - 1 : piece_at(c, theta - lap) / c->per_leg;
    *waypoint = (leg + 1) % c->n + 1;
    if (c->loop || *phase == FINISHED || t == *start || theta < c->piece[c->pieces - c->per_leg].begin)
        return;
    double x = c->x_end - b->u[0][0], y = c->y_end - b->u[0][1];
    if (sqrt(x * x + y * y) <= c->radius || c->length - theta <= 0.0)
        *phase = FINISHED;
}

/* Parameters: waypoints, acceptance_radius, start_on, at_end, lookahead, cruise_speed, speed_taper, taper_angle,
 * sideslip_compensation, sideslip_speed, along_track_gain, then those of the curve. */
static void prepare_law(const double *const *p, const int *n, struct path *c)
{
    c->n = n[0];
    c->x_end = p[0][3 * n[0] - 3];
    c->y_end = p[0][3 * n[0] - 2];
    c->radius = *p[1];
    c->everywhere = *p[2] != 0.0;
    c->loop = *p[3] != 0.0;
    c->lookahead = *p[4];
    c->speed = *p[5];
    c->taper = *p[6] != 0.0;
    c->taper_angle = *p[7];
    c->sideslip = *p[8] != 0.0;
    c->sideslip_speed = *p[9];
    c->gain = *p[10];
    if (3 * c->n > MOST_PIECES)
        abort();
}

static double distance_of(const double *a, const double *b)
{
    return sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
}

static double pchip_end(double h, double h_next, double d, double d_next)
{
    double m = ((2.0 * h + h_next) * d - h * d_next) / (h + h_next);
    if (m * d <= 0.0)
        return 0.0;
    return d * d_next <= 0.0 && fabs(m) > 3.0 * fabs(d) ? 3.0 * d : m;
}

/* Slope at waypoint k of one coordinate; legs before 0 and after the last exist on a loop only. */
static double slope(const struct path *c, const double *w, int k, int axis, int pchip)
{
    int n = c->n, last = c->legs;
    int before = k > 0 ? k - 1 : last - 1, after = k < last ? k : 0;
    const double *a = w + 3 * (before % n), *b = w + 3 * (k % n), *d = w + 3 * ((after + 1) % n);
    if (!c->loop && last == 1)
        return (w[3 + axis] - w[axis]) / distance_of(w, w + 3);
    if (!c->loop && (k == 0 || k == last)) {
        const double *e = w + 3 * (k == 0 ? 0 : k), *f = k == 0 ? e + 3 : e - 3, *g = k == 0 ? e + 6 : e - 6;
        double sign = k == 0 ? 1.0 : -1.0, h = distance_of(e, f), h_next = distance_of(f, g);
        double s = sign * (f[axis] - e[axis]) / h, s_next = sign * (g[axis] - f[axis]) / h_next;
        if (pchip)
            return pchip_end(h, h_next, s, s_next);
        return 2.0 * s - (h_next * s + h * s_next) / (h + h_next);
    }
    if (!(c->loop && k % last == 0))
        a = w + 3 * (k - 1);
    double h0 = distance_of(a, b), h1 = distance_of(b, d);
    double s0 = (b[axis] - a[axis]) / h0, s1 = (d[axis] - b[axis]) / h1;
    if (!pchip)
        return (h1 * s0 + h0 * s1) / (h0 + h1);
    return s0 * s1 > 0.0 ? 3.0 * (h0 + h1) / ((2.0 * h1 + h0) / s0 + (h1 + 2.0 * h0) / s1) : 0.0;
}

static void prepare_curved(const double *const *p, const int *n, void *constants)
{
    struct path *c = constants;
    prepare_law(p, n, c);
    c->dubins = 0;
    c->per_leg = 1;
    c->legs = c->loop && distance_of(p[0], p[0] + 3 * (c->n - 1)) > 0.0 ? c->n : c->n - 1;
    c->pieces = c->legs;
    c->length = 0.0;
    for (int k = 0; k < c->legs; k++) {
        const double *a = p[0] + 3 * k, *b = p[0] + 3 * ((k + 1) % c->n);
        struct piece *q = &c->piece[k];
        double *axes[3] = {q->x, q->y, q->z}, h = distance_of(a, b);
        q->begin = c->length;
        q->length = h;
        c->length += h;
        for (int i = 0; i < 3; i++) {
            double m0 = slope(c, p[0], k, i, *p[11] != 0.0), m1 = slope(c, p[0], k + 1, i, *p[11] != 0.0);
            double d = (b[i] - a[i]) / h;
            axes[i][0] = a[i];
            axes[i][1] = m0;
            axes[i][2] = (3.0 * d - 2.0 * m0 - m1) / h;
            axes[i][3] = (m0 + m1 - 2.0 * d) / (h * h);
        }
    }
}

/* Parameters of the curve: headings, turning_radius. North and east are x and y here, so "left" is to starboard. */
static void prepare_dubins(const double *const *p, const int *n, void *constants)
{
    static const int sides[6][3] = {{1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {-1, 1, -1}, {1, -1, 1}};
    struct path *c = constants;
    const double *headings = p[11];
    double radius = *p[12];
    prepare_law(p, n, c);
    int last = c->n - 1;
    c->dubins = 1;
    c->per_leg = 3;
    int meets = distance_of(p[0], p[0] + 3 * last) == 0.0 && fabs(wrapped(headings[0] - headings[last])) < 1e-9;
    c->legs = c->loop && !meets ? c->n : c->n - 1;
    c->pieces = 3 * c->legs;
    c->length = 0.0;
    for (int k = 0; k < c->legs; k++) {
        const double *a = p[0] + 3 * k, *b = p[0] + 3 * ((k + 1) % c->n);
        double bearing = atan2(b[1] - a[1], b[0] - a[0]), best = 1e300, parts[3] = {0.0}, t[3];
        int chosen = 0;
        for (int i = 0; i < 6; i++)
            if (word(i, distance_of(a, b) / radius, headings[k] - bearing, headings[(k + 1) % c->n] - bearing, t, t + 1,
                     t + 2)
                && t[0] + t[1] + t[2] < best) {
                best = t[0] + t[1] + t[2];
                chosen = i;
                for (int j = 0; j < 3; j++)
                    parts[j] = t[j];
            }
        struct point end = {a[0], a[1], a[2], 0.0, 0.0, 0.0, 0.0};
        double course = headings[k];
        for (int j = 0; j < 3; j++) {
            struct piece *q = &c->piece[3 * k + j];
            double s = parts[j] * radius;
            q->begin = c->length;
            q->length = s;
            q->x[0] = end.x;
            q->y[0] = end.y;
            q->z[0] = end.z;
            q->z[1] = (b[2] - a[2]) / (best * radius);
            q->course = course;
            q->sine = sin(course);
            q->cosine = cos(course);
            q->curvature = sides[chosen][j] / radius;
            course += q->curvature * s;
            end.x += q->curvature == 0.0 ? s * q->cosine : (sin(course) - q->sine) / q->curvature;
            end.y += q->curvature == 0.0 ? s * q->sine : (q->cosine - cos(course)) / q->curvature;
            end.z += s * q->z[1];
            c->length += s;
        }
    }
    const double *b = p[0] + 3 * (c->legs % c->n);
    double course = headings[c->legs % c->n];
    c->piece[c->pieces] =
        (struct piece){c->length, 0.0, {b[0]}, {b[1]}, {b[2]}, course, sin(course), cos(course), 0.0};
}

const Plain plain_curved_path = {sizeof(struct path), prepare_curved, outputs, derivatives, update, 0};
const Plain plain_dubins_path = {sizeof(struct path), prepare_dubins, outputs, derivatives, update, 0};
