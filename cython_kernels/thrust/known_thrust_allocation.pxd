"""Kernel of the allocation of a wanted wrench to thrusters of known thrust."""

from cython_kernels.mathematics.bounded_least_squares cimport BOUNDED_MAX
from cython_kernels.thrust.bounded_allocation cimport allocate_within, bounded_allocation_constants
from cython_kernels.views.thrust.bounded_allocation cimport BoundedAllocationView
from cython_kernels.views.thrust.known_thrust_allocation cimport (
    KnownThrustAllocationView, known_thrust_allocation_as_bounded_allocation,
)


cdef inline void known_thrust_allocation_setup(const KnownThrustAllocationView* b, double t) noexcept nogil:
    """w."""
    cdef BoundedAllocationView shared = known_thrust_allocation_as_bounded_allocation(b)
    bounded_allocation_constants(&shared, b.p.allocation_matrix)


cdef inline void known_thrust_allocation_outputs(const KnownThrustAllocationView* b, double t) noexcept nogil:
    """y: the command is the thrust."""
    cdef BoundedAllocationView shared = known_thrust_allocation_as_bounded_allocation(b)
    cdef double f[BOUNDED_MAX]
    cdef double lower[BOUNDED_MAX]
    cdef double upper[BOUNDED_MAX]
    cdef int i
    for i in range(b.n.n):
        lower[i] = -b.p.thrust_limit_reverse[i]
        upper[i] = b.p.thrust_limit_forward[i]
    allocate_within(&shared, b.p.allocation_matrix, lower, upper, f)
    if b.y.command != NULL:
        for i in range(b.n.n):
            b.y.command[i] = f[i]
