/* What plain C of vessels shares: rotations and products of 6×6 matrices, as one writes them. */
#ifndef DYNAMICS_H
#define DYNAMICS_H

#include <math.h>

static inline void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* R = R_z(psi) R_y(theta) R_x(phi), from body axes to NED */
static inline void rotation_of_euler_angles(const double angles[3], double R[3][3])
{
    double sf = sin(angles[0]), cf = cos(angles[0]);
    double st = sin(angles[1]), ct = cos(angles[1]);
    double sp = sin(angles[2]), cp = cos(angles[2]);
    R[0][0] = cp * ct;
    R[0][1] = cp * st * sf - sp * cf;
    R[0][2] = cp * st * cf + sp * sf;
    R[1][0] = sp * ct;
    R[1][1] = sp * st * sf + cp * cf;
    R[1][2] = sp * st * cf - cp * sf;
    R[2][0] = -st;
    R[2][1] = ct * sf;
    R[2][2] = ct * cf;
}

static inline void multiply(const double A[6][6], const double x[6], double out[6])
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0.0;
        for (int j = 0; j < 6; j++)
            out[i] += A[i][j] * x[j];
    }
}

/* out = R v */
static inline void to_ned(const double R[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[i][0] * v[0] + R[i][1] * v[1] + R[i][2] * v[2];
}

/* out = R' v */
static inline void to_body(const double R[3][3], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[0][i] * v[0] + R[1][i] * v[1] + R[2][i] * v[2];
}

/* (phi_dot, theta_dot, psi_dot) = T omega */
static inline void euler_angle_rates(const double R[3][3], double theta, const double omega[3], double rates[3])
{
    double ct = cos(theta);
    double sf = R[2][1] / ct, cf = R[2][2] / ct;
    double turning = (sf * omega[1] + cf * omega[2]) / ct;
    rates[0] = omega[0] - turning * R[2][0];
    rates[1] = cf * omega[1] - sf * omega[2];
    rates[2] = turning;
}

/* The same direction within [-pi, pi) */
static inline double wrapped(double angle)
{
    const double pi = 3.14159265358979323846;
    return angle - 2.0 * pi * floor((angle + pi) / (2.0 * pi));
}

/* Solve A X = 1 by elimination with pivoting. */
static inline void invert6(const double A[6][6], double X[6][6])
{
    double m[6][12];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 12; j++)
            m[i][j] = j < 6 ? A[i][j] : j - 6 == i;
    for (int k = 0; k < 6; k++) {
        int pivot = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k]))
                pivot = i;
        for (int j = 0; j < 12; j++) {
            double kept = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        for (int i = 0; i < 6; i++) {
            double factor = m[i][k] / m[k][k];
            for (int j = 0; j < 12 && i != k; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            X[i][j] = m[i][6 + j] / m[i][i];
}

#endif
