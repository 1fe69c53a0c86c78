"""Kernel of the uniform wind."""

from libc.math cimport cos, sin

from cython_kernels.view cimport View


cdef inline void uniform_wind_setup(const View* b, double t) noexcept nogil:
    """w: velocity of the air, north, east, down. It comes from where the direction says, hence the sign."""
    cdef double speed = b.p[0][0]
    cdef double direction = b.p[1][0]
    b.w[0] = -speed * cos(direction)
    b.w[1] = -speed * sin(direction)
    b.w[2] = 0.0


cdef inline void uniform_wind_outputs(const View* b, double t) noexcept nogil:
    """y: wind."""
    cdef int i
    for i in range(3):
        b.y[0][i] = b.w[i]
