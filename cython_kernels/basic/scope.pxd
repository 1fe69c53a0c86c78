"""Kernel of the scope."""

from cython_kernels.views.basic.scope cimport ScopeView


# n = ports, then the width of each

cdef inline void scope_outputs(const ScopeView* b, double t) noexcept nogil:
    """All inputs one after the other."""
    cdef double* y = b.y.y
    cdef const double* u
    cdef int i, j
    for i in range(b.n[0]):
        u = b.u[i]
        for j in range(b.n[i + 1]):
            y[j] = u[j]
        y += b.n[i + 1]
