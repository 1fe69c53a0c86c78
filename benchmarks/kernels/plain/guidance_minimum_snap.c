/* The minimum-snap trajectory: all conditions on its polynomials as one linear system. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

enum { MOST_LEGS = 20, COEFFICIENTS = 8 };

/* Polynomials of a leg about the nearer of its ends. */
struct leg {
    double begin, length;
    double from_begin[3][COEFFICIENTS], from_end[3][COEFFICIENTS];
};

struct snap {
    int legs;
    struct leg leg[MOST_LEGS];
};

/* Solve A X = B in place: rows are conditions, the last three columns B. */
static void eliminate(double *a, int n)
{
    int width = n + 3;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * width + k]) > fabs(a[pivot * width + k]))
                pivot = i;
        for (int j = 0; j < width; j++) {
            double swapped = a[k * width + j];
            a[k * width + j] = a[pivot * width + j];
            a[pivot * width + j] = swapped;
        }
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0.0 : a[i * width + k] / a[k * width + k];
            if (factor != 0.0)
                for (int j = k; j < width; j++)
                    a[i * width + j] -= factor * a[k * width + j];
        }
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < 3; j++)
            a[k * width + n + j] /= a[k * width + k];
}

static double binomial(int n, int k)
{
    double found = 1.0;
    for (int i = 0; i < k; i++)
        found = found * (n - i) / (i + 1);
    return found;
}

/* Taylor coefficient k of a leg's polynomial at tau = 0 or 1, in time, as factors of its coefficients on [0, 1] */
static void condition(double *row, int leg, int k, int at_end, double length, double sign)
{
    for (int m = k; m < COEFFICIENTS; m++)
        if (at_end || m == k)
            row[COEFFICIENTS * leg + m] += sign * binomial(m, k) / pow(length, k);
}

/* Parameters: waypoints, timing, times, cruise_speed, cruise_acceleration, start_velocity, end_velocity, start_time. */
static void allot(const double *const *p, int n, double *times)
{
    double distance[MOST_LEGS + 1] = {0.0};
    for (int k = 1; k < n; k++) {
        const double *a = p[0] + 3 * k - 3, *b = a + 3;
        distance[k] = distance[k - 1]
                      + sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) + (b[2] - a[2]) * (b[2] - a[2]));
    }
    double way = distance[n - 1], a = *p[4], U = fmin(*p[3], sqrt(a * way)), T = way / U + U / a;
    for (int k = 0; k < n; k++) {
        double done = distance[k], left = way - done;
        if (done <= U * U / (2.0 * a))
            times[k] = sqrt(2.0 * done / a);
        else if (left <= U * U / (2.0 * a))
            times[k] = T - sqrt(2.0 * left / a);
        else
            times[k] = done / U + U / (2.0 * a);
    }
}

static void prepare(const double *const *p, const int *n, void *constants)
{
    struct snap *c = constants;
    double times[MOST_LEGS + 1];
    c->legs = n[0] - 1;
    if (c->legs > MOST_LEGS)
        abort();
    if (*p[1] == 0.0)
        allot(p, n[0], times);
    else
        memcpy(times, p[2], (size_t)n[0] * sizeof(double));
    for (int k = 0; k < c->legs; k++) {
        c->leg[k].begin = times[k] + *p[7];
        c->leg[k].length = times[k + 1] - times[k];
    }
    int size = COEFFICIENTS * c->legs, width = size + 3, row = 0;
    double *a = calloc((size_t)size * (size_t)width, sizeof(double));
    for (int k = 0; k < c->legs; k++) {
        double h = c->leg[k].length, next = k + 1 < c->legs ? c->leg[k + 1].length : 0.0;
        for (int end = 0; end < 2; end++, row++) {
            condition(a + row * width, k, 0, end, h, 1.0);
            memcpy(a + row * width + size, p[0] + 3 * (k + end), 3 * sizeof(double));
        }
        for (int m = 1; k + 1 < c->legs && m <= 6; m++, row++) {
            condition(a + row * width, k, m, 1, h, pow(h, m));
            condition(a + row * width, k + 1, m, 0, next, -pow(h, m));
        }
    }
    for (int m = 1; m <= 3; m++)
        for (int end = 0; end < 2; end++, row++) {
            int k = end ? c->legs - 1 : 0;
            double h = c->leg[k].length;
            condition(a + row * width, k, m, end, h, pow(h, m));
            for (int j = 0; m == 1 && j < 3; j++)
                a[row * width + size + j] = h * p[5 + end][j];
        }
    eliminate(a, size);
    for (int k = 0; k < c->legs; k++)
        for (int j = 0; j < 3; j++)
            for (int m = 0; m < COEFFICIENTS; m++) {
                struct leg *leg = &c->leg[k];
                leg->from_begin[j][m] = a[(COEFFICIENTS * k + m) * width + size + j] / pow(leg->length, m);
                leg->from_end[j][m] = 0.0;
                for (int i = m; i < COEFFICIENTS; i++)
                    leg->from_end[j][m] +=
                        binomial(i, m) * a[(COEFFICIENTS * k + i) * width + size + j] / pow(leg->length, m);
            }
    free(a);
}

