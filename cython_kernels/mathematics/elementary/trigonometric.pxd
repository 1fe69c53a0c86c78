"""Sine, cosine and tangent.

On [-pi/4, pi/4], where `argument_reduction.pxd` leads: minimax polynomials with the coefficients of FDLIBM 5.3 (Sun
Microsystems, 1993), good to 2^-58, by pairs (Estrin, 1960), whose terms do not wait for each other. First terms are
kept in two numbers, so that nearly all of the error is that of the last sum; the tangent is their quotient, both in two
numbers. A million points were at most 0.82, 0.80 and 0.84 units in the last place off.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.elementary.argument_reduction cimport (
    KB_MANY_TURNS,
    many_quarter_turns,
    quarter_turns,
)
from cython_kernels.mathematics.elementary.bits cimport (
    KB_SIGN,
    bits_of,
    choice,
    exact_product,
    from_bits,
    leading,
    ordered_sum,
)

cdef extern from *:
    """
    static inline void kb_reduced_parts(
        double r, int tailed, double tail, double *of_sine, double *cosine, double *of_cosine
    ) KB_ALWAYS_INLINE;
    static inline void kb_turned(
        double r, double tail, unsigned long long turns, double *sine, double *cosine
    ) KB_ALWAYS_INLINE;
    static inline void kb_of_any_angle(double x, double *sine, double *cosine) KB_ALWAYS_INLINE;
    static inline void kb_far_sine_cosine(double x, double *sine, double *cosine) KB_ONCE KB_FAR;
    static inline double kb_far_tangent(double x) KB_ONCE KB_FAR;
    static inline double kb_tangent(double r, double tail, unsigned long long turns) KB_ALWAYS_INLINE;
    static inline double kb_sin(double) KB_ONCE;
    static inline double kb_cos(double) KB_ONCE;
    static inline double kb_tan(double) KB_ONCE;
    """


cdef inline void reduced_parts "kb_reduced_parts"(
    double r, bint tailed, double tail, double* of_sine, double* cosine, double* of_cosine
) noexcept nogil:
    """sin(r + tail) = r - `of_sine`, cos(r + tail) = `cosine` + `of_cosine`, |r| <= pi/4: by polynomials alone.

    `tailed`, of which the compiler has to know: whether there is a tail.
    """
    cdef double z = r * r
    cdef double half = 0.5 * z
    cdef double near = 1.0 - half
    cdef double z2 = z * z
    cdef double rz = r * z
    cdef double first_of_sine = rz * (1.66666666666666324348e-01 + z * -8.33333333332248946124e-03)
    cdef double first_of_cosine = z2 * (4.16666666666666019037e-02 + z * -1.38888888888741095749e-03)
    if tailed:
        first_of_sine -= tail * near
        first_of_cosine -= r * tail
    of_sine[0] = first_of_sine - (rz * z2) * (
        (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06)
        + z2 * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    )
    cosine[0] = near
    of_cosine[0] = (((1.0 - near) - half) + first_of_cosine) + (z2 * z2) * (
        (2.48015872894767294178e-05 + z * -2.75573143513906633035e-07)
        + z2 * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
    )


cdef inline void turned "kb_turned"(
    double r, double tail, unsigned long long turns, double* sine, double* cosine
) noexcept nogil:
    """sin x and cos x, x being r + tail beyond so many quarter turns."""
    cdef double of_sine, near, of_cosine
    cdef unsigned long long first, second
    cdef unsigned long long swap = 0 - (turns & 1)
    reduced_parts(r, True, tail, &of_sine, &near, &of_cosine)
    first = bits_of(r - of_sine)
    second = bits_of(near + of_cosine)
    swap &= first ^ second                                  # where the quarter turns are odd, sine and cosine swap
    sine[0] = from_bits((first ^ swap) ^ ((turns << 62) & KB_SIGN))
    cosine[0] = from_bits((second ^ swap) ^ (((turns + 1) << 62) & KB_SIGN))


cdef inline void far_sine_cosine "kb_far_sine_cosine"(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x for |x| >= KB_MANY_TURNS."""
    cdef double tail
    cdef unsigned long long turns
    cdef double r = many_quarter_turns(x, &tail, &turns)
    turned(r, tail, turns, sine, cosine)


cdef inline void of_any_angle "kb_of_any_angle"(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x."""
    cdef double r, tail
    cdef unsigned long long turns
    if fabs(x) < KB_MANY_TURNS:
        r = quarter_turns(x, &tail, &turns)
        turned(r, tail, turns, sine, cosine)
    else:
        far_sine_cosine(x, sine, cosine)


cdef inline double sin "kb_sin"(double x) noexcept nogil:
    """sin x; x in rad."""
    cdef double sine, cosine
    of_any_angle(x, &sine, &cosine)
    return sine


cdef inline double cos "kb_cos"(double x) noexcept nogil:
    """cos x; x in rad."""
    cdef double sine, cosine
    of_any_angle(x, &sine, &cosine)
    return cosine


cdef inline double tangent "kb_tangent"(double r, double tail, unsigned long long turns) noexcept nogil:
    """tan x, x being r + tail beyond so many quarter turns."""
    cdef double of_sine, near, of_cosine, sine, cosine, over, under, over_rest, under_rest, first, short_under, lacking
    cdef unsigned long long sign = (turns & 1) << 63
    reduced_parts(r, True, tail, &of_sine, &near, &of_cosine)
    exact_product(r, r, &lacking)                           # what of r^2 did not go into the two
    sine = ordered_sum(r, -(of_sine + lacking * (r * (1.0 / 6.0))), &of_sine)
    cosine = ordered_sum(near, of_cosine - 0.5 * lacking, &of_cosine)
    over = choice(turns & 1, cosine, sine)                  # an odd number of quarter turns further: -1/tan
    under = choice(turns & 1, sine, cosine)
    over_rest = choice(turns & 1, of_cosine, of_sine)
    under_rest = choice(turns & 1, of_sine, of_cosine)
    over = from_bits(bits_of(over) ^ sign)
    over_rest = from_bits(bits_of(over_rest) ^ sign)
    first = leading(over / under)
    short_under = leading(under)
    lacking = ((first * short_under - over) + first * ((under - short_under) + under_rest)) - over_rest
    return first - lacking * (1.0 / under)


cdef inline double far_tangent "kb_far_tangent"(double x) noexcept nogil:
    """tan x for |x| >= KB_MANY_TURNS."""
    cdef double tail
    cdef unsigned long long turns
    cdef double r = many_quarter_turns(x, &tail, &turns)
    return tangent(r, tail, turns)


cdef inline double tan "kb_tan"(double x) noexcept nogil:
    """tan x; x in rad."""
    cdef double r, tail
    cdef unsigned long long turns
    if fabs(x) < KB_MANY_TURNS:
        r = quarter_turns(x, &tail, &turns)
        return tangent(r, tail, turns)
    return far_tangent(x)
