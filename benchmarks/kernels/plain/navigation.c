/* Places on the Earth, and in a plane tangent to it. */
#include <math.h>

#include "navigation_plane.h"
#include "plain.h"

static void prepare(const double *const *p, const int *n, void *constants)
{
    plane_prepare(p, constants);
}

static void geodetic_outputs(const Block *b, double t)
{
    double geodetic[3];
    plane_geodetic(b->constants, b->u[0], geodetic);
    for (int i = 0; i < 3; i++)
        b->y[i][0] = geodetic[i];
}

const Plain plain_geodetic_position = {sizeof(struct plane), prepare, geodetic_outputs, 0, 0, 0};

/* To the plane, in differences as well: p cos lambda - axis = (p - axis) - p (1 - cos lambda). */
static void local_outputs(const Block *b, double t)
{
    const struct plane *o = b->constants;
    double h = b->u[2][0], rise = h - o->height, half = 0.5 * (b->u[1][0] - o->longitude), east = sin(half);
    struct parallel at = parallel_at(o, b->u[0][0] - o->latitude);
    double p = (at.N + h) * at.c;
    double dx = (at.dN + rise) * at.c + (o->N + o->height) * at.dc - 2.0 * p * east * east;
    double dz = (at.dN * (1.0 - o->e2) + rise) * at.s + (o->N * (1.0 - o->e2) + o->height) * at.ds;
    b->y[0][0] = dz * o->cp - dx * o->sp;
    b->y[0][1] = 2.0 * p * east * cos(half);
    b->y[0][2] = -(dx * o->cp + dz * o->sp);
}

const Plain plain_local_position = {sizeof(struct plane), prepare, local_outputs, 0, 0, 0};
