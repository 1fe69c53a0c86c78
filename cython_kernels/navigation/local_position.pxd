"""Kernel of the conversion to a position in the tangent plane."""

from cython_kernels.mathematics.geodesy cimport TangentPlane, local_from_geodetic
from cython_kernels.view cimport View


cdef inline void local_position_outputs(const View* b, double t) noexcept nogil:
    """y = position; u = latitude, longitude, height."""
    cdef double geodetic[3]
    cdef int i
    for i in range(3):
        geodetic[i] = b.u[i][0]
    local_from_geodetic(<const TangentPlane*>b.w, geodetic, b.y[0])
