/* The words of a Dubins path. */
#ifndef DUBINS_H
#define DUBINS_H

#include <math.h>

static const double pi = 3.14159265358979323846;

static double arc(double angle)
{
    angle = fmod(angle, 2.0 * pi);
    if (angle < 0.0)
        angle += 2.0 * pi;
    return angle > 2.0 * pi - 1e-9 ? 0.0 : angle;
}

/* A word of a Dubins path in the frame whose x axis leads from begin to end, at distance d in radii: the lengths of its
 * three parts; what turns with y is "left". Returns 0 if there is none. Formulas of Shkel and Lumelsky (2001). */
static int word(int number, double d, double alpha, double beta, double *t, double *p, double *q)
{
    double sa = sin(alpha), sb = sin(beta), ca = cos(alpha), cb = cos(beta), cab = cos(alpha - beta), square, angle;
    switch (number) {
    case 0: /* left, straight, left */
        square = 2.0 + d * d - 2.0 * cab + 2.0 * d * (sa - sb);
        angle = atan2(cb - ca, d + sa - sb);
        *t = arc(angle - alpha);
        *p = sqrt(fmax(square, 0.0));
        *q = arc(beta - angle);
        return 1;
    case 1: /* right, straight, right */
        square = 2.0 + d * d - 2.0 * cab + 2.0 * d * (sb - sa);
        angle = atan2(ca - cb, d - sa + sb);
        *t = arc(alpha - angle);
        *p = sqrt(fmax(square, 0.0));
        *q = arc(angle - beta);
        return 1;
    case 2: /* left, straight, right */
        square = -2.0 + d * d + 2.0 * cab + 2.0 * d * (sa + sb);
        if (square < 0.0)
            return 0;
        *p = sqrt(square);
        angle = atan2(-ca - cb, d + sa + sb) - atan2(-2.0, *p);
        *t = arc(angle - alpha);
        *q = arc(angle - beta);
        return 1;
    case 3: /* right, straight, left */
        square = d * d - 2.0 + 2.0 * cab - 2.0 * d * (sa + sb);
        if (square < 0.0)
            return 0;
        *p = sqrt(square);
        angle = atan2(ca + cb, d - sa - sb) - atan2(2.0, *p);
        *t = arc(alpha - angle);
        *q = arc(beta - angle);
        return 1;
    case 4: /* right, left, right */
        square = (6.0 - d * d + 2.0 * cab + 2.0 * d * (sa - sb)) / 8.0;
        if (fabs(square) > 1.0)
            return 0;
        *p = arc(2.0 * pi - acos(square));
        *t = arc(alpha - atan2(ca - cb, d - sa + sb) + *p / 2.0);
        *q = arc(alpha - beta - *t + *p);
        return 1;
    default: /* left, right, left */
        square = (6.0 - d * d + 2.0 * cab + 2.0 * d * (sb - sa)) / 8.0;
        if (fabs(square) > 1.0)
            return 0;
        *p = arc(2.0 * pi - acos(square));
        *t = arc(-alpha + atan2(cb - ca, d + sa - sb) + *p / 2.0);
        *q = arc(beta - alpha - *t + *p);
        return 1;
    }
}

#endif
