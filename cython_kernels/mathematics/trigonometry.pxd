"""Sine and cosine together, from one reduction of the angle."""

from libc.math cimport copysign, fabs

from cython_kernels.mathematics.elementary.argument_reduction cimport KB_MANY_TURNS, quarter_turns
from cython_kernels.mathematics.elementary.trigonometric cimport far_sine_cosine, reduced_parts, turned


cdef inline void sine_cosine(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x, the same numbers as `sin` and `cos` give; x in rad."""
    cdef double r, tail, of_sine, near, of_cosine
    cdef unsigned long long turns
    if fabs(x) < 0.785:                 # within pi/4 of 0, where most roll and pitch is, nothing is to be taken off
        reduced_parts(x, False, 0.0, &of_sine, &near, &of_cosine)
        sine[0] = copysign(x - of_sine, x)
        cosine[0] = near + of_cosine
    elif fabs(x) < KB_MANY_TURNS:
        r = quarter_turns(x, &tail, &turns)
        turned(r, tail, turns, sine, cosine)
    else:
        far_sine_cosine(x, sine, cosine)
