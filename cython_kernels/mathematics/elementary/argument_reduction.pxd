"""What an angle is beyond the nearest multiple of pi/2, in two numbers: as good as if pi had no last digit.

Up to 2^18 quarter turns pi/2 is taken off in three parts, two of which have products without rounding (Cody and Waite,
1980, Software Manual for the Elementary Functions, ch. 8), and what rounding takes from the difference is kept. That is
good to 2^-110 (2^-125 for few turns), where no number of that range is closer than 2^-54 (2^-61) to a multiple.

Beyond, the digits of 2/pi that matter are multiplied with those of x as whole numbers (Payne and Hanek, 1983, Radian
reduction for trigonometric functions, ACM SIGNUM Newsletter 18): good to 2^-137, where no number at all is closer than
2^-62 (Muller, 2016, Elementary Functions, ch. 11).
"""

from cython_kernels.mathematics.elementary.bits cimport KB_SIGN, bits_of, exact_product, exact_sum, ordered_sum

cdef extern from *:
    """
    static inline double kb_quarter_turns(double x, double *tail, unsigned long long *turns) KB_ALWAYS_INLINE;
    static inline double kb_many_quarter_turns(double x, double *tail, unsigned long long *turns);
    #define KB_MANY_TURNS 4.11e5                        /* below 2^18 pi/2 */
    #define KB_ROUNDER 6755399441055744.0               /* 1.5 * 2^52: adding it rounds to a whole number */
    #define KB_TWO_OVER_PI 6.36619772367581382433e-01
    #define KB_PIO2_FIRST 1.57079632679233327508e+00    /* the first 35 bits of pi/2 ... */
    #define KB_PIO2_SECOND 2.56334415158395578912e-12   /* ... the next 38, of which 35 are not 0 ... */
    #define KB_PIO2_THIRD 1.05629990669874276403e-23    /* ... and the rest */
    #define KB_PIO2_HIGH 1.57079632679489655800e+00     /* pi/2 in two numbers */
    #define KB_PIO2_LOW 6.12323399573676603587e-17

    /* 32 bits of 2/pi from the one with this number, of which the first behind the point has the number 63. */
    static inline unsigned long long kb_digits_of_two_over_pi(int first) {
        static const unsigned int DIGITS[] = {
            0, 0, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
            0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u,
            0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu,
            0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u,
            0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu,
        };
        unsigned long long two = (unsigned long long)DIGITS[first / 32] << 32 | DIGITS[first / 32 + 1];
        return two >> (32 - first % 32) & 0xffffffffu;
    }
    """
    const double KB_MANY_TURNS
    const double KB_ROUNDER
    const double KB_TWO_OVER_PI
    const double KB_PIO2_FIRST
    const double KB_PIO2_SECOND
    const double KB_PIO2_THIRD
    const double KB_PIO2_HIGH
    const double KB_PIO2_LOW
    unsigned long long digits_of_two_over_pi "kb_digits_of_two_over_pi"(int first) noexcept nogil


cdef inline double quarter_turns "kb_quarter_turns"(double x, double* tail, unsigned long long* turns) noexcept nogil:
    """What x is beyond the nearest multiple of pi/2, with a `tail` to be added; for |x| < KB_MANY_TURNS.

    The last bits of `turns` count the multiple. Of a zero r keeps the sign, and the tail is -0.
    """
    cdef double counted = x * KB_TWO_OVER_PI + KB_ROUNDER
    cdef double whole = counted - KB_ROUNDER
    cdef double left
    cdef double r = ordered_sum(x - whole * KB_PIO2_FIRST, -(whole * KB_PIO2_SECOND), &left)
    tail[0] = left - whole * KB_PIO2_THIRD
    turns[0] = bits_of(counted)
    return r


cdef inline double many_quarter_turns "kb_many_quarter_turns"(
    double x, double* tail, unsigned long long* turns
) noexcept nogil:
    """The same for |x| >= KB_MANY_TURNS; NaN of an infinity and of a NaN."""
    cdef int exponent = <int>((bits_of(x) & ~KB_SIGN) >> 52) - 1075     # x = mantissa 2^exponent
    cdef unsigned long long mantissa = (bits_of(x) & 0xfffffffffffffULL) | 0x10000000000000ULL
    cdef unsigned long long digits[6]                       # the least first: those before make whole turns
    cdef unsigned long long product[6]                      # x 2/pi modulo 4, so that 30 bits of the last are behind
    cdef unsigned long long carry = 0
    cdef double part, rest
    cdef double high = 0.0
    cdef double low = 0.0
    cdef double weight = 1.0 / (1 << 30)
    cdef int i
    if exponent == 972:
        tail[0] = 0.0
        turns[0] = 0
        return x - x
    for i in range(6):
        digits[i] = digits_of_two_over_pi(exponent + 62 + 32 * (5 - i))
        carry += digits[i] * (mantissa & 0xffffffffULL)
        product[i] = carry & 0xffffffffULL
        carry >>= 32
    for i in range(5):
        carry = (carry if i else 0) + product[i + 1] + digits[i] * (mantissa >> 32)
        product[i + 1] = carry & 0xffffffffULL
        carry >>= 32
    turns[0] = (product[5] + 0x20000000ULL) >> 30              # half a quarter turn more, so that it is the nearest
    for i in range(6):
        part = weight * <double>(<long long>product[5 - i] - (<long long>(turns[0] << 30) if i == 0 else 0))
        high = exact_sum(high, part, &rest)
        low += rest
        weight *= 1.0 / 4294967296.0
    if x < 0.0:
        high = -high
        low = -low
        turns[0] = 0 - turns[0]
    part = exact_product(high, KB_PIO2_HIGH, &rest)
    return ordered_sum(part, rest + (high * KB_PIO2_LOW + low * KB_PIO2_HIGH), tail)
