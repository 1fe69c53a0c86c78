/* Signals that depend on time alone. */
#include <math.h>

#include "plain.h"

struct source {
    int n, hold, rows;
    double time, period, width;
    const double *first, *second, *third, *fourth;
};

/* constant: parameters: value */

static void constant_prepare(const double *const *p, const int *n, void *constants)
{
    struct source *c = constants;
    c->n = n[0];
    c->first = p[0];
}

static void constant_outputs(const Block *b, double t)
{
    const struct source *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = c->first[i];
}

const Plain plain_constant = {sizeof(struct source), constant_prepare, constant_outputs, 0, 0, 0};

static void clock_outputs(const Block *b, double t)
{
    b->y[0][0] = t;
}

const Plain plain_clock = {0, 0, clock_outputs, 0, 0, 0};

/* step: parameters: time, before, after; z: whether the time has come */

static void step_prepare(const double *const *p, const int *n, void *constants)
{
    struct source *c = constants;
    c->n = n[0];
    c->time = *p[0];
    c->first = p[1];
    c->second = p[2];
}

static void step_outputs(const Block *b, double t)
{
    const struct source *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = b->z[0] != 0.0 ? c->second[i] : c->first[i];
}

/* Instants that differ by rounding are one. */
static int reached(double t, double time)
{
    return t >= time - 1e-14 * fabs(time);
}

static void step_update(const Block *b, double t)
{
    const struct source *c = b->constants;
    b->z[0] = reached(t, c->time);
}

const Plain plain_step = {sizeof(struct source), step_prepare, step_outputs, 0, step_update, 0};

/* ramp: parameters: slope, start_time, offset */

static void ramp_prepare(const double *const *p, const int *n, void *constants)
{
    struct source *c = constants;
    c->n = n[0];
    c->first = p[0];
    c->time = *p[1];
    c->second = p[2];
}

static void ramp_outputs(const Block *b, double t)
{
    const struct source *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = t > c->time ? c->second[i] + c->first[i] * (t - c->time) : c->second[i];
}

const Plain plain_ramp = {sizeof(struct source), ramp_prepare, ramp_outputs, 0, 0, 0};

/* sine: parameters: amplitude, frequency, phase, offset */

static void sine_prepare(const double *const *p, const int *n, void *constants)
{
    struct source *c = constants;
    c->n = n[0];
    c->first = p[0];
    c->second = p[1];
    c->third = p[2];
    c->fourth = p[3];
}

static void sine_outputs(const Block *b, double t)
{
    const struct source *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = c->fourth[i] + c->first[i] * sin(c->second[i] * t + c->third[i]);
}

const Plain plain_sine = {sizeof(struct source), sine_prepare, sine_outputs, 0, 0, 0};

/* pulse: parameters: amplitude, period, width, delay; z: how many edges have passed */

static void pulse_prepare(const double *const *p, const int *n, void *constants)
{
    struct source *c = constants;
    c->n = n[0];
    c->first = p[0];
    c->period = *p[1];
    c->width = *p[2];
    c->time = *p[3];
}

static void pulse_outputs(const Block *b, double t)
{
    const struct source *c = b->constants;
    int on = fmod(b->z[0], 2.0) == 1.0;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = on ? c->first[i] : 0.0;
}

static void pulse_update(const Block *b, double t)
{
    const struct source *c = b->constants;
    double cycle = floor((t - c->time) / c->period + 1e-12);
    if (cycle < 0.0)
        b->z[0] = 0.0;
    else
        b->z[0] = 2.0 * cycle + (reached(t, c->time + (cycle + c->width) * c->period) ? 2.0 : 1.0);
}

const Plain plain_pulse = {sizeof(struct source), pulse_prepare, pulse_outputs, 0, pulse_update, 0};

/* time_series: parameters: times, data, interpolation; sizes: n, rows; z: the last row that is reached, or -1 */

static void series_prepare(const double *const *p, const int *n, void *constants)
{
    struct source *c = constants;
    c->n = n[0];
    c->rows = n[1];
    c->first = p[0];
    c->second = p[1];
    c->hold = *p[2] != 0.0;
}

static void series_outputs(const Block *b, double t)
{
    const struct source *c = b->constants;
    const double *times = c->first, *row;
    int k = (int)b->z[0];
    double part = 0.0;
    while (!c->hold && k + 1 < c->rows && t >= times[k + 1])   /* within a step of a solver */
        k++;
    row = c->second + (k < 0 ? 0 : k) * c->n;
    if (!c->hold && k >= 0 && k + 1 < c->rows)
        part = (t - times[k]) / (times[k + 1] - times[k]);
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = part > 0.0 ? row[i] + part * (row[c->n + i] - row[i]) : row[i];
}

static void series_update(const Block *b, double t)
{
    const struct source *c = b->constants;
    int low = -1, high = c->rows;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (reached(t, c->first[middle]))
            low = middle;
        else
            high = middle;
    }
    b->z[0] = low;
}

const Plain plain_time_series = {sizeof(struct source), series_prepare, series_outputs, 0, series_update, 0};
