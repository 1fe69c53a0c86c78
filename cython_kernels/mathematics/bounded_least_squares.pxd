"""Least squares within bounds, for a handful of unknowns: a primal active-set method.

Unknowns at a bound are held there while the others are solved for; a step ends at the first bound that is met, and a
held unknown is let go when the gradient says so. Each round lowers the objective, so the method ends. It is the method
`bvls` of scipy.optimize.lsq_linear, which an FMU without Python cannot call, and against which the tests hold this one.
Sources: Stark and Parker (1995), Bounded-variable least-squares: an algorithm and applications, Computational
Statistics 10; Golub and Van Loan (2013), Matrix Computations, 4th ed., sec. 6.1 (regularised least squares).
"""

from libc.math cimport fabs, sqrt

from cython_kernels.mathematics.limits cimport clamp

cdef enum:
    BOUNDED_MAX = 24                    # most unknowns
    BOUNDED_ITERATIONS = 8              # of the regularisation, where weights are far apart


cdef inline double greater(double a, double b) noexcept nogil:
    """The greater of two; fmax costs a call."""
    return b if b > a else a


cdef inline void cholesky_solve(double* a, double* x, int order) noexcept nogil:
    """Solve A x = b in place for a symmetric positive definite A of row length BOUNDED_MAX; its lower half is used."""
    cdef double total
    cdef int i, j, k
    for j in range(order):
        for i in range(j, order):
            total = a[i * BOUNDED_MAX + j]
            for k in range(j):
                total -= a[i * BOUNDED_MAX + k] * a[j * BOUNDED_MAX + k]
            a[i * BOUNDED_MAX + j] = sqrt(total) if i == j else total / a[j * BOUNDED_MAX + j]
    for i in range(order):
        for k in range(i):
            x[i] -= a[i * BOUNDED_MAX + k] * x[k]
        x[i] /= a[i * BOUNDED_MAX + i]
    for j in range(order):
        i = order - 1 - j
        for k in range(i + 1, order):
            x[i] -= a[k * BOUNDED_MAX + i] * x[k]
        x[i] /= a[i * BOUNDED_MAX + i]


cdef inline bint hold_within(double* f, const double* lower, const double* upper, int n, int* held) noexcept nogil:
    """Bring f within its bounds and say of each which one holds it: -1, 1 or 0. False: nothing was to be done."""
    cdef bint beyond = False
    cdef int i
    for i in range(n):
        held[i] = -1 if f[i] < lower[i] else 1 if f[i] > upper[i] else 0
        if held[i] != 0:
            f[i] = clamp(f[i], lower[i], upper[i])
            beyond = True
    return beyond


cdef inline void bounded_least_squares(
    const double* t, const double* weights, const double* wanted, const double* lower, const double* upper, int n,
    double* f,
) noexcept nogil:
    """f within bounds with the least |T f - wanted|^2, for a 6xn T; f comes in as it is without bounds.

    Where T leaves a choice, f' W f is the least. n <= BOUNDED_MAX.
    """
    cdef int held[BOUNDED_MAX]
    if hold_within(f, lower, upper, n, held):
        improve_within_bounds(t, weights, wanted, lower, upper, n, f, held)


cdef inline void improve_within_bounds(
    const double* t, const double* weights, const double* wanted, const double* lower, const double* upper, int n,
    double* f, int* held,
) noexcept nogil:
    """The same from any f within bounds on; held: -1 at the lower bound, 1 at the upper one, 0 free.

    The least |T f - wanted|^2 + e (f - c)' W (f - c) is found, first with c = 0: so e, 1e-8 of the largest column of T
    over its weight, decides where T leaves a choice. Where a heavy weight makes that more than a choice, it is found
    again with c = f: the regularisation of Tikhonov, iterated.
    """
    cdef double gram[BOUNDED_MAX * BOUNDED_MAX]
    cdef double part[BOUNDED_MAX * BOUNDED_MAX]
    cdef double projected[BOUNDED_MAX]  # T' wanted
    cdef double right[BOUNDED_MAX]      # and what c adds to it
    cdef double solved[BOUNDED_MAX]
    cdef int free[BOUNDED_MAX]
    cdef double slightly = 0.0
    cdef double scale = 0.0
    cdef double total, step, reach, worst, drift
    cdef int i, j, k, count, at, _round
    cdef int again = BOUNDED_ITERATIONS
    for i in range(n):
        projected[i] = 0.0
        for k in range(6):
            projected[i] += t[k * n + i] * wanted[k]
        right[i] = projected[i]
        scale = greater(scale, fabs(right[i]))
        for j in range(i + 1):
            total = 0.0
            for k in range(6):
                total += t[k * n + i] * t[k * n + j]
            gram[i * BOUNDED_MAX + j] = total
            gram[j * BOUNDED_MAX + i] = total
        slightly = greater(slightly, 1e-8 * gram[i * BOUNDED_MAX + i] / weights[i])
    for i in range(n):
        gram[i * BOUNDED_MAX + i] += slightly * weights[i]
    for _round in range((10 * n + 10) * (1 + BOUNDED_ITERATIONS)):
        count = 0
        for i in range(n):
            if held[i] == 0:
                free[count] = i
                count += 1
        for i in range(count):
            total = right[free[i]]
            for j in range(n):
                if held[j] != 0:
                    total -= gram[free[i] * BOUNDED_MAX + j] * f[j]
            solved[i] = total
            for j in range(count):
                part[i * BOUNDED_MAX + j] = gram[free[i] * BOUNDED_MAX + free[j]]
        cholesky_solve(part, solved, count)
        step = 1.0
        at = -1
        for i in range(count):
            k = free[i]
            reach = 1.0
            if solved[i] < lower[k]:
                reach = (lower[k] - f[k]) / (solved[i] - f[k])
            elif solved[i] > upper[k]:
                reach = (upper[k] - f[k]) / (solved[i] - f[k])
            if reach < step:
                step = reach
                at = i
        for i in range(count):
            k = free[i]
            f[k] = clamp(f[k] + step * (solved[i] - f[k]), lower[k], upper[k])
        if at >= 0:
            k = free[at]
            held[k] = -1 if solved[at] < lower[k] else 1
            f[k] = lower[k] if held[k] < 0 else upper[k]
            continue
        worst = 1e-12 * scale
        at = -1
        for i in range(n):
            if held[i] == 0 or not lower[i] < upper[i]:
                continue
            total = -right[i]
            for j in range(n):
                total += gram[i * BOUNDED_MAX + j] * f[j]
            if held[i] * total > worst:
                worst = held[i] * total
                at = i
        if at >= 0:
            held[at] = 0
            continue
        if again == 0:
            return
        again -= 1
        drift = 0.0                     # by how much e counts for more than a choice
        for i in range(n):
            total = projected[i] + slightly * weights[i] * f[i]
            drift = greater(drift, fabs(total - right[i]))
            right[i] = total
        if drift <= 1e-7 * scale:
            return
