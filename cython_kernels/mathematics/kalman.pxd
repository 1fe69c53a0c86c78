"""Kalman filters of few states: one scalar measurement after the other, prediction, and the steady covariance.

x and P are the estimate and its covariance, n and n x n. Measurements whose errors are independent may be processed one
by one, so no matrix is inverted. Angles are the callers' business: they give residuals, which they have wrapped.
Source: Bar-Shalom, Li and Kirubarajan (2001), Estimation with Applications to Tracking and Navigation, ch. 5 and 7
(Joseph form, sequential updates); Brown and Hwang (2012), Introduction to Random Signals and Applied Kalman Filtering,
4th ed.
"""

from cython_kernels.mathematics.matrix cimport invert_matrix

cdef extern from *:
    """
    #if defined(__clang__)     /* whose cold functions would leave the section of their kernel in an FMU */
    #define KB_SELDOM __attribute__((noinline))     /* once: small rather than fast */
    #elif defined(__GNUC__)
    #define KB_SELDOM __attribute__((cold))
    #else
    #define KB_SELDOM
    #endif
    static inline void kb_steady_covariance(int n, const double *f, double *g, double *p) KB_SELDOM;
    """

cdef enum:
    KALMAN_MAX = 6          # most states
    DOUBLINGS = 60          # of `steady_covariance`: for 2^60 samples


cdef inline void kalman_correct(
    int n, double* change, double* p, const double* h, double residual, double variance
) noexcept nogil:
    """Correct `change`, what is added to the predicted x, and P by a measurement h'x with noise of this variance.

    `residual` is the measurement less what is expected of the predicted x: what earlier measurements of the same
    instant have changed is taken off here. K = P h/(h'P h + r), and by Joseph's form, which leaves P symmetric and
    positive, P <- (I - K h') P (I - K h')' + K r K'.
    """
    cdef double ph[KALMAN_MAX]
    cdef double k[KALMAN_MAX]
    cdef double left[KALMAN_MAX * KALMAN_MAX]
    cdef double total = variance
    cdef double along
    cdef int i, j
    for i in range(n):
        ph[i] = 0.0
        for j in range(n):
            ph[i] += p[i * n + j] * h[j]
    for i in range(n):
        total += h[i] * ph[i]
        residual -= h[i] * change[i]
    for i in range(n):
        k[i] = ph[i] / total
        change[i] += k[i] * residual
    for i in range(n):
        for j in range(n):
            left[i * n + j] = p[i * n + j] - k[i] * ph[j]
    for i in range(n):
        along = -variance * k[i]
        for j in range(n):
            along += left[i * n + j] * h[j]
        for j in range(i, n):
            p[i * n + j] = left[i * n + j] - along * k[j]
            p[j * n + i] = p[i * n + j]


cdef inline void matrix_product(int n, const double* a, const double* b, double* out) noexcept nogil:
    """out = A B."""
    cdef double total
    cdef int i, j, k
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i * n + k] * b[k * n + j]
            out[i * n + j] = total


cdef inline void add_symmetric(int n, const double* a, const double* b, double* out) noexcept nogil:
    """out += A B', of which only one half is computed because it is symmetric."""
    cdef double total
    cdef int i, j, k
    for i in range(n):
        for j in range(i, n):
            total = out[i * n + j]
            for k in range(n):
                total += a[i * n + k] * b[j * n + k]
            out[i * n + j] = total
            out[j * n + i] = total


cdef inline void kalman_predict(int n, const double* f, const double* p, const double* q, double* out) noexcept nogil:
    """out = F P F' + Q."""
    cdef double fp[KALMAN_MAX * KALMAN_MAX]
    cdef int i
    matrix_product(n, f, p, fp)
    for i in range(n * n):
        out[i] = q[i]
    add_symmetric(n, fp, f, out)


cdef inline void steady_covariance "kb_steady_covariance"(
    int n, const double* transition, double* information, double* p
) noexcept nogil:
    """P before a measurement, once it no longer changes: P = F (P - P H'(H P H' + R)^-1 H P) F' + Q.

    On entry P is Q, and `information`, which is overwritten, G = H' R^-1 H. By doubling, where every pass does as many
    samples again as all before it: with V = (I + P G)^-1

        F <- F V F,   G <- G + F' G V F,   P <- P + F V P F'

    Source: Anderson and Moore (1979), Optimal Filtering, sec. 6.7.
    """
    cdef double f[KALMAN_MAX * KALMAN_MAX]
    cdef double turned[KALMAN_MAX * KALMAN_MAX]     # F'
    cdef double v[KALMAN_MAX * KALMAN_MAX]
    cdef double first[KALMAN_MAX * KALMAN_MAX]
    cdef double second[KALMAN_MAX * KALMAN_MAX]
    cdef double before[KALMAN_MAX]
    cdef bint settled
    cdef int _doubling, i, j
    for i in range(n * n):
        f[i] = transition[i]
    for _doubling in range(DOUBLINGS):
        matrix_product(n, p, information, first)
        for i in range(n):
            first[i * n + i] += 1.0
            for j in range(n):
                turned[i * n + j] = f[j * n + i]
        if not invert_matrix(first, n, v):
            return
        matrix_product(n, information, v, first)
        matrix_product(n, turned, first, second)
        add_symmetric(n, turned, second, information)
        matrix_product(n, f, v, first)
        matrix_product(n, first, p, second)
        for i in range(n):
            before[i] = p[i * n + i]
        add_symmetric(n, second, f, p)
        matrix_product(n, first, f, second)
        for i in range(n * n):
            f[i] = second[i]
        settled = True
        for i in range(n):
            settled = settled and p[i * n + i] <= before[i] * (1.0 + 1e-15)
        if settled:
            return
