"""Least squares within bounds, for a handful of unknowns: a primal active-set method.

Unknowns at a bound are held there while the others are solved for; a step ends at the first bound that is met, and a
held unknown is let go when the gradient says so. Each round lowers the objective, so the method ends.
Source: Stark and Parker (1995), Bounded-variable least-squares: an algorithm and applications, Computational
Statistics 10.
"""

from libc.math cimport fabs, fmax, sqrt

from cython_kernels.limits cimport clamp

cdef enum:
    BOUNDED_MAX = 24                    # most unknowns


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


cdef inline void bounded_least_squares(
    const double* t, const double* weights, const double* wanted, const double* lower, const double* upper, int n,
    double* f,
) noexcept nogil:
    """f within bounds with the least |T f - wanted|^2 + e f' W f, for a 6xn T; f comes in as it is without bounds.

    e is 1e-8 of the largest column of T over its weight: it decides only where T leaves a choice. n <= BOUNDED_MAX.
    """
    cdef double gram[BOUNDED_MAX * BOUNDED_MAX]
    cdef double part[BOUNDED_MAX * BOUNDED_MAX]
    cdef double right[BOUNDED_MAX]
    cdef double solved[BOUNDED_MAX]
    cdef int held[BOUNDED_MAX]          # -1 at the lower bound, 1 at the upper one, 0 free
    cdef int free[BOUNDED_MAX]
    cdef double slightly = 0.0
    cdef double scale = 0.0
    cdef double total, step, reach, worst
    cdef int i, j, k, count, at, _round
    cdef bint within = True
    for i in range(n):
        held[i] = 0
        if f[i] < lower[i]:
            held[i] = -1
        elif f[i] > upper[i]:
            held[i] = 1
        if held[i] != 0:
            f[i] = clamp(f[i], lower[i], upper[i])
            within = False
    if within:
        return
    for i in range(n):
        right[i] = 0.0
        for k in range(6):
            right[i] += t[k * n + i] * wanted[k]
        scale = fmax(scale, fabs(right[i]))
        for j in range(n):
            total = 0.0
            for k in range(6):
                total += t[k * n + i] * t[k * n + j]
            gram[i * BOUNDED_MAX + j] = total
        slightly = fmax(slightly, 1e-8 * gram[i * BOUNDED_MAX + i] / weights[i])
    for i in range(n):
        gram[i * BOUNDED_MAX + i] += slightly * weights[i]
    for _round in range(10 * n + 10):
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
        if at < 0:
            return
        held[at] = 0
