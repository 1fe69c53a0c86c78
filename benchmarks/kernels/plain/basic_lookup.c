/* Lookup tables, with the interval found by bisection. */
#include "plain.h"
#include "table.h"

struct table {
    int n, rows, columns, clip;
    const double *first, *second, *values;
};

static double within(double value, double lower, double upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

/* Parameters: breakpoints, table, extrapolation; sizes: n, m. */
static void prepare_1d(const double *const *p, const int *n, void *constants)
{
    struct table *c = constants;
    *c = (struct table){n[0], n[1], 1, *p[2] == 0.0, p[0], 0, p[1]};
}

static void outputs_1d(const Block *b, double t)
{
    const struct table *c = b->constants;
    const double *x = c->first, *f = c->values;
    for (int i = 0; i < c->n; i++) {
        double u = b->u[0][i];
        if (c->clip)
            u = within(u, x[0], x[c->rows - 1]);
        int k = table_interval(x, c->rows, u);
        b->y[0][i] = f[k] + (f[k + 1] - f[k]) * (u - x[k]) / (x[k + 1] - x[k]);
    }
}

const Plain plain_lookup_table_1d = {sizeof(struct table), prepare_1d, outputs_1d, 0, 0, 0};

/* Parameters: rows, columns, table, extrapolation; sizes: n, m, k. */
static void prepare_2d(const double *const *p, const int *n, void *constants)
{
    struct table *c = constants;
    *c = (struct table){n[0], n[1], n[2], *p[3] == 0.0, p[0], p[1], p[2]};
}

static void outputs_2d(const Block *b, double t)
{
    const struct table *c = b->constants;
    for (int i = 0; i < c->n; i++) {
        double u1 = b->u[0][i], u2 = b->u[1][i];
        if (c->clip) {
            u1 = within(u1, c->first[0], c->first[c->rows - 1]);
            u2 = within(u2, c->second[0], c->second[c->columns - 1]);
        }
        int j = table_interval(c->first, c->rows, u1), k = table_interval(c->second, c->columns, u2);
        double down = (u1 - c->first[j]) / (c->first[j + 1] - c->first[j]);
        double across = (u2 - c->second[k]) / (c->second[k + 1] - c->second[k]);
        const double *upper = c->values + j * c->columns + k, *lower = upper + c->columns;
        b->y[0][i] = (1.0 - down) * ((1.0 - across) * upper[0] + across * upper[1])
                     + down * ((1.0 - across) * lower[0] + across * lower[1]);
    }
}

const Plain plain_lookup_table_2d = {sizeof(struct table), prepare_2d, outputs_2d, 0, 0, 0};
