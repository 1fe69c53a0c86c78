/* SMARTY in an irregular sea, as one would write it by hand: five cosines and an exponential for each component. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    double length, breadth, area[3], depth, density, gravity;
    double mass[6], linear[6], quadratic[6], stiffness[6];    /* diagonals */
    double force[6];
} vehicle;

/* waves: omega, north, east, number, amplitude, phase, bottom; n of each. Deep water. */
static void load(const vehicle *v, const double *waves, int n, double t, const double *eta, double *tau)
{
    const double *omega = waves, *north = waves + n, *east = waves + 2 * n, *number = waves + 3 * n;
    const double *amplitude = waves + 4 * n, *phase = waves + 5 * n;
    double cphi = cos(eta[3]), sphi = sin(eta[3]), ctheta = cos(eta[4]), stheta = sin(eta[4]);
    double cpsi = cos(eta[5]), spsi = sin(eta[5]);
    double ahead[2] = {0.25 * v->length * cpsi * ctheta, 0.25 * v->length * spsi * ctheta};
    double side[2] = {0.25 * v->breadth * (cpsi * stheta * sphi - spsi * cphi),
                      0.25 * v->breadth * (spsi * stheta * sphi + cpsi * cphi)};
    double z = eta[2] + v->depth > 0.0 ? eta[2] + v->depth : 0.0;
    double fore = 0.0, aft = 0.0, starboard = 0.0, port = 0.0, centre = 0.0;
    for (int i = 0; i < n; i++) {
        double p = v->density * v->gravity * amplitude[i] * exp(-number[i] * z);
        double time = omega[i] * t - phase[i];
        fore += p * cos(north[i] * (eta[0] + ahead[0]) + east[i] * (eta[1] + ahead[1]) - time);
        aft += p * cos(north[i] * (eta[0] - ahead[0]) + east[i] * (eta[1] - ahead[1]) - time);
        starboard += p * cos(north[i] * (eta[0] + side[0]) + east[i] * (eta[1] + side[1]) - time);
        port += p * cos(north[i] * (eta[0] - side[0]) + east[i] * (eta[1] - side[1]) - time);
        centre += p * cos(north[i] * eta[0] + east[i] * eta[1] - time);
    }
    tau[0] = -(fore - aft) * v->area[0];
    tau[1] = -(starboard - port) * v->area[1];
    tau[2] = -centre * v->area[2];
    tau[3] = -(starboard - port) * v->area[2] / 2 * v->breadth / 4;
    tau[4] = (fore - aft) * v->area[2] / 2 * v->length / 4;
    tau[5] = (fore - aft) * v->area[1] / 2 * v->length / 4;
}

static void derivative(const vehicle *v, const double *waves, int n, double t, const double *x, double *dx)
{
    const double *eta = x, *nu = x + 6;
    double tau[6];
    load(v, waves, n, t, eta, tau);
    double cphi = cos(eta[3]), sphi = sin(eta[3]), ctheta = cos(eta[4]), stheta = sin(eta[4]);
    double cpsi = cos(eta[5]), spsi = sin(eta[5]);
    dx[0] = cpsi * ctheta * nu[0] + (cpsi * stheta * sphi - spsi * cphi) * nu[1]
            + (cpsi * stheta * cphi + spsi * sphi) * nu[2];
    dx[1] = spsi * ctheta * nu[0] + (spsi * stheta * sphi + cpsi * cphi) * nu[1]
            + (spsi * stheta * cphi - cpsi * sphi) * nu[2];
    dx[2] = -stheta * nu[0] + ctheta * sphi * nu[1] + ctheta * cphi * nu[2];
    dx[3] = nu[3] + (sphi * nu[4] + cphi * nu[5]) * stheta / ctheta;
    dx[4] = cphi * nu[4] - sphi * nu[5];
    dx[5] = (sphi * nu[4] + cphi * nu[5]) / ctheta;
    for (int i = 0; i < 6; i++)
        dx[6 + i] = (v->force[i] + tau[i] - (v->linear[i] + v->quadratic[i] * fabs(nu[i])) * nu[i]
                     - v->stiffness[i] * eta[i]) / v->mass[i];
}

/* Run `steps` of `h` from `x`, by Euler's method or that of Runge and Kutta; the wall time in s. */
double run(const vehicle *v, const double *waves, int n, double h, long steps, int rk4, double *x)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long k = 0; k < steps; k++) {
        double t = (double)k * h, k1[12], k2[12], k3[12], k4[12], y[12];
        derivative(v, waves, n, t, x, k1);
        if (!rk4) {
            for (int i = 0; i < 12; i++)
                x[i] += h * k1[i];
            continue;
        }
        for (int i = 0; i < 12; i++)
            y[i] = x[i] + h / 2 * k1[i];
        derivative(v, waves, n, t + h / 2, y, k2);
        for (int i = 0; i < 12; i++)
            y[i] = x[i] + h / 2 * k2[i];
        derivative(v, waves, n, t + h / 2, y, k3);
        for (int i = 0; i < 12; i++)
            y[i] = x[i] + h * k3[i];
        derivative(v, waves, n, t + h, y, k4);
        for (int i = 0; i < 12; i++)
            x[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}
