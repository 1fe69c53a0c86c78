"""Kernel of the uniform current."""

from libc.math cimport cos, sin

from cython_kernels.view cimport View


cdef inline void uniform_current_setup(const View* b, double t) noexcept nogil:
    """w: velocity of the water, north, east, down."""
    cdef double speed = b.p[0][0]
    cdef double direction = b.p[1][0]
    b.w[0] = speed * cos(direction)
    b.w[1] = speed * sin(direction)
    b.w[2] = b.p[2][0]


cdef inline void uniform_current_outputs(const View* b, double t) noexcept nogil:
    """y: current."""
    cdef int i
    for i in range(3):
        b.y[0][i] = b.w[i]
