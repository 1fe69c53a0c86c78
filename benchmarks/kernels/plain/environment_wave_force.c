/* First-order load of waves and slow drift, from tables over frequency and heading. */
#include <math.h>

#include "plain.h"
#include "sea.h"
#include "table.h"

enum { MOST_NODES = 1000, MOST_HEADINGS = 100 };

struct node {
    double re[6], im[6];        /* transfer functions */
    double s[3];                /* signed roots of the drift in surge, sway and yaw */
};

struct response {
    int n, rows, columns, symmetric, drifts;
    const double *frequencies;
    double headings[MOST_HEADINGS + 1];
    struct node nodes[MOST_NODES];      /* a row per frequency, a column per heading */
};

/* Where surge, sway and yaw stand among six, and what changes sides with the waves in a table of half a turn */
static const int SLOW[3] = {0, 1, 5};
static const int LATERAL[6] = {0, 1, 0, 1, 0, 1};

static double part_of(const double *points, int k, double value)
{
    return fmin(fmax((value - points[k]) / (points[k + 1] - points[k]), 0.0), 1.0);
}

static void response_outputs(const Block *b, double t)
{
    const struct response *c = b->constants;
    const double *w = b->u[0], *eta = b->u[1];
    int n = c->n;
    double tau[6] = {0.0}, drift[6] = {0.0};
    double with_sign[3][2] = {{0.0}}, without[3][2] = {{0.0}};  /* sums of a s e^(i theta) and of a |s| e^(i theta) */
    for (int i = 0; i < n; i++) {
        double omega = w[OMEGA * n + i], north = w[NORTH * n + i], east = w[EAST * n + i], a = w[AMPLITUDE * n + i];
        double theta = north * eta[0] + east * eta[1] - omega * t + w[PHASE * n + i];
        double a_cos = a * cos(theta), a_sin = a * sin(theta);
        double heading = atan2(east, north) - eta[5], side = 1.0;
        if (c->symmetric) {
            heading = remainder(heading, 2.0 * PI);
            side = heading < 0.0 ? -1.0 : 1.0;
            heading = fabs(heading);
        } else {
            heading -= 2.0 * PI * floor((heading - c->headings[0]) / (2.0 * PI));
        }
        int row = table_interval(c->frequencies, c->rows, omega);
        int column = table_interval(c->headings, c->columns, heading);
        double down = part_of(c->frequencies, row, omega), across = part_of(c->headings, column, heading);
        double weight[4] = {(1.0 - down) * (1.0 - across), (1.0 - down) * across, down * (1.0 - across), down * across};
        const struct node *first = c->nodes + row * c->columns + column;
        const struct node *corner[4] = {first, first + 1, first + c->columns, first + c->columns + 1};
        if (omega <= c->frequencies[c->rows - 1])
            for (int d = 0; d < 6; d++) {
                double re = 0.0, im = 0.0;
                for (int j = 0; j < 4; j++) {
                    re += weight[j] * corner[j]->re[d];
                    im += weight[j] * corner[j]->im[d];
                }
                double load = a_cos * re - a_sin * im;
                tau[d] += LATERAL[d] ? side * load : load;
            }
        if (c->drifts && omega >= c->frequencies[0])
            for (int d = 0; d < 3; d++) {
                double s = 0.0;
                for (int j = 0; j < 4; j++)
                    s += weight[j] * corner[j]->s[d];
                if (LATERAL[SLOW[d]])
                    s *= side;
                with_sign[d][0] += s * a_cos;
                with_sign[d][1] += s * a_sin;
                without[d][0] += fabs(s) * a_cos;
                without[d][1] += fabs(s) * a_sin;
            }
    }
    for (int d = 0; d < 3; d++)
        drift[SLOW[d]] = with_sign[d][0] * without[d][0] + with_sign[d][1] * without[d][1];
    for (int d = 0; d < 6; d++) {
        b->y[0][d] = tau[d] + drift[d];
        b->y[1][d] = drift[d];
    }
}

/* Parameters: frequencies, headings, amplitude, phase, mean_drift; sizes: waves, frequencies, headings. Headings of a
 * whole turn get the first one once more at the end, if they do not have it. */
static void response_prepare(const double *const *p, const int *n, void *constants)
{
    struct response *c = constants;
    int given = n[2];
    c->n = n[0];
    c->rows = n[1];
    c->frequencies = p[0];
    c->symmetric = fabs(p[1][0]) < 1e-6 && fabs(p[1][given - 1] - PI) < 1e-6;
    int closed = c->symmetric || p[1][given - 1] - p[1][0] > 2.0 * PI - 1e-6;
    c->columns = closed ? given : given + 1;
    c->drifts = 0;
    for (int j = 0; j < c->columns; j++)
        c->headings[j] = j < given ? p[1][j] : p[1][0] + 2.0 * PI;
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->columns; j++) {
            struct node *node = &c->nodes[i * c->columns + j];
            int central = c->symmetric && (j == 0 || j == given - 1);
            for (int d = 0; d < 6; d++) {
                int at = (d * c->rows + i) * given + j % given;
                double size = central && LATERAL[d] ? 0.0 : p[2][at];
                node->re[d] = size * cos(p[3][at]);
                node->im[d] = size * sin(p[3][at]);
            }
            for (int d = 0; d < 3; d++) {
                double D = central && LATERAL[SLOW[d]] ? 0.0 : p[4][(d * c->rows + i) * given + j % given];
                node->s[d] = copysign(sqrt(fabs(D)), D);
                c->drifts |= D != 0.0;
            }
        }
}

const Plain plain_wave_force_rao = {sizeof(struct response), response_prepare, response_outputs, 0, 0, 0};
