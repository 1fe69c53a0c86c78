"""Hyperbolic functions of |x| = n ln 2 + r, from the parts in `exponential_parts.pxd`.

With t = 2^-2n, 2^(1-n) sinh |x| = (1 + t) sinh r + (1 - t) cosh r and 2^(1-n) cosh |x| = (1 + t) cosh r
+ (1 - t) sinh r by the addition theorems, the large terms of both with what rounding takes from them: within 0.8 units
in the last place. The hyperbolic tangent is their quotient, both in two numbers: within 0.8 too.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.elementary.bits cimport KB_SIGN, bits_of, from_bits, ordered_sum
from cython_kernels.mathematics.elementary.exponential_parts cimport (
    KB_LOG2_E,
    KB_WHOLE,
    odd_even_parts,
    power_of_2,
)

cdef extern from *:
    """
    static inline double kb_cosh_parts(
        double r, double rest, double odd, double even, double t, double *tail
    ) KB_ALWAYS_INLINE;
    static inline double kb_sinh_parts(
        double r, double rest, double odd, double even, double t, double *tail
    ) KB_ALWAYS_INLINE;
    static inline double kb_sinh(double) KB_ONCE;
    static inline double kb_cosh(double) KB_ONCE;
    static inline double kb_tanh(double) KB_ONCE;
    """


cdef inline double cosh_parts "kb_cosh_parts"(
    double r, double rest, double odd, double even, double t, double* tail
) noexcept nogil:
    """(1 + t) cosh r + (1 - t) sinh r, less `tail`."""
    cdef double sum_of_r, of_first
    cdef double plus = 1.0 + t
    cdef double minus = 1.0 - t
    cdef double r_part = ordered_sum(r, -t * r, &sum_of_r)
    cdef double first = ordered_sum(plus, r_part, &of_first)
    tail[0] = ((((1.0 - plus) + t) + (of_first + sum_of_r)) + minus * (odd + rest)) + plus * (
        0.5 * (r * r) + (even + rest * r)
    )
    return first


cdef inline double sinh_parts "kb_sinh_parts"(
    double r, double rest, double odd, double even, double t, double* tail
) noexcept nogil:
    """(1 + t) sinh r + (1 - t) cosh r, less `tail`."""
    cdef double sum_of_r, of_first
    cdef double plus = 1.0 + t
    cdef double minus = 1.0 - t
    cdef double r_part = ordered_sum(r, t * r, &sum_of_r)
    cdef double first = ordered_sum(minus, r_part, &of_first)
    tail[0] = (((1.0 - minus) - t) + (of_first + sum_of_r)) + (
        plus * (odd + rest) + minus * (0.5 * (r * r) + (even + rest * r))
    )
    return first


cdef inline double sinh "kb_sinh"(double x) noexcept nogil:
    """sinh x."""
    cdef double rest, odd, even, tail, first
    cdef double size = 711.0 if fabs(x) > 711.0 else fabs(x)
    cdef double n = (size * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    cdef double r = odd_even_parts(size, n, &rest, &odd, &even)
    first = sinh_parts(r, rest, odd, even, power_of_2(-2.0 * (32.0 if n > 32.0 else n)), &tail)
    return from_bits(bits_of((2.0 * (first + tail)) * power_of_2(n - 2.0)) | (bits_of(x) & KB_SIGN))


cdef inline double cosh "kb_cosh"(double x) noexcept nogil:
    """cosh x."""
    cdef double rest, odd, even, tail, first
    cdef double size = 711.0 if fabs(x) > 711.0 else fabs(x)
    cdef double n = (size * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    cdef double r = odd_even_parts(size, n, &rest, &odd, &even)
    first = cosh_parts(r, rest, odd, even, power_of_2(-2.0 * (32.0 if n > 32.0 else n)), &tail)
    return (2.0 * (first + tail)) * power_of_2(n - 2.0)


cdef inline double tanh "kb_tanh"(double x) noexcept nogil:
    """tanh x: a quotient of so few digits that its product with the divisor is exact, and what then is left."""
    cdef double rest, odd, even, t, over, under, over_tail, under_tail, inverse, quotient, short_under, left
    cdef double size = 22.0 if fabs(x) > 22.0 else fabs(x)         # beyond it is 1 to the last bit
    cdef double n = (size * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    cdef double r = odd_even_parts(size, n, &rest, &odd, &even)
    t = power_of_2(-2.0 * n)
    over = sinh_parts(r, rest, odd, even, t, &over_tail)
    under = cosh_parts(r, rest, odd, even, t, &under_tail)
    inverse = 1.0 / (under + under_tail)
    quotient = from_bits(bits_of((over + over_tail) * inverse) & 0xfffffffff8000000ULL)
    short_under = from_bits(bits_of(under) & 0xfffffffff8000000ULL)
    left = ((over - quotient * short_under) + over_tail) - quotient * ((under - short_under) + under_tail)
    return from_bits(bits_of(quotient + left * inverse) | (bits_of(x) & KB_SIGN))
