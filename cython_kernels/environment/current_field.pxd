"""Kernel of the current that is given on a grid."""

from cython_kernels.environment.velocity_field cimport field_outputs
from cython_kernels.view cimport View


cdef inline void current_field_outputs(const View* b, double t) noexcept nogil:
    """p: x, y, times, north, east, outside, fill, time_outside, depths; n: times, depths, x, y."""
    field_outputs(b, t, b.p[8], b.n[1], b.p, b.n + 2, b.n[0])
