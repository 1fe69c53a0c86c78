"""Logarithms of x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2).

ln(1 + f) = f - f^2/2 + s (f^2/2 + R) with s = f/(2 + f), R = 2 artanh(s)/s - 2 (FDLIBM 5.3, Sun Microsystems, 1993), R
by a polynomial in s^2, minimax, relative error of the logarithm 1.3e-18. `log` is within 0.95 units in the last place,
`log10` within 0.8.
"""

from libc.math cimport INFINITY, NAN

from cython_kernels.mathematics.elementary.bits cimport bits_of, from_bits, ordered_sum
from cython_kernels.mathematics.elementary.exponential_parts cimport KB_LN2_HIGH, KB_LN2_LOW

cdef extern from *:
    """
    #define KB_ONE 0x3ff0000000000000ULL                /* the bits of 1 */
    #define KB_SQRT_HALF 0x3fe6a09e667f3bcdULL          /* those of sqrt(1/2) */
    #define KB_LEAST 0x0010000000000000ULL              /* those of 2^-1022, the least normal number */
    #define KB_NORMALS 0x7fe0000000000000ULL            /* how many positive normal numbers there are */
    #define KB_EXPONENTS 4503599627371519.0             /* 2^52 + 1023 */
    #define KB_SUBNORMALS 4503599627371573.0            /* 2^52 + 1023 + 54: of numbers that 2^54 made normal */
    #define KB_LG2_HIGH 3.01029995663952831819e-01      /* log10 of 2 to 42 bits: times a whole k it is exact */
    #define KB_LG2_LOW 2.83633945510449641543e-14
    #define KB_LG_E_HIGH 4.34294481761753559113e-01     /* log10 of e to 29 bits: times a single it is exact */
    #define KB_LG_E_LOW 1.41498268538580099376e-10
    static inline int kb_is_normal(double x) KB_ALWAYS_INLINE;
    static inline double kb_mantissa(
        double x, unsigned long long lower, double exponents, double *k
    ) KB_ALWAYS_INLINE;
    static inline double kb_log_rest(double f) KB_ALWAYS_INLINE;
    static inline double kb_normal_log(double x, double exponents) KB_ALWAYS_INLINE;
    static inline double kb_normal_log10(double x, double exponents) KB_ALWAYS_INLINE;
    static inline double kb_log_of_none(double x) KB_FAR;
    static inline double kb_far_log(double x) KB_FAR;
    static inline double kb_far_log10(double x) KB_FAR;
    static inline double kb_log(double) KB_ONCE;
    static inline double kb_log10(double) KB_ONCE;
    """
    const unsigned long long KB_ONE
    const unsigned long long KB_LEAST
    const unsigned long long KB_NORMALS
    const double KB_EXPONENTS
    const double KB_SUBNORMALS
    const double KB_LG2_HIGH
    const double KB_LG2_LOW
    const double KB_LG_E_HIGH
    const double KB_LG_E_LOW
    const unsigned long long KB_SQRT_HALF


cdef inline bint is_normal "kb_is_normal"(double x) noexcept nogil:
    """Whether x is a positive normal number."""
    return bits_of(x) - KB_LEAST < KB_NORMALS


cdef inline double mantissa "kb_mantissa"(
    double x, unsigned long long lower, double exponents, double* k
) noexcept nogil:
    """m of x = 2^k m, x positive and normal; the bits of the least m are `lower`, of a number between 1/2 and 1."""
    cdef unsigned long long exponent = (bits_of(x) + (KB_ONE - lower)) >> 52
    k[0] = from_bits(exponent | 0x4330000000000000ULL) - exponents      # 2^52 + exponent, without a conversion
    return from_bits(bits_of(x) - (exponent << 52) + KB_ONE)


cdef inline double log_rest "kb_log_rest"(double f) noexcept nogil:
    """s (f^2/2 + R), see above."""
    cdef double s = f / (2.0 + f)
    cdef double z = s * s
    cdef double z2 = z * z
    return s * (0.5 * f * f) + (s * z) * (
        ((6.66666666666673402020e-01 + z * 3.99999999994165300610e-01)
         + z2 * (2.85714287422421719942e-01 + z * 2.22221985620348727597e-01))
        + (z2 * z2) * ((1.81835660676032656591e-01 + z * 1.53139815765120201885e-01) + z2 * 1.47968359146448236174e-01)
    )


cdef inline double normal_log "kb_normal_log"(double x, double exponents) noexcept nogil:
    """ln x of a positive normal number."""
    cdef double k, tail, first
    cdef double f = mantissa(x, KB_SQRT_HALF, exponents, &k) - 1.0
    first = ordered_sum(k * KB_LN2_HIGH, f, &tail)
    return first + (((tail + k * KB_LN2_LOW) - 0.5 * f * f) + log_rest(f))


cdef inline double normal_log10 "kb_normal_log10"(double x, double exponents) noexcept nogil:
    """log10 x of a positive normal number: ln(1 + f) in two numbers, the first a single."""
    cdef double k, tail, first, high, low
    cdef double f = mantissa(x, KB_SQRT_HALF, exponents, &k) - 1.0
    high = <double><float>(f - 0.5 * f * f)
    low = ((f - high) - 0.5 * f * f) + log_rest(f)
    first = ordered_sum(k * KB_LG2_HIGH, high * KB_LG_E_HIGH, &tail)
    return first + ((tail + k * KB_LG2_LOW) + (high * KB_LG_E_LOW + low * (KB_LG_E_HIGH + KB_LG_E_LOW)))


cdef inline double log_of_none "kb_log_of_none"(double x) noexcept nogil:
    """The logarithm of what is no positive number, and of infinity."""
    if x == 0.0:
        return -INFINITY
    return NAN if x < 0.0 else x + x


cdef inline double far_log "kb_far_log"(double x) noexcept nogil:
    """ln x of what is no positive normal number."""
    return normal_log(x * 18014398509481984.0, KB_SUBNORMALS) if 0.0 < x < 1.0 else log_of_none(x)


cdef inline double far_log10 "kb_far_log10"(double x) noexcept nogil:
    """log10 x of what is no positive normal number."""
    return normal_log10(x * 18014398509481984.0, KB_SUBNORMALS) if 0.0 < x < 1.0 else log_of_none(x)


cdef inline double log "kb_log"(double x) noexcept nogil:
    """ln x."""
    if is_normal(x):
        return normal_log(x, KB_EXPONENTS)
    return far_log(x)


cdef inline double log10 "kb_log10"(double x) noexcept nogil:
    """log10 x."""
    if is_normal(x):
        return normal_log10(x, KB_EXPONENTS)
    return far_log10(x)