static void outputs(const Block *b, double t)
{
    const struct snap *c = b->constants;
    int k = 0;
    while (k < c->legs - 1 && t >= c->leg[k + 1].begin)
        k++;
    const struct leg *leg = &c->leg[k];
    double since = t - leg->begin, before = since - leg->length, rate = 0.0;
    double p[3], v[3], a[3], j[3];
    int outside = since < 0.0 || before > 0.0, near_end = since > -before;
    for (int i = 0; i < 3; i++) {
        const double *x = near_end ? leg->from_end[i] : leg->from_begin[i];
        double s = near_end ? before : since;
        p[i] = x[0] + s * x[1];
        v[i] = x[1];
        a[i] = j[i] = 0.0;
        if (outside)
            continue;
        p[i] = x[0] + s * (x[1] + s * (x[2] + s * (x[3] + s * (x[4] + s * (x[5] + s * (x[6] + s * x[7]))))));
        v[i] = x[1] + s * (2 * x[2] + s * (3 * x[3] + s * (4 * x[4] + s * (5 * x[5] + s * (6 * x[6] + s * 7 * x[7])))));
        a[i] = 2 * x[2] + s * (6 * x[3] + s * (12 * x[4] + s * (20 * x[5] + s * (30 * x[6] + s * 42 * x[7]))));
        j[i] = 6 * x[3] + s * (24 * x[4] + s * (60 * x[5] + s * (120 * x[6] + s * 210 * x[7])));
    }
    double square = v[0] * v[0] + v[1] * v[1], speed = sqrt(square), along = 0.0, turn = 0.0, course = atan2(v[1], v[0]);
    if (speed > 1e-9) {
        rate = (v[0] * a[1] - v[1] * a[0]) / square;
        along = (v[0] * a[0] + v[1] * a[1]) / speed;
        turn = (v[0] * j[1] - v[1] * j[0]) / square - 2.0 * rate * along / speed;
    } else {    /* at the beginning and the end, where the fourth derivative leads on */
        const double(*x)[COEFFICIENTS] = near_end ? leg->from_end : leg->from_begin;
        double north = x[0][4], east = x[1][4], sign = near_end ? -1.0 : 1.0;
        course = atan2(sign * east, sign * north);
        if (!outside)
            rate = 1.25 * (north * x[1][5] - east * x[0][5]) / (north * north + east * east);
    }
    for (int i = 0; i < 3; i++) {
        b->y[0][i] = p[i];
        b->y[1][i] = v[i];
        b->y[2][i] = a[i];
    }
    b->y[3][0] = course;
    b->y[4][0] = rate;
    b->y[5][0] = speed;
    b->y[6][0] = p[2];
    double pose[6] = {p[0], p[1], p[2], 0.0, 0.0, course};
    double motion[6] = {speed, 0.0, v[2], 0.0, 0.0, rate};
    double change[6] = {along, 0.0, a[2], 0.0, 0.0, turn};
    memcpy(b->y[7], pose, sizeof pose);
    memcpy(b->y[8], motion, sizeof motion);
    memcpy(b->y[9], change, sizeof change);
    b->y[10][0] = fmin(b->z[0] + 1.0, c->legs + 1);
    b->y[11][0] = b->z[0] > c->legs;
}

static void update(const Block *b, double t)
{
    const struct snap *c = b->constants;
    const struct leg *last = &c->leg[c->legs - 1];
    int reached = 0;
    while (reached < c->legs && t >= c->leg[reached].begin)
        reached++;
    b->z[0] = reached + (t >= last->begin + last->length);
}

const Plain plain_minimum_snap_trajectory = {sizeof(struct snap), prepare, outputs, 0, update, 0};
