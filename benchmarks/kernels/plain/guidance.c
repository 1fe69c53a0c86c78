/* Line-of-sight guidance to one line. */
#include <math.h>

#include "plain.h"

/* Parameters: course, lookahead, origin. */

struct line {
    double course, sine, cosine, lookahead, x, y;
};

static void line_outputs(const Block *b, double t)
{
    const struct line *c = b->constants;
    const double *eta = b->u[0];
    double error = (eta[1] - c->y) * c->cosine - (eta[0] - c->x) * c->sine;
    b->y[0][0] = c->course - atan(error / c->lookahead);
    b->y[1][0] = error;
}

static void line_prepare(const double *const *p, const int *n, void *constants)
{
    struct line *c = constants;
    *c = (struct line){*p[0], sin(*p[0]), cos(*p[0]), *p[1], p[2][0], p[2][1]};
}

const Plain plain_course_line = {sizeof(struct line), line_prepare, line_outputs, 0, 0, 0};
