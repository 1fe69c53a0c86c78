/* The weighted pseudo-inverse of a wrench matrix, worked out once. */
#ifndef PSEUDO_INVERSE_H
#define PSEUDO_INVERSE_H

#include <math.h>

enum { MOST_COLUMNS = 48 };

/* out = W^-1 T' (T W^-1 T')^+, n rows, for T of 6 x n row by row and W = diag(weights), or one where these are 0.
 *
 * Rows of B = T W^-1/2 are made orthogonal by rotations (Hestenes' method): U' B = S V', so B^+ = V S^-2 (S U'). */
static inline void pseudo_inverse(const double *T, const double *weights, int n, double out[][6])
{
    double B[6][MOST_COLUMNS], U[6][6], square[6], largest = 0.0;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < n; k++)
            B[i][k] = T[i * n + k] / (weights ? sqrt(weights[k]) : 1.0);
        for (int j = 0; j < 6; j++)
            U[i][j] = i == j;
    }
    for (int sweep = 0; sweep < 30; sweep++)
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 6; j++) {
                double a = 0.0, b = 0.0, ab = 0.0;
                for (int k = 0; k < n; k++) {
                    a += B[i][k] * B[i][k];
                    b += B[j][k] * B[j][k];
                    ab += B[i][k] * B[j][k];
                }
                if (fabs(ab) <= 1e-17 * sqrt(a * b))
                    continue;
                double angle = 0.5 * atan2(2.0 * ab, a - b), s = sin(angle), c = cos(angle);
                for (int k = 0; k < n; k++) {
                    double x = B[i][k], y = B[j][k];
                    B[i][k] = c * x + s * y;
                    B[j][k] = c * y - s * x;
                }
                for (int k = 0; k < 6; k++) {
                    double x = U[i][k], y = U[j][k];
                    U[i][k] = c * x + s * y;
                    U[j][k] = c * y - s * x;
                }
            }
    for (int i = 0; i < 6; i++) {
        square[i] = 0.0;
        for (int k = 0; k < n; k++)
            square[i] += B[i][k] * B[i][k];
        largest = fmax(largest, square[i]);
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < 6; j++) {
            out[k][j] = 0.0;
            for (int i = 0; i < 6; i++)
                if (square[i] > 1e-12 * largest)
                    out[k][j] += B[i][k] * U[i][j] / square[i];
            out[k][j] /= weights ? sqrt(weights[k]) : 1.0;
        }
}

#endif
