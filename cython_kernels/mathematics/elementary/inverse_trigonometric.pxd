"""Arc sine, arc cosine and arc tangent: a multiple of pi/4, and a polynomial of what is left.

The polynomials are minimax in the error relative to their arc, by `benchmarks/elementary/minimax.py`: 2^-59.4 of the
arc tangent up to tan(pi/8), 2^-55.8 of the arc sine up to 1/2. Quotients and roots are taken with what rounding takes
from them, and the multiple of pi/4 in two numbers, so that the last sum is the only rounding of a whole number: all
are within 0.9 units in the last place.
"""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.elementary.argument_reduction cimport KB_ROUNDER
from cython_kernels.mathematics.elementary.bits cimport KB_SIGN, bits_of, choice, from_bits, leading, ordered_sum

cdef extern from *:
    """
    #define KB_PIO4_FIRST 7.85398163396166637540e-01    /* the first 35 bits of pi/4 ... */
    #define KB_PIO4_REST 1.28167207579725945085e-12     /* ... and the rest */
    #define KB_TAN_PIO8 4.14213562373095048802e-01
    #define KB_NEXT_TO_NOTHING 1e-300                   /* makes a divisor of 0 and changes no other */
    #define KB_GREATEST 1.79769313486231570815e+308
    static inline double kb_from_eighths(double count, double arc, double rest) KB_ALWAYS_INLINE;
    static inline double kb_angle_within(
        double across, double along, unsigned long long behind
    ) KB_ALWAYS_INLINE;
    static inline double kb_beyond_sine(double s, double z) KB_ALWAYS_INLINE;
    static inline double kb_arc_of(double a, double *s, double *rest) KB_ALWAYS_INLINE;
    static inline double kb_asin(double) KB_ONCE;
    static inline double kb_acos(double) KB_ONCE;
    static inline double kb_atan(double) KB_ONCE;
    static inline double kb_atan2(double, double) KB_ONCE;
    """
    const double KB_PIO4_FIRST
    const double KB_PIO4_REST
    const double KB_TAN_PIO8
    const double KB_NEXT_TO_NOTHING
    const double KB_GREATEST


cdef inline double from_eighths "kb_from_eighths"(double count, double arc, double rest) noexcept nogil:
    """count pi/4 + arc + rest, rounded once; `count` is 0, or count pi/4 the greatest of the three."""
    cdef double left
    cdef double total = ordered_sum(count * KB_PIO4_FIRST, arc, &left)
    return total + (left + (count * KB_PIO4_REST + rest))


cdef inline double angle_within "kb_angle_within"(
    double across, double along, unsigned long long behind
) noexcept nogil:
    """The angle of (along, across), both not negative, or its supplement where the last bit of `behind` is 1.

    One of the numbers has to be 1e-280 or more, or both 0. An infinity beside a number is what it should be.
    """
    cdef bint swap = across > along
    cdef double small = choice(swap, along, across)
    cdef double big = choice(swap, across, along)
    cdef bint half = small > KB_TAN_PIO8 * big                      # atan q = pi/4 + atan((q - 1)/(q + 1))
    cdef unsigned long long swapped = swap
    cdef unsigned long long count = half
    cdef unsigned long long sign = (swapped ^ behind) << 63         # of the quotient in the sum
    cdef double of_sum, of_difference, above, above_rest, below, below_rest, r, first, short_below, rest, z, z2, rz
    cdef double sum = ordered_sum(big, small, &of_sum)
    cdef double difference = -ordered_sum(big, -small, &of_difference)
    above = from_bits(bits_of(choice(half, difference, small)) ^ sign)
    above_rest = from_bits(bits_of(choice(half, -of_difference, 0.0)) ^ sign)
    below = choice(half, sum, big) + KB_NEXT_TO_NOTHING
    below_rest = choice(half, of_sum, 0.0)
    r = above / below
    first = leading(r)
    short_below = leading(below)
    rest = (above - first * short_below) - first * (below - short_below)
    rest = ((rest - (r - first) * below) + (above_rest - r * below_rest)) * (1.0 / below)
    rest = choice(below > KB_GREATEST, 0.0, rest)
    count = (count ^ (0 - swapped)) + 3 * swapped                   # 2 - count where swapped ...
    count = (count ^ (0 - behind)) + 5 * behind                     # ... and 4 less that where behind
    z = r * r
    z2 = z * z
    rz = r * z
    rest += rz * (-3.33333333333331982562e-01 + z * 1.99999999999540739593e-01) + (rz * z2) * (
        ((-1.42857142802478298549e-01 + z * 1.11111107861062985425e-01)
         + z2 * (-9.09089783560952935382e-02 + z * 7.69206162327859543915e-02))
        + (z2 * z2) * ((-6.66312023769827926900e-02 + z * 5.84800792420865772625e-02)
                       + z2 * ((-5.03984132938435983040e-02 + z * 3.80782212546583939683e-02)
                               + z2 * -1.79221765542618115263e-02))
    )
    return from_eighths(from_bits(bits_of(KB_ROUNDER) + count) - KB_ROUNDER, r, rest)


