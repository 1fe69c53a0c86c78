"""Sine and cosine together, from one reduction of the angle."""

from libc.math cimport copysign, fabs

from cython_kernels.mathematics.elementary.trigonometric cimport of_any_angle, reduced_parts


cdef inline void sine_cosine(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x, the same numbers as `sin` and `cos` give; x in rad."""
    cdef double of_sine, near, of_cosine
    if fabs(x) < 0.785:                 # within pi/4 of 0, where most roll and pitch is, nothing is to be taken off
        reduced_parts(x, False, 0.0, &of_sine, &near, &of_cosine)
        sine[0] = copysign(x - of_sine, x)
        cosine[0] = near + of_cosine
    else:
        of_any_angle(x, sine, cosine)
