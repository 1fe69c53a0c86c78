/* Drag across the flow by strips: Simpson's rule, which is exact for cubics, on either side of where the flow turns. */
#ifndef CROSS_FLOW_H
#define CROSS_FLOW_H

#include <math.h>

static inline void simpson(double a, double b, double speed, double rate, double factor, double *force, double *moment)
{
    double m = 0.5 * (a + b), h = (b - a) / 6.0 * factor;
    double sa = speed + rate * a, sm = speed + rate * m, sb = speed + rate * b;
    double fa = fabs(sa) * sa, fm = 4.0 * fabs(sm) * sm, fb = fabs(sb) * sb;
    *force += h * (fa + fm + fb);
    *moment += h * (a * fa + m * fm + b * fb);
}

/* rho/2 times the integrals of C width |s| s and x C width |s| s with s = speed + rate x, over n strips. */
static inline void cross_flow(int n, double length, double middle, double density, const double *C, const double *width,
                              double speed, double rate, double *force, double *moment)
{
    double h = length / n, a = middle - 0.5 * length, still = rate != 0.0 ? -speed / rate : a - 1.0;
    *force = *moment = 0.0;
    for (int i = 0; i < n; i++, a += h) {
        double b = a + h, factor = 0.5 * density * C[i] * width[i];
        if (a < still && still < b) {
            simpson(a, still, speed, rate, factor, force, moment);
            simpson(still, b, speed, rate, factor, force, moment);
        } else {
            simpson(a, b, speed, rate, factor, force, moment);
        }
    }
}

#endif
