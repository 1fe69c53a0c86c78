"""Kernel of two seas at once."""

from libc.string cimport memcpy

from cython_kernels.environment.waves cimport WAVES_ROWS
from cython_kernels.views.environment.crossing_seas cimport CrossingSeasView


cdef inline void crossing_seas_outputs(const CrossingSeasView* b, double t) noexcept nogil:
    """Row by row, the columns of one sea and those of the other."""
    cdef size_t n1 = <size_t>b.n.n1
    cdef size_t n2 = <size_t>b.n.n2
    cdef int row
    for row in range(WAVES_ROWS):
        memcpy(b.y.waves + row * (n1 + n2), b.u.first + row * n1, n1 * sizeof(double))
        memcpy(b.y.waves + row * (n1 + n2) + n1, b.u.second + row * n2, n2 * sizeof(double))
