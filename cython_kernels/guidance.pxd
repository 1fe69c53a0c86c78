"""Kernels of guidance blocks."""

from libc.math cimport atan, cos, sin

from cython_kernels.adaptive_line_of_sight cimport (
    adaptive_line_of_sight_derivatives,
    adaptive_line_of_sight_outputs,
    adaptive_line_of_sight_update,
)
from cython_kernels.integral_line_of_sight cimport (
    integral_line_of_sight_derivatives,
    integral_line_of_sight_outputs,
    integral_line_of_sight_update,
)
from cython_kernels.line_of_sight cimport (
    line_of_sight_outputs,
    line_of_sight_pi_derivatives,
    line_of_sight_update,
)
from cython_kernels.line_of_sight_3d cimport (
    line_of_sight_3d_crossings,
    line_of_sight_3d_derivatives,
    line_of_sight_3d_outputs,
    line_of_sight_3d_setup,
    line_of_sight_3d_update,
)
from cython_kernels.steering cimport integral_steering_setup, steering_crossings, steering_setup
from cython_kernels.view cimport View
from cython_kernels.zigzag cimport zigzag_steering_crossings, zigzag_steering_outputs, zigzag_steering_update


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
