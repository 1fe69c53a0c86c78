"""Sine and cosine together, from one reduction of the angle."""

from libc.math cimport fabs

from cython_kernels.mathematics.elementary.argument_reduction cimport (
    KB_MANY_TURNS,
    many_quarter_turns,
    quarter_turns,
)
from cython_kernels.mathematics.elementary.trigonometric cimport turned


cdef inline void sine_cosine(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x, the same numbers as `sin` and `cos` give; x in rad."""
    cdef double r, tail
    cdef unsigned long long turns
    if fabs(x) < KB_MANY_TURNS:
        r = quarter_turns(fabs(x), &tail, &turns)
    else:
        r = many_quarter_turns(fabs(x), &tail, &turns)
    turned(x, r, tail, turns, sine, cosine)
