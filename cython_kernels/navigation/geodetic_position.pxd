"""Kernel of the conversion to latitude, longitude and height."""

from cython_kernels.mathematics.geodesy cimport TangentPlane, geodetic_from_local
from cython_kernels.view cimport View


cdef inline void geodetic_position_outputs(const View* b, double t) noexcept nogil:
    """y = latitude, longitude, height; u = eta."""
    cdef double geodetic[3]
    cdef int i
    geodetic_from_local(<const TangentPlane*>b.w, b.u[0], geodetic)
    for i in range(3):
        b.y[i][0] = geodetic[i]
