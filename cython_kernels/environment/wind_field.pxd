"""Kernel of the wind that is given on a grid."""

from cython_kernels.environment.velocity_field cimport field_outputs
from cython_kernels.view cimport View


cdef inline void wind_field_outputs(const View* b, double t) noexcept nogil:
    """p: x, y, times, north, east, outside, fill, time_outside; n: times, x, y."""
    field_outputs(b, t, NULL, 1, b.p, b.n + 1, b.n[0])
