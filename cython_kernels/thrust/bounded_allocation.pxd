"""What allocations to thrusters that are fixed in the hull share: the best thrusts within what each can give.

The wrench and the rows of T are scaled by the root of what each component counts, so that least squares of what is
scaled are weighted ones.
"""

from libc.math cimport sqrt

from cython_kernels.mathematics.bounded_least_squares cimport bounded_least_squares
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.matrix cimport weighted_pseudo_inverse
from cython_kernels.views.thrust.bounded_allocation cimport BoundedAllocationView


cdef inline void bounded_allocation_constants(const BoundedAllocationView* b, const double* matrix) noexcept nogil:
    """w: T with its rows as they count, and its weighted pseudo-inverse."""
    cdef double scale
    cdef int i, k
    for k in range(6):
        scale = sqrt(b.p.priority[k])
        for i in range(b.n.n):
            b.w.scaled[k * b.n.n + i] = scale * matrix[k * b.n.n + i]
    weighted_pseudo_inverse(b.w.scaled, b.p.weights, b.n.n, b.w.pseudo_inverse, 6)


cdef inline void allocate_within(
    const BoundedAllocationView* b, const double* matrix, double* lower, double* upper, double* f
) noexcept nogil:
    """The thrusts, and y: thrust, missing. The limits are narrowed to what is available."""
    cdef double wanted[6]
    cdef double missing[6]
    cdef double part
    cdef int count = b.n.n
    cdef int i, k
    for k in range(6):
        wanted[k] = sqrt(b.p.priority[k]) * b.u.force[k]
        missing[k] = b.u.force[k]
    for i in range(count):
        part = clamp(b.u.available[i], 0.0, 1.0)
        lower[i] *= part
        upper[i] *= part
        f[i] = 0.0
        for k in range(6):
            f[i] += b.w.pseudo_inverse[6 * i + k] * wanted[k]
    bounded_least_squares(b.w.scaled, b.p.weights, wanted, lower, upper, count, f)
    part = 0.0
    for i in range(count):
        part += 0.0 * (lower[i] + upper[i])
    for i in range(count):
        if part != part:                    # a limit is no number, which comparing hides
            f[i] = part
        for k in range(6):
            missing[k] -= matrix[k * count + i] * f[i]
        if b.y.thrust != NULL:
            b.y.thrust[i] = f[i]
    if b.y.missing != NULL:
        for k in range(6):
            b.y.missing[k] = missing[k]
