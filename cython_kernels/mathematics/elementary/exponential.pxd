"""Exponential functions, from the parts in `exponential_parts.pxd`.

`exp` within 0.96 units in the last place, `expm1` within 0.9.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.elementary.bits cimport KB_SIGN, bits_of, from_bits, ordered_sum
from cython_kernels.mathematics.elementary.exponential_parts cimport (
    KB_LOG2_E,
    KB_WHOLE,
    exp_parts,
    held,
    odd_even_parts,
    power_of_2,
)

cdef extern from *:
    """
    static inline double kb_near_exp(double) KB_ALWAYS_INLINE;
    static inline double kb_far_exp(double) KB_FAR;
    static inline double kb_exp(double) KB_ONCE;
    static inline double kb_expm1(double) KB_ONCE;
    """


cdef inline double near_exp "kb_near_exp"(double x) noexcept nogil:
    """e^x for |x| <= 708, where it is a normal number."""
    cdef double beyond
    cdef double counted = x * KB_LOG2_E + KB_WHOLE
    cdef double near = exp_parts(x, 0.0, counted - KB_WHOLE, &beyond)
    return (1.0 + (near + beyond)) * from_bits(bits_of(counted) << 52)


cdef inline double far_exp "kb_far_exp"(double x) noexcept nogil:
    """e^x for any x: by two powers of 2, so that subnormal numbers are rounded once and large ones overflow."""
    cdef double beyond
    cdef double bounded = held(x, -746.0, 710.0)
    cdef double n = (bounded * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    cdef double half = (0.5 * n + KB_WHOLE) - KB_WHOLE
    cdef double near = exp_parts(bounded, 0.0, n, &beyond)
    return ((1.0 + (near + beyond)) * power_of_2(half)) * power_of_2(n - half)


cdef inline double exp "kb_exp"(double x) noexcept nogil:
    """e^x."""
    if fabs(x) < 708.0:
        return near_exp(x)
    return far_exp(x)


cdef inline double expm1 "kb_expm1"(double x) noexcept nogil:
    """e^x - 1 = 2^n (1 - 2^-n + r + ...)."""
    cdef double low, rest, odd, even, tail, first
    cdef double bounded = held(x, -40.0, 710.0)
    cdef double n = (bounded * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    cdef double near = odd_even_parts(bounded, n, &low, &odd, &even)
    cdef double r = near - low
    cdef double less = power_of_2(-(64.0 if n > 64.0 else n))
    cdef double whole = 1.0 - less
    cdef double of_whole = (1.0 - whole) - less
    rest = (near - r) - low
    first = ordered_sum(whole, r, &tail)
    first += (((of_whole + tail) + (rest + rest * r)) + (even + odd)) + 0.5 * (r * r)
    return from_bits(bits_of((2.0 * first) * power_of_2(n - 1.0)) | (bits_of(x) & KB_SIGN))     # the sign of -0 too
