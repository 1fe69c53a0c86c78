/* The benchmark model of model.py as an engineer would write it by hand: one right-hand side, one RK4 loop.
 *
 * model.py states the equations; `end state` there is what this must reproduce. c_loop.py builds and calls it; with
 * a main of its own: cc -O3 -DC_LOOP_MAIN c_loop.c -o c_loop -lm && ./c_loop
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <string.h>
#include <time.h>

#define PI 3.14159265358979323846

enum { X, Y, PSI, U, V, R, Z, W, STATES, RECORDED = Z }; /* Z, W: integrals of the heading and the speed error */

static const double m11 = 9.75, m22 = 10.364, m33 = 1.158;
static const double d11 = 16.296, d22 = 10.193, d33 = 4.63;
static const double chi = PI / 6.0, lookahead = 4.0, desired_speed = 1.0;
static const double force_limit = 23.0, moment_limit = 1.84;
static const double start[STATES] = {0.0, 10.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0};

static inline double wrap(double angle)
{
    return angle - 2.0 * PI * floor((angle + PI) / (2.0 * PI));
}

static inline double limit(double value, double bound)
{
    return value > bound ? bound : value < -bound ? -bound : value;
}

static inline void rhs(const double s[STATES], double ds[STATES])
{
    const double psi = s[PSI], u = s[U], v = s[V], r = s[R];

    const double cross_track = -s[X] * sin(chi) + s[Y] * cos(chi);
    const double desired_heading = chi - atan2(cross_track, lookahead);

    const double heading_error = wrap(desired_heading - psi);
    const double moment = limit(4.0 * heading_error + 0.2 * s[Z] - 1.0 * r, moment_limit);

    const double speed_error = desired_speed - u;
    const double force = limit(40.0 * speed_error + 20.0 * s[W], force_limit);

    const double c = cos(psi), sn = sin(psi);
    ds[X] = u * c - v * sn;
    ds[Y] = u * sn + v * c;
    ds[PSI] = r;
    ds[U] = (force + m22 * v * r - d11 * u) / m11;
    ds[V] = (-m11 * u * r - d22 * v) / m22;
    ds[R] = (moment + (m11 - m22) * u * v - d33 * r) / m33;
    ds[Z] = heading_error;
    ds[W] = speed_error;
}

static inline void rk4(double s[STATES], double h)
{
    double k1[STATES], k2[STATES], k3[STATES], k4[STATES], p[STATES];
    int i;

    rhs(s, k1);
    for (i = 0; i < STATES; i++)
        p[i] = s[i] + 0.5 * h * k1[i];
    rhs(p, k2);
    for (i = 0; i < STATES; i++)
        p[i] = s[i] + 0.5 * h * k2[i];
    rhs(p, k3);
    for (i = 0; i < STATES; i++)
        p[i] = s[i] + h * k3[i];
    rhs(p, k4);
    for (i = 0; i < STATES; i++)
        s[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
}

/* Take `steps` steps of `h` seconds and fill `record`, (steps + 1) rows of x y psi u v r beginning with the start.
 * Returns the wall time in seconds. */
double run(double h, long steps, double *record)
{
    struct timespec from, to;
    double s[STATES];
    long n;

    clock_gettime(CLOCK_MONOTONIC, &from);
    memcpy(s, start, sizeof s);
    memcpy(record, s, RECORDED * sizeof *s);
    for (n = 1; n <= steps; n++) {
        rk4(s, h);
        memcpy(record + n * RECORDED, s, RECORDED * sizeof *s);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

#ifdef C_LOOP_MAIN
#include <stdio.h>

enum { MAIN_STEPS = 15000 };

int main(void)
{
    static double record[(MAIN_STEPS + 1) * RECORDED];
    const double *end = record + MAIN_STEPS * RECORDED;
    double seconds = run(0.02, MAIN_STEPS, record);

    seconds = run(0.02, MAIN_STEPS, record); /* again, warm */
    printf("x %.12f  y %.12f  psi %.15f  u %.12f  v %.2e  r %.2e\n", end[X], end[Y], end[PSI], end[U], end[V], end[R]);
    printf("%.4f us per RK4 step\n", 1e6 * seconds / MAIN_STEPS);
    return 0;
}
#endif