cdef inline double atan "kb_atan"(double x) noexcept nogil:
    """atan x within [-pi/2, pi/2]."""
    cdef double a = fabs(x)
    return copysign(angle_within(1e30 if a > 1e30 else a, 1.0, 0), x)


cdef inline double atan2 "kb_atan2"(double y, double x) noexcept nogil:
    """The angle of (x, y) from the x-axis towards the y-axis, within [-pi, pi]; a zero counts with its sign."""
    cdef double across = fabs(y)
    cdef double along = fabs(x)
    cdef bint infinite = (across > KB_GREATEST) & (along > KB_GREATEST)
    # So that what rounding takes from the quotient can be had: a power of 2 for both.
    cdef double scale = 3.27339060789614187001e+150 if (across < 1e120) & (along < 1e120) else 7.88860905221011805412e-31
    across = choice(infinite, 1.0, across * scale)
    along = choice(infinite, 1.0, along * scale)
    return copysign(angle_within(across, along, bits_of(x) >> 63), y)


cdef inline double beyond_sine "kb_beyond_sine"(double s, double z) noexcept nogil:
    """asin s = s + what is returned, for 0 <= s <= 1/2, z being its square."""
    cdef double z2 = z * z
    cdef double z4 = z2 * z2
    cdef double sz = s * z
    return sz * (1.66666666666653834339e-01 + z * 7.50000000034305863705e-02) + (sz * z2) * (
        ((4.46428568234767328415e-02 + z * 3.03819593312845102895e-02)
         + z2 * (2.23717535263760931852e-02 + z * 1.73597710175904876295e-02))
        + z4 * (((1.38845996474347126853e-02 + z * 1.21732703434658147412e-02)
                 + z2 * (6.51089542565620738035e-03 + z * 1.95737855267090719857e-02))
                + z4 * (-1.62938794146038935795e-02 + z * 3.19588308928463321612e-02))
    )


cdef inline double arc_of "kb_arc_of"(double a, double* s, double* rest) noexcept nogil:
    """asin a = s + rest for 0 <= a < 1/2; above, pi/2 - asin a = 2 (s + rest), of s = sqrt((1 - a)/2); NaN above 1."""
    cdef bint near = a < 0.5
    cdef double z = choice(near, a * a, 0.5 - 0.5 * a)
    cdef double root = sqrt(z)
    cdef double first = leading(root)
    cdef double second = root - first
    cdef double of_root = ((z - first * first) - 2.0 * first * second) - second * second
    s[0] = choice(near, a, root)
    rest[0] = choice(near, 0.0, of_root * (root * (0.5 / (z + KB_NEXT_TO_NOTHING)))) + beyond_sine(s[0], z)
    return choice(near, 1.0, 2.0)


cdef inline double asin "kb_asin"(double x) noexcept nogil:
    """asin x within [-pi/2, pi/2]; NaN for |x| > 1."""
    cdef double s, rest
    cdef double times = arc_of(fabs(x), &s, &rest)
    cdef double eighths = 2.0 * times - 2.0
    times = times * (1.0 - eighths)                         # 1 or -2
    return copysign(from_eighths(eighths, times * s, times * rest), x)


cdef inline double acos "kb_acos"(double x) noexcept nogil:
    """acos x within [0, pi]; NaN for |x| > 1."""
    cdef double s, rest
    cdef double times = arc_of(fabs(x), &s, &rest)
    cdef double eighths = choice(times < 2.0, 2.0, choice(x < 0.0, 4.0, 0.0))
    times = copysign(times, (times - 1.5) * x)
    return from_eighths(eighths, times * s, times * rest)
