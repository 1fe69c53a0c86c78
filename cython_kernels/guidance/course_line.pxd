"""Kernel of guidance along a line of given course."""

from libc.math cimport atan, cos, sin

from cython_kernels.view cimport View


cdef inline void course_line_setup(const View* b, double t) noexcept nogil:
    """w: sine and cosine of the course, 1/Δ."""
    cdef double course = b.p[0][0]
    b.w[0] = sin(course)
    b.w[1] = cos(course)
    b.w[2] = 1.0 / b.p[1][0]


cdef inline void course_line_outputs(const View* b, double t) noexcept nogil:
    """y: heading, cross-track error."""
    cdef const double* eta = b.u[0]
    cdef const double* origin = b.p[2]
    cdef double error = (eta[1] - origin[1]) * b.w[1] - (eta[0] - origin[0]) * b.w[0]
    b.y[0][0] = b.p[0][0] - atan(error * b.w[2])
    b.y[1][0] = error
