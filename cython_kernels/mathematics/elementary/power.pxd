"""Powers and cube roots.

x^y = e^(y ln x), and ln x has to be good to 2^-66 for that: it is had in two numbers, of x = 2^k c (1 + ...), c = 1 or
1.5, as k ln 2 + ln c + 2 artanh(s) with s = (m - c)/(m + c), |s| < 0.102; s, s^3/3 and their sum with what rounding
takes from them, further terms by a polynomial. Products are exact because their factors are singles (`head`), as in
Dekker (1971), see `bits.pxd`. Within 0.9 units in the last place; what can be exact is.

The cube root: of m^(-1/3) an estimate, a step of second order, and a last one by the exact remainder of the cube of a
single: within 0.501 units in the last place, and exact for cubes.
"""

from libc.math cimport INFINITY, NAN, fabs

from cython_kernels.mathematics.elementary.bits cimport KB_SIGN, bits_of, from_bits, ordered_sum
from cython_kernels.mathematics.elementary.exponential_parts cimport (
    KB_LN2_HIGH,
    KB_LN2_LOW,
    KB_LOG2_E,
    KB_WHOLE,
    exp_parts,
    held,
    power_of_2,
)
from cython_kernels.mathematics.elementary.logarithmic cimport (
    KB_EXPONENTS,
    KB_ONE,
    KB_SUBNORMALS,
    is_normal,
    mantissa,
)

cdef extern from *:
    """
    #define KB_SQRT_3_4 0x3febb67ae8584caaULL           /* the bits of sqrt(3/4) and sqrt(3/2) */
    #define KB_SQRT_3_2 0x3ff3988e1409212eULL
    #define KB_LN3_2_HIGH 4.05465107993222773075e-01    /* ln 1.5 to 33 bits: exact in a sum with k KB_LN2_HIGH */
    #define KB_LN3_2_LOW 1.14941608902909350082e-10
    #define KB_SAME_POWERS 18446744073709551616.0       /* 2^64: beyond, powers of what is not 1 are 0 or infinite */
    #define KB_FRACTION 0x000fffffffffffffULL           /* the bits of a number below its exponent */
    static inline double kb_head(double x) KB_ALWAYS_INLINE;
    static inline double kb_long_log(double x, double exponents, double *tail) KB_ALWAYS_INLINE;
    static inline double kb_one_and(double near, double beyond) KB_ALWAYS_INLINE;
    static inline double kb_any_pow(double x, double exponents, double y) KB_FAR;
    static inline double kb_far_pow(double x, double y) KB_FAR;
    static inline double kb_normal_cbrt(double size) KB_ALWAYS_INLINE;
    static inline double kb_far_cbrt(double x) KB_FAR;
    static inline double kb_pow(double, double) KB_ONCE;
    static inline double kb_cbrt(double) KB_ONCE;
    """
    const unsigned long long KB_SQRT_3_4
    const unsigned long long KB_SQRT_3_2
    const double KB_LN3_2_HIGH
    const double KB_LN3_2_LOW
    const double KB_SAME_POWERS
    const unsigned long long KB_FRACTION


cdef inline double head "kb_head"(double x) noexcept nogil:
    """The nearest single: of so few digits that products of two are exact."""
    return <double><float>x


cdef inline double long_log "kb_long_log"(double x, double exponents, double* tail) noexcept nogil:
    """ln x of a positive normal number as a single and a `tail`, to 2^-66 of it."""
    cdef double k, f, under, inverse, s, s_head, s_tail, z, z2, cube, wanted, short_under, whole, of_whole, first
    cdef double m = mantissa(x, KB_SQRT_3_4, exponents, &k)
    cdef unsigned long long above = 0 - <unsigned long long>(bits_of(m) > KB_SQRT_3_2)
    cdef double c = from_bits(KB_ONE | (above & 0x0008000000000000ULL))
    f = m - c
    under = m + c
    inverse = 1.0 / under
    s = f * inverse
    s_head = head(s)
    short_under = head(under)
    s_tail = ((f - s_head * short_under) - s_head * (m - (short_under - c))) * inverse
    whole = k * KB_LN2_HIGH + from_bits(above & bits_of(KB_LN3_2_HIGH))
    of_whole = k * KB_LN2_LOW + from_bits(above & bits_of(KB_LN3_2_LOW))
    z = s * s
    z2 = z * z
    wanted = z * (1.0 / 3.0) + z2 * 0.2                 # artanh(s) = s (1 + wanted + ...)
    cube = (wanted + 6291456.0) - 6291456.0             # to 30 binary places: times s_head it is exact
    first = head(whole + 2.0 * (s + s * wanted))
    # Polynomial: minimax, relative error of the logarithm 2^-71; z/3 from s^2 in two numbers.
    wanted = (((s_head * s_head - 3.0 * cube) + s_tail * (s_head + s)) * (1.0 / 3.0)) + z2 * (
        ((1.99999999999998234745e-01 + z * 1.42857142859487723507e-01)
         + z2 * (1.11111109949875497271e-01 + z * 9.09093728648396881553e-02))
        + (z2 * z2) * (7.68870527183410368277e-02 + z * 6.89874976696623065653e-02)
    )
    tail[0] = (((whole - first) + 2.0 * s_head) + (2.0 * s_head) * cube) + (
        2.0 * ((s_tail + s_tail * cube) + s * wanted) + of_whole
    )
    return first


