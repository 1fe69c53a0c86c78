"""Small dense matrices: products for the loop, inverse and pseudo-inverse for setup.

Matrices are stored row by row, except where a name says `columns`: a matrix stored column by column is multiplied
without a sum across a row, so that a compiler can work on several rows at once and the order of additions stays fixed.
"""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.limits cimport larger

cdef enum:
    MATRIX_MAX = 6          # largest order of `invert_matrix` and `symmetric_pseudo_inverse`
    JACOBI_SWEEPS = 30      # far more than the six or so that cyclic Jacobi takes at this order


cdef inline void columns_of(const double* matrix, int rows, int columns, double* out) noexcept nogil:
    """Store a matrix column by column."""
    cdef int i, j
    for i in range(rows):
        for j in range(columns):
            out[j * rows + i] = matrix[i * columns + j]


cdef inline void columns6_times(const double* columns, const double* x, double* out) noexcept nogil:
    """out = A x for a 6x6 matrix stored column by column."""
    cdef int i
    for i in range(6):
        out[i] = (
            columns[i] * x[0] + columns[6 + i] * x[1] + columns[12 + i] * x[2]
            + columns[18 + i] * x[3] + columns[24 + i] * x[4] + columns[30 + i] * x[5]
        )


cdef inline bint invert_matrix(const double* matrix, int order, double* out) noexcept nogil:
    """Invert a square matrix by Gauss-Jordan elimination with scaled partial pivoting. False: it is singular.

    Rows are scaled by their largest element first, so that kilograms beside kg m2 do not decide what counts as zero.
    """
    cdef double a[MATRIX_MAX * 2 * MATRIX_MAX]
    cdef int width = 2 * order
    cdef int i, j, k, pivot
    cdef double largest, factor
    for i in range(order):
        largest = 0.0
        for j in range(order):
            largest = larger(largest, fabs(matrix[i * order + j]))
        if not largest > 0.0:
            return False
        for j in range(order):
            a[i * width + j] = matrix[i * order + j] / largest
            a[i * width + order + j] = 0.0
        a[i * width + order + i] = 1.0 / largest
    for k in range(order):
        pivot = k
        for i in range(k + 1, order):
            if fabs(a[i * width + k]) > fabs(a[pivot * width + k]):
                pivot = i
        if not fabs(a[pivot * width + k]) > 1e-13:
            return False
        for j in range(width):
            factor = a[pivot * width + j]
            a[pivot * width + j] = a[k * width + j]
            a[k * width + j] = factor
        factor = 1.0 / a[k * width + k]
        for j in range(width):
            a[k * width + j] *= factor
        for i in range(order):
            if i != k:
                factor = a[i * width + k]
                for j in range(width):
                    a[i * width + j] -= factor * a[k * width + j]
    for i in range(order):
        for j in range(order):
            out[i * order + j] = a[i * width + order + j]
    return True


cdef inline void symmetric_eigen(double* a, int order, double* vectors) noexcept nogil:
    """Eigenvalues (left on the diagonal of `a`) and eigenvectors (columns) of a symmetric matrix, by cyclic Jacobi.

    Source: Golub and Van Loan (2013), Matrix Computations, 4th ed., sec. 8.5.
    """
    cdef int _sweep, p, q, k
    cdef double off, norm, theta, tangent, c, s, x, y
    for p in range(order):
        for q in range(order):
            vectors[p * order + q] = 1.0 if p == q else 0.0
    for _sweep in range(JACOBI_SWEEPS):
        off = 0.0
        norm = 0.0
        for p in range(order):
            for q in range(order):
                norm += a[p * order + q] * a[p * order + q]
                if p != q:
                    off += a[p * order + q] * a[p * order + q]
        if off <= 1e-34 * norm:
            return
        for p in range(order - 1):
            for q in range(p + 1, order):
                if a[p * order + q] == 0.0:
                    continue
                theta = 0.5 * (a[q * order + q] - a[p * order + p]) / a[p * order + q]
                tangent = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0))
                c = 1.0 / sqrt(tangent * tangent + 1.0)
                s = tangent * c
                for k in range(order):
                    x = a[k * order + p]
                    y = a[k * order + q]
                    a[k * order + p] = c * x - s * y
                    a[k * order + q] = s * x + c * y
                for k in range(order):
                    x = a[p * order + k]
                    y = a[q * order + k]
                    a[p * order + k] = c * x - s * y
                    a[q * order + k] = s * x + c * y
                for k in range(order):
                    x = vectors[k * order + p]
                    y = vectors[k * order + q]
                    vectors[k * order + p] = c * x - s * y
                    vectors[k * order + q] = s * x + c * y


cdef inline void symmetric_pseudo_inverse(double* a, int order, double* out) noexcept nogil:
    """Moore-Penrose inverse of a symmetric positive semidefinite matrix; `a` is overwritten.

    Eigenvalues below 1e-12 of the largest count as zero.
    """
    cdef double vectors[MATRIX_MAX * MATRIX_MAX]
    cdef double largest = 0.0
    cdef double total
    cdef int i, j, k
    symmetric_eigen(a, order, vectors)
    for k in range(order):
        largest = larger(largest, a[k * order + k])
    for i in range(order):
        for j in range(order):
            total = 0.0
            for k in range(order):
                if a[k * order + k] > 1e-12 * largest:
                    total += vectors[i * order + k] * vectors[j * order + k] / a[k * order + k]
            out[i * order + j] = total


cdef inline void weighted_pseudo_inverse(
    const double* t, const double* weights, int n, double* out, int stride
) noexcept nogil:
    """T+ = W^-1 T' (T W^-1 T')+ for a 6xn matrix T and W = diag(weights); row i goes to out[i * stride].

    f = T+ tau is, of all f that bring T f nearest to tau, the one with the least f' W f. Weights may be NULL for ones.
    The inner inverse is a pseudo-inverse, so T may have degrees of freedom that no thruster reaches.
    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 11.2.
    """
    cdef double gram[36]
    cdef double gram_inverse[36]
    cdef double total, weight
    cdef int i, j, k
    for i in range(36):
        gram[i] = 0.0
    for k in range(n):
        weight = weights[k] if weights != NULL else 1.0
        for i in range(6):
            for j in range(6):
                gram[i * 6 + j] += t[i * n + k] * t[j * n + k] / weight
    symmetric_pseudo_inverse(gram, 6, gram_inverse)
    for k in range(n):
        weight = weights[k] if weights != NULL else 1.0
        for j in range(6):
            total = 0.0
            for i in range(6):
                total += t[i * n + k] * gram_inverse[i * 6 + j]
            out[k * stride + j] = total / weight
