/* The drag of a hull across the flow as a block. */
#include "cross_flow.h"
#include "plain.h"

struct hull {
    int n;
    double length, middle, density;
    const double *draught, *sway, *breadth, *heave;
};

/* Parameters: length, draught, sway_coefficient, breadth, heave_coefficient, middle, density. */
static void hull_prepare(const double *const *p, const int *n, void *constants)
{
    struct hull *c = constants;
    *c = (struct hull){n[0], *p[0], *p[5], *p[6], p[1], p[2], p[3], p[4]};
}

static void hull_outputs(const Block *b, double t)
{
    const struct hull *c = b->constants;
    const double *nu = b->u[0];
    double *y = b->y[0], Y, N, Z, M;
    cross_flow(c->n, c->length, c->middle, c->density, c->sway, c->draught, nu[1], nu[5], &Y, &N);
    cross_flow(c->n, c->length, c->middle, c->density, c->heave, c->breadth, nu[2], -nu[4], &Z, &M);
    y[0] = y[3] = 0.0;
    y[1] = -Y;
    y[2] = -Z;
    y[4] = M;
    y[5] = -N;
}

const Plain plain_cross_flow_drag = {sizeof(struct hull), hull_prepare, hull_outputs, 0, 0, 0};