cdef inline double one_and "kb_one_and"(double near, double beyond) noexcept nogil:
    """1 + near + beyond, rounded once."""
    cdef double tail
    cdef double first = ordered_sum(1.0, near, &tail)
    return first + (tail + beyond)


cdef inline double any_pow "kb_any_pow"(double x, double exponents, double y) noexcept nogil:
    """x^y of a positive normal x and any y, whatever it is: by two powers of 2, as `far_exp`."""
    cdef double log_tail, product, rest, n, half, near, beyond
    cdef double log_head = long_log(x, exponents, &log_tail)
    cdef double power = held(y, -KB_SAME_POWERS, KB_SAME_POWERS)
    cdef double y_head = head(power)
    rest = held(y_head * log_tail + (power - y_head) * (log_head + log_tail), -1.0, 1.0)
    product = held(y_head * log_head, -748.0, 711.0)
    n = (product * KB_LOG2_E + KB_WHOLE) - KB_WHOLE
    half = (0.5 * n + KB_WHOLE) - KB_WHOLE
    near = exp_parts(product, rest, n, &beyond)
    return (one_and(near, beyond) * power_of_2(half)) * power_of_2(n - half)


cdef inline double far_pow "kb_far_pow"(double x, double y) noexcept nogil:
    """x^y where x is no positive normal number or y no number: C99, F.9.4.4."""
    cdef double size = fabs(x)
    cdef double exponent = fabs(y)
    cdef double found
    if x != x or y != y:
        return 1.0 if x == 1.0 or y == 0.0 else x + y
    if size == 0.0 or size == INFINITY:
        found = 1.0 if y == 0.0 else INFINITY if (size == 0.0) == (y < 0.0) else 0.0
    elif is_normal(size):
        found = any_pow(size, KB_EXPONENTS, y)
    else:
        found = any_pow(size * 18014398509481984.0, KB_SUBNORMALS, y)
    if not bits_of(x) & KB_SIGN or exponent >= 9007199254740992.0:      # from 2^53 all are even
        return found
    if (exponent + 9007199254740992.0) - 9007199254740992.0 == exponent:
        return found
    if exponent >= 4503599627370496.0 or (exponent + 4503599627370496.0) - 4503599627370496.0 == exponent:
        return -found
    return found if size == 0.0 or size == INFINITY else NAN


cdef inline double pow "kb_pow"(double x, double y) noexcept nogil:
    """x^y."""
    cdef double log_head, log_tail, y_head, product, rest, counted, near, beyond
    if is_normal(x) and fabs(y) < KB_SAME_POWERS:
        log_head = long_log(x, KB_EXPONENTS, &log_tail)
        y_head = head(y)
        product = y_head * log_head
        if fabs(product) < 708.0:                       # x^y is normal
            rest = y_head * log_tail + (y - y_head) * (log_head + log_tail)
            counted = product * KB_LOG2_E + KB_WHOLE
            near = exp_parts(product, rest, counted - KB_WHOLE, &beyond)
            return one_and(near, beyond) * from_bits(bits_of(counted) << 52)
    return far_pow(x, y)


cdef inline double normal_cbrt "kb_normal_cbrt"(double size) noexcept nogil:
    """The cube root of a positive normal number 2^(3 q + j) m: of 2^j m, in [1, 8)."""
    cdef unsigned long long exponent = bits_of(size) >> 52
    cdef unsigned long long third = (exponent * 21846) >> 16            # a third of it, for exponents below 2^15
    cdef unsigned long long j = exponent - 3 * third
    cdef double number = from_bits(j | 0x4330000000000000ULL) - 4503599627370496.0
    cdef double m = from_bits((bits_of(size) & KB_FRACTION) | KB_ONE)
    cdef double cube = from_bits(bits_of(m) + (j << 52))
    cdef double m2 = m * m
    # m^(-1/3) by a polynomial, minimax, error 4e-5, times 2^(-j/3) by a parabola through its three values
    cdef double inverse = (1.0 + number * (-2.27579210505518825e-01 + number * 2.12797364896185545e-02)) * (
        (1.67001172148102616788e+00 + m * -1.17289129545243531183e+00)
        + m2 * ((6.95491277112724515241e-01 + m * -2.21240604572836091490e-01) + m2 * 2.85913099927773729780e-02)
    )
    cdef double square = inverse * inverse
    cdef double beyond = 1.0 - (inverse * cube) * square
    cdef double root, root2, root2_head, left
    square = square + square * (beyond * (2.0 / 3.0 + beyond * (5.0 / 9.0)))    # to 2^-40
    root = head(cube * square)
    root2 = root * root
    root2_head = head(root2)
    left = ((cube - root * root2_head) - root * (root2 - root2_head)) * (square * (1.0 / 3.0))
    return from_bits(bits_of(root + (left + left * left * inverse)) + ((third - 341) << 52))


cdef inline double far_cbrt "kb_far_cbrt"(double x) noexcept nogil:
    """The cube root of what is no normal number; not below zero."""
    return normal_cbrt(x * 18014398509481984.0) * 3.814697265625e-06 if 0.0 < x < 1.0 else x + x


cdef inline double cbrt "kb_cbrt"(double x) noexcept nogil:
    """The cube root of x."""
    cdef double size = fabs(x)
    cdef double root = normal_cbrt(size) if is_normal(size) else far_cbrt(size)
    return from_bits(bits_of(root) | (bits_of(x) & KB_SIGN))
