/* Currents and winds on a grid: linear in time, depth, north and east. */
#include <stddef.h>

#include "plain.h"
#include "table.h"

struct grid {
    const double *times, *depths, *x, *y, *north, *east, *fill;
    int nt, nz, nx, ny;
};

/* Weight of the second of two neighbours, of which `*k` becomes the first: those that the value lies between */
static double weight(const double *points, int count, double value, int *k)
{
    *k = 0;
    if (count == 1 || value <= points[0])
        return 0.0;
    *k = table_interval(points, count, value);
    if (value >= points[count - 1])
        return 1.0;
    return (value - points[*k]) / (points[*k + 1] - points[*k]);
}

static void field_outputs(const Block *b, double t)
{
    const struct grid *c = b->constants;
    const double *eta = b->u[0];
    double *y = b->y[0];
    y[2] = 0.0;
    if (eta[0] < c->x[0] || eta[0] > c->x[c->nx - 1] || eta[1] < c->y[0] || eta[1] > c->y[c->ny - 1]) {
        y[0] = c->fill[0];
        y[1] = c->fill[1];
        return;
    }
    int i, j, k, m;
    double now = weight(c->times, c->nt, t, &i), down = weight(c->depths, c->nz, eta[2], &j);
    double along = weight(c->x, c->nx, eta[0], &k), across = weight(c->y, c->ny, eta[1], &m);
    double share[4] = {(1.0 - along) * (1.0 - across), (1.0 - along) * across, along * (1.0 - across), along * across};
    y[0] = y[1] = 0.0;
    for (int later = 0; later < (c->nt > 1 ? 2 : 1); later++)
        for (int deeper = 0; deeper < (c->nz > 1 ? 2 : 1); deeper++) {
            double part = (later ? now : 1.0 - now) * (deeper ? down : 1.0 - down);
            size_t at = (((size_t)(i + later) * c->nz + j + deeper) * c->nx + k) * c->ny + m;
            const double *n = c->north + at, *e = c->east + at;
            y[0] += part * (share[0] * n[0] + share[1] * n[1] + share[2] * n[c->ny] + share[3] * n[c->ny + 1]);
            y[1] += part * (share[0] * e[0] + share[1] * e[1] + share[2] * e[c->ny] + share[3] * e[c->ny + 1]);
        }
}

/* Parameters: x, y, times, north, east, outside, fill, time_outside, depths. */
static void current_prepare(const double *const *p, const int *n, void *constants)
{
    struct grid *c = constants;
    *c = (struct grid){p[2], p[8], p[0], p[1], p[3], p[4], p[6], n[0], n[1], n[2], n[3]};
}

static const double surface = 0.0;

/* Parameters: x, y, times, north, east, outside, fill, time_outside. */
static void wind_prepare(const double *const *p, const int *n, void *constants)
{
    struct grid *c = constants;
    *c = (struct grid){p[2], &surface, p[0], p[1], p[3], p[4], p[6], n[0], 1, n[1], n[2]};
}

const Plain plain_current_field = {sizeof(struct grid), current_prepare, field_outputs, 0, 0, 0};
const Plain plain_wind_field = {sizeof(struct grid), wind_prepare, field_outputs, 0, 0, 0};
