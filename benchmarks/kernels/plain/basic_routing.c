/* Mux, demux, selector, switch. */
#include "plain.h"

struct parts {
    int count;
    const int *widths;
};

/* mux and demux: sizes: how many parts, then the width of each */

static void parts_prepare(const double *const *p, const int *n, void *constants)
{
    struct parts *c = constants;
    c->count = n[0];
    c->widths = n + 1;
}

static void mux_outputs(const Block *b, double t)
{
    const struct parts *c = b->constants;
    int k = 0;
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < c->widths[i]; j++)
            b->y[0][k++] = b->u[i][j];
}

static void demux_outputs(const Block *b, double t)
{
    const struct parts *c = b->constants;
    int k = 0;
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < c->widths[i]; j++)
            b->y[i][j] = b->u[0][k++];
}

const Plain plain_mux = {sizeof(struct parts), parts_prepare, mux_outputs, 0, 0, 0};
const Plain plain_demux = {sizeof(struct parts), parts_prepare, demux_outputs, 0, 0, 0};

/* selector: parameters: indices; sizes: how many, of how many */

struct selection {
    int count;
    const double *indices;
};

static void selector_prepare(const double *const *p, const int *n, void *constants)
{
    struct selection *c = constants;
    c->count = n[0];
    c->indices = p[0];
}

static void selector_outputs(const Block *b, double t)
{
    const struct selection *c = b->constants;
    for (int i = 0; i < c->count; i++)
        b->y[0][i] = b->u[0][(int)c->indices[i]];
}

const Plain plain_selector = {sizeof(struct selection), selector_prepare, selector_outputs, 0, 0, 0};

/* switch: inputs: u1, control, u2; parameters: threshold, criterion; z: 1 while u1 passes */

struct switching {
    int n, above;
    double threshold;
};

static void switch_prepare(const double *const *p, const int *n, void *constants)
{
    struct switching *c = constants;
    *c = (struct switching){n[0], *p[1] != 0.0, *p[0]};
}

static void switch_outputs(const Block *b, double t)
{
    const struct switching *c = b->constants;
    for (int i = 0; i < c->n; i++)
        b->y[0][i] = b->z[0] != 0.0 ? b->u[0][i] : b->u[2][i];
}

static void switch_update(const Block *b, double t)
{
    const struct switching *c = b->constants;
    double control = b->u[1][0];
    b->z[0] = c->above ? control > c->threshold : control >= c->threshold;
}

const Plain plain_switch = {sizeof(struct switching), switch_prepare, switch_outputs, 0, switch_update, 0};
