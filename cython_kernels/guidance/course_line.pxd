"""Kernel of guidance along a line of given course."""

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan
from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin
from cython_kernels.views.guidance.course_line cimport CourseLineView


cdef inline void course_line_setup(const CourseLineView* b, double t) noexcept nogil:
    """w: sine and cosine of the course, 1/Δ."""
    cdef double course = b.p.course[0]
    b.w.sine[0] = sin(course)
    b.w.cosine[0] = cos(course)
    b.w.steepness[0] = 1.0 / b.p.lookahead[0]


cdef inline void course_line_outputs(const CourseLineView* b, double t) noexcept nogil:
    """y: heading, cross-track error."""
    cdef const double* eta = b.u.eta
    cdef const double* origin = b.p.origin
    cdef double error = (eta[1] - origin[1]) * b.w.cosine[0] - (eta[0] - origin[0]) * b.w.sine[0]
    b.y.heading[0] = b.p.course[0] - atan(error * b.w.steepness[0])
    b.y.cross_track_error[0] = error
