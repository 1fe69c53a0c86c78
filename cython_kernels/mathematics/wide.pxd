"""What loops over many wave components are made of: work on eight numbers, the lanes, at once, without a branch.

Compilers turn a loop over lanes into vector instructions, see `wide_paths.pxd`.

They are the main paths of the functions in `elementary/`, of which the rest is for numbers that waves do not have.
"""

from cython_kernels.mathematics.elementary.argument_reduction cimport KB_ROUNDER, quarter_turns
from cython_kernels.mathematics.elementary.bits cimport bits_of, from_bits
from cython_kernels.mathematics.elementary.trigonometric cimport turned

cdef extern from *:
    """
    static inline void kb_wide_sine_cosine(double x, double *sine, double *cosine) KB_ALWAYS_INLINE;
    static inline double kb_wide_sine(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_exp(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_choice(int condition, double first, double second) KB_ALWAYS_INLINE;
    #define KB_LOG2_E 1.44269504088896338700e+00
    #define KB_LN2_HIGH 6.93147180369123816490e-01     /* the first 33 bits of ln 2 */
    #define KB_LN2_LOW 1.90821492927058770002e-10
    """
    const double KB_LOG2_E
    const double KB_LN2_HIGH
    const double KB_LN2_LOW


cdef inline double wide_choice "kb_wide_choice"(bint condition, double first, double second) noexcept nogil:
    """`first` if the condition holds, else `second`: by a mask, where compilers would make two paths of an `if`."""
    cdef unsigned long long mask = 0 - <unsigned long long>condition
    return from_bits((bits_of(first) & mask) | (bits_of(second) & ~mask))


cdef inline void wide_sine_cosine "kb_wide_sine_cosine"(double x, double* sine, double* cosine) noexcept nogil:
    """The sin x and cos x of `sine_cosine`, for |x| < KB_MANY_TURNS; x in rad."""
    cdef double tail
    cdef unsigned long long turns
    cdef double r = quarter_turns(x, &tail, &turns)
    turned(r, tail, turns, sine, cosine)


cdef inline double wide_sine "kb_wide_sine"(double x) noexcept nogil:
    """The sin x of `sin`, for |x| < KB_MANY_TURNS."""
    cdef double sine, cosine
    wide_sine_cosine(x, &sine, &cosine)
    return sine


cdef inline double wide_exp "kb_wide_exp"(double x) noexcept nogil:
    """e^x for -700 <= x <= 0, and e^-700 below: within 2 units in the last place.

    Reduction by whole powers of 2 and a polynomial, minimax in the relative error, 4e-18, on |r| <= ln 2 / 2.
    """
    cdef double limit = 0.0 * x - 700.0     # of a choice of constants compilers make a path of its own, not vectors
    cdef double bounded = limit if x < limit else x
    cdef double power = bounded * KB_LOG2_E + KB_ROUNDER
    cdef unsigned long long exponent = bits_of(power) << 52
    cdef double whole = power - KB_ROUNDER
    cdef double r = (bounded - whole * KB_LN2_HIGH) - whole * KB_LN2_LOW
    cdef double r2 = r * r
    cdef double r4 = r2 * r2
    cdef double e = 1.0 + (r + r2 * (
        ((0.5 + r * 1.66666666666664125276e-01)
         + r2 * (4.16666666665301623077e-02 + r * 8.33333333349445948434e-03))
        + r4 * (((1.38888889436292913817e-03 + r * 1.98412695065818484315e-04)
                 + r2 * (2.48014930996479295670e-05 + r * 2.75575863721467427944e-06))
                + r4 * (2.76302481431502513561e-07 + r * 2.50000618440182551220e-08))
    ))
    return from_bits(bits_of(e) + exponent)


cdef inline double sum_of_lanes(const double* lanes) noexcept nogil:
    """The sum of eight numbers, always in the same order."""
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
