"""Arc sine, arc cosine and arc tangent: a multiple of pi/4, and a polynomial of what is left.

The polynomials are minimax in the error relative to their arc, by `benchmarks/elementary/minimax.py`: 2^-59.4 of the
arc tangent up to tan(pi/8), 2^-55.8 of the arc sine up to 1/2. Quotients and roots are taken with what rounding takes
from them, and the multiple of pi/4 in two numbers, so that nearly all of the error is that of the last sum. A million
points were at most 0.75 units in the last place off (asin, acos, atan2; atan 0.65).
"""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.elementary.bits cimport leading, ordered_sum

cdef extern from *:
    """
    #define KB_PIO4_FIRST 7.85398163396166637540e-01    /* the first 35 bits of pi/4 ... */
    #define KB_PIO4_REST 1.28167207579725945085e-12     /* ... and the rest */
    #define KB_TAN_PIO8 4.14213562373095048802e-01
    #define KB_NEXT_TO_NOTHING 1e-300                   /* makes a divisor of 0 and changes no other */
    #define KB_GREATEST 1.79769313486231570815e+308
    static inline double kb_from_eighths(double count, double arc, double rest) KB_ALWAYS_INLINE;
    static inline double kb_angle_within(
        double small, double big, double half, double turn, double ahead
    ) KB_ALWAYS_INLINE;
    static inline double kb_angle_of(double across, double along, double ahead) KB_ALWAYS_INLINE;
    static inline double kb_beyond_tangent(double rz, double z) KB_ALWAYS_INLINE;
    static inline int kb_within_bounds(double a) KB_ALWAYS_INLINE;
    static inline double kb_far_angle(double y, double x) KB_ONCE KB_FAR;
    static inline double kb_beyond_sine(double s, double z) KB_ALWAYS_INLINE;
    static inline double kb_arc_of(double a, double *far, double *rest) KB_ALWAYS_INLINE;
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


cdef inline double beyond_tangent "kb_beyond_tangent"(double rz, double z) noexcept nogil:
    """atan r - r for |r| <= tan(pi/8), z being r^2 and rz r^3."""
    cdef double z2 = z * z
    cdef double z4 = z2 * z2
    return rz * (-3.33333333333331982562e-01 + z * 1.99999999999540739593e-01) + (rz * z2) * (
        (((-1.42857142802478298549e-01 + z * 1.11111107861062985425e-01)
          + z2 * (-9.09089783560952935382e-02 + z * 7.69206162327859543915e-02))
         + (z4 * z4) * -1.79221765542618115263e-02)
        + z4 * ((-6.66312023769827926900e-02 + z * 5.84800792420865772625e-02)
                + z2 * (-5.03984132938435983040e-02 + z * 3.80782212546583939683e-02))
    )


cdef inline double angle_within "kb_angle_within"(
    double small, double big, double half, double turn, double ahead
) noexcept nogil:
    """The angle of a vector in a quadrant from its components, the lesser first, or what it lacks to pi.

    `half` is 1 where small/big is above tan(pi/8), else 0; `turn` is -1 where the second component is the greater, else
    1; `ahead` is -1 for the supplement, else 1. `big` is within 1e-120 and 1e120, and `small` not below 1e-270; or 0.
    """
    cdef double eighths = (2.0 - 2.0 * ahead) + ahead * ((1.0 - turn) + turn * half)
    cdef double above_rest, below_rest, first, short_below, rest    # atan q = pi/4 + atan((q - 1)/(q + 1))
    cdef double above = ordered_sum(half * big, -small, &above_rest)    # with the other sign
    cdef double below = ordered_sum(big, half * small, &below_rest) + KB_NEXT_TO_NOTHING
    cdef double sign = -(turn * ahead)
    cdef double r = above / below
    cdef double z = r * r
    cdef double arc = sign * r
    cdef double rz = arc * z
    first = leading(r)
    short_below = leading(below)
    rest = ((above - first * short_below) - first * (below - short_below)) - (r - first) * below
    rest = (rest + (above_rest - r * below_rest)) * (sign / below)
    return from_eighths(eighths, arc, rest + beyond_tangent(rz, z))


cdef inline double angle_of "kb_angle_of"(double across, double along, double ahead) noexcept nogil:
    """The same with the octant chosen: by comparisons, of which compilers make paths or choices as they like."""
    cdef double small = across if across < along else along
    cdef double big = along if across < along else across
    cdef double half = 1.0 if KB_TAN_PIO8 * big < small else 0.0
    cdef double turn = -1.0 if along < across else 1.0
    return angle_within(small, big, half, turn, ahead)


cdef inline bint within_bounds "kb_within_bounds"(double a) noexcept nogil:
    """Whether a is 0 or what `angle_within` takes of either number."""
    return (a < 1e120) & ((a > 1e-120) | (a == 0.0))


cdef inline double far_angle "kb_far_angle"(double y, double x) noexcept nogil:
    """The same as `atan2` for numbers of any size."""
    cdef double across = fabs(y)
    cdef double along = fabs(x)
    cdef double big = along if across < along else across
    cdef double scale = 3.27339060789614187001e+150 if big < 1e120 else 7.88860905221011805412e-31      # powers of 2
    if x != x or y != y:
        return x + y
    if big > KB_GREATEST:
        across = 1.0 if across > KB_GREATEST else 0.0
        along = 1.0 if along > KB_GREATEST else 0.0
        scale = 1.0
    return copysign(angle_of(across * scale, along * scale, copysign(1.0, x)), y)


cdef inline double atan "kb_atan"(double x) noexcept nogil:
    """atan x within [-pi/2, pi/2]."""
    cdef double a = fabs(x)
    cdef double z = x * x
    if a < 1e-9:                                # on course
        return x
    if a <= KB_TAN_PIO8:                        # nothing is taken off: the same number, sooner
        return copysign(x + beyond_tangent(x * z, z), x)
    return copysign(angle_of(1e30 if 1e30 < a else a, 1.0, 1.0), x)


cdef inline double atan2 "kb_atan2"(double y, double x) noexcept nogil:
    """The angle of (x, y) from the x-axis towards the y-axis, within [-pi, pi]; a zero counts with its sign."""
    cdef double across = fabs(y)
    cdef double along = fabs(x)
    if within_bounds(across) and within_bounds(along):
        return copysign(angle_of(across, along, copysign(1.0, x)), y)
    return far_angle(y, x)


cdef inline double beyond_sine "kb_beyond_sine"(double s, double z) noexcept nogil:
    """asin s - s for 0 <= s <= 1/2, z being its square."""
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


cdef inline double arc_of "kb_arc_of"(double a, double* far, double* rest) noexcept nogil:
    """asin a = s + `rest` for 0 <= a < 1/2, s being returned; above, pi/2 - asin a = 2 (s + `rest`), and `far` is 1.

    There s is sqrt((1 - a)/2) in its first digits, and NaN above 1.
    """
    cdef double square = a * a
    cdef double z = 0.5 - 0.5 * a
    cdef double root, first, of_root
    z = square if square < z else z                         # the first is the lesser where a is
    root = sqrt(z)
    first = leading(root)
    of_root = (z - first * first) / ((root + first) + KB_NEXT_TO_NOTHING)
    far[0] = 0.0 if a < 0.5 else 1.0
    rest[0] = far[0] * of_root + beyond_sine(root, z)
    return a if a < 0.5 else first


cdef inline double asin "kb_asin"(double x) noexcept nogil:
    """asin x within [-pi/2, pi/2]; NaN for |x| > 1."""
    cdef double far, rest, s, times
    if fabs(x) < 0.5:                           # no root is taken: the same number, sooner
        return x + beyond_sine(x, x * x)
    s = arc_of(fabs(x), &far, &rest)
    times = 1.0 - 3.0 * far
    return copysign(from_eighths(2.0 * far, times * s, times * rest), x)


cdef inline double acos "kb_acos"(double x) noexcept nogil:
    """acos x within [0, pi]; NaN for |x| > 1."""
    cdef double far, rest, s, times
    cdef double sign = copysign(1.0, x)
    if fabs(x) < 0.5:                           # likewise
        return from_eighths(2.0, -x, -beyond_sine(x, x * x))
    s = arc_of(fabs(x), &far, &rest)
    times = sign * (3.0 * far - 1.0)
    return from_eighths(2.0 - 2.0 * (far * sign), times * s, times * rest)
