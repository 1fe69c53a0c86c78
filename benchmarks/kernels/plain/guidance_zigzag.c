/* The helm of a zigzag test. */
#include <math.h>

#include "plain.h"

static const double pi = 3.14159265358979323846;

struct zigzag {
    double rudder, change, start, first_side;
    int executes;
};

/* The discrete states. */
struct course {
    double execute, execute_time, finished, approach, last_heading, turns;
};

static double side(const struct zigzag *c, const struct course *z)
{
    int k = (int)z->execute;
    if (k == 0 || z->finished != 0.0)
        return 0.0;
    return k % 2 == 1 ? c->first_side : -c->first_side;
}

static void outputs(const Block *b, double t)
{
    const struct zigzag *c = b->constants;
    const struct course *z = (const struct course *)b->z;
    b->y[0][0] = side(c, z) * c->rudder;
    b->y[1][0] = z->execute;
    b->y[2][0] = z->finished;
}

static void update(const Block *b, double t)
{
    const struct zigzag *c = b->constants;
    struct course *z = (struct course *)b->z;
    double psi = b->u[0][5];
    if (z->execute == 0.0 && t >= c->start) {
        z->execute = 1.0;
        z->execute_time = t;
    }
    if (z->execute == 0.0 || (z->execute == 1.0 && t == z->execute_time)) {
        z->approach = psi;
        z->turns = 0.0;
        z->last_heading = psi;
        return;
    }
    z->turns += round((z->last_heading - psi) / (2.0 * pi));   /* whole turns that the wrapped heading leaves out */
    z->last_heading = psi;
    if (z->finished != 0.0)
        return;
    double turned = side(c, z) * (psi + 2.0 * pi * z->turns - z->approach);
    if (z->execute >= c->executes)
        z->finished = turned >= 0.0;
    else if (turned >= c->change) {
        z->execute += 1.0;
        z->execute_time = t;
    }
}

/* Parameters: rudder_angle, heading_change, start_time, first_side, executes. */
static void prepare(const double *const *p, const int *n, void *constants)
{
    struct zigzag *c = constants;
    *c = (struct zigzag){*p[0], *p[1], *p[2], *p[3] == 0.0 ? 1.0 : -1.0, (int)*p[4]};
}

const Plain plain_zigzag_steering = {sizeof(struct zigzag), prepare, outputs, 0, update, 0};
