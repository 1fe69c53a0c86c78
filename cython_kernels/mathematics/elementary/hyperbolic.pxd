"""Hyperbolic functions, from the parts in `exponential_parts.pxd`.

Of |x| = n ln 2 + r, with t = 2^-2n: 2^(1-n) sinh |x| = (1 + t) sinh r + (1 - t) cosh r and 2^(1-n) cosh |x| = (1 + t)
cosh r + (1 - t) sinh r by the addition theorems, with what rounding takes from the large terms: within 0.8 and 0.95
units in the last place.

Of 2 |x| = n ln 2 + r, with u = 2^-n: tanh |x| = (e^r - u)/(e^r + u), both in two numbers: within 0.9.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.elementary.bits cimport KB_SIGN, bits_of, from_bits, leading, ordered_sum
from cython_kernels.mathematics.elementary.exponential_parts cimport (
    KB_LOG2_E,
    KB_WHOLE,
    odd_even_parts,
    power_of_2,
)

cdef extern from *:
    """
    static inline double kb_scaled_cosh(double size, double n) KB_ALWAYS_INLINE;
    static inline double kb_far_cosh(double size) KB_FAR;
    static inline double kb_sinh(double) KB_ONCE;
    static inline double kb_cosh(double) KB_ONCE;
    static inline double kb_tanh(double) KB_ONCE;
    """


cdef inline double sinh "kb_sinh"(double x) noexcept nogil:
    """sinh x."""
    cdef double low, rest, odd, even, tail, of_r, first
    cdef double size = 711.0 if fabs(x) > 711.0 else fabs(x)
    cdef double n = (size * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    cdef double t = power_of_2(-2.0 * (32.0 if n > 32.0 else n))
    cdef double plus = 1.0 + t
    cdef double minus = 1.0 - t
    cdef double near = odd_even_parts(size, n, &low, &odd, &even)
    cdef double r = near - low
    rest = (near - r) - low
    first = ordered_sum(minus, ordered_sum(r, t * r, &of_r), &tail)
    first += (((1.0 - minus) - t) + (tail + of_r)) + (
        plus * (odd + rest) + minus * (0.5 * (r * r) + (even + rest * r))
    )
    return from_bits(bits_of((2.0 * first) * power_of_2(n - 2.0)) | (bits_of(x) & KB_SIGN))


cdef inline double scaled_cosh "kb_scaled_cosh"(double size, double n) noexcept nogil:
    """2^(1-n) cosh size."""
    cdef double low, odd, even, tail, first
    cdef double t = power_of_2(-2.0 * (32.0 if n > 32.0 else n))
    cdef double plus = 1.0 + t
    cdef double minus = 1.0 - t
    cdef double near = odd_even_parts(size, n, &low, &odd, &even)
    cdef double r = near - low
    first = ordered_sum(plus, minus * near, &tail)
    return first + ((((1.0 - plus) + t) + (tail + minus * (odd - low))) + plus * (0.5 * (r * r) + even))


cdef inline double far_cosh "kb_far_cosh"(double size) noexcept nogil:
    """cosh of a size of 709 or more."""
    cdef double bounded = 711.0 if size > 711.0 else size
    cdef double n = (bounded * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    return (2.0 * scaled_cosh(bounded, n)) * power_of_2(n - 2.0)


cdef inline double cosh "kb_cosh"(double x) noexcept nogil:
    """cosh x."""
    cdef double size = fabs(x)
    cdef double counted
    if size < 709.0:
        counted = size * KB_LOG2_E + KB_WHOLE
        return scaled_cosh(size, counted - KB_WHOLE) * from_bits((bits_of(counted) - 1) << 52)
    return far_cosh(size)


cdef inline double tanh "kb_tanh"(double x) noexcept nogil:
    """tanh x: a quotient of so few digits that its product with the divisor is exact, and what then is left."""
    cdef double low, rest, odd, even, common, over, under, over_tail, under_tail, inverse, quotient, short_under, left
    cdef double size = 38.2 if fabs(x) > 19.1 else 2.0 * fabs(x)        # beyond it is 1 to the last bit
    cdef double n = (size * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    cdef double u = power_of_2(-n)
    cdef double plus = 1.0 + u
    cdef double minus = 1.0 - u
    cdef double near = odd_even_parts(size, n, &low, &odd, &even)
    cdef double r = near - low
    rest = (near - r) - low
    common = ((rest + rest * r) + (even + odd)) + 0.5 * (r * r)
    over = ordered_sum(minus, r, &over_tail)
    under = ordered_sum(plus, r, &under_tail)
    over_tail = (((1.0 - minus) - u) + over_tail) + common
    under_tail = (((1.0 - plus) + u) + under_tail) + common
    inverse = 1.0 / (under + under_tail)
    quotient = leading((over + over_tail) * inverse)
    short_under = leading(under)
    left = ((over - quotient * short_under) + over_tail) - quotient * ((under - short_under) + under_tail)
    return from_bits(bits_of(quotient + left * inverse) | (bits_of(x) & KB_SIGN))
