"""What loops over many wave components are made of: work on eight numbers, the lanes, at once, without a branch.

Compilers turn a loop over lanes into vector instructions, see `wide_paths.pxd`.

Argument reduction and polynomials stand in `trigonometry.pxd`; here the quadrant is chosen by masks.
"""

from cython_kernels.mathematics.elementary.bits cimport KB_SIGN, bits_of, from_bits
from cython_kernels.mathematics.trigonometry cimport KB_PIO2_HIGH, KB_ROUNDER, KB_TWO_OVER_PI, reduced_sine_cosine

cdef extern from *:
    """
    static inline double kb_wide_beyond(double x, double turns, double *counted) KB_ALWAYS_INLINE;
    static inline void kb_wide_sine_cosine(double x, double *sine, double *cosine) KB_ALWAYS_INLINE;
    static inline double kb_wide_sine(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_exp(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_choice(int condition, double first, double second) KB_ALWAYS_INLINE;
    #define KB_PIO2_REST 6.07710050650619260148e-11    /* pi/2 - KB_PIO2_HIGH */
    #define KB_LOG2_E 1.44269504088896338700e+00
    #define KB_LN2_HIGH 6.93147180369123816490e-01     /* the first 33 bits of ln 2 */
    #define KB_LN2_LOW 1.90821492927058770002e-10
    """
    const double KB_PIO2_REST
    const double KB_LOG2_E
    const double KB_LN2_HIGH
    const double KB_LN2_LOW


cdef inline double wide_choice "kb_wide_choice"(bint condition, double first, double second) noexcept nogil:
    """`first` if the condition holds, else `second`: by a mask, where compilers would make two paths of an `if`."""
    cdef unsigned long long mask = 0 - <unsigned long long>condition
    return from_bits((bits_of(first) & mask) | (bits_of(second) & ~mask))


cdef inline double wide_beyond "kb_wide_beyond"(double x, double turns, double* counted) noexcept nogil:
    """What x is beyond the nearest multiple of so many quarter turns, rad; `counted` is that multiple plus KB_ROUNDER.

    In two parts: near the multiples it is good to 1e-26 of x, where the three of `quarter_turns` are good to 1e-37.
    """
    cdef double whole
    counted[0] = x * (KB_TWO_OVER_PI / turns) + KB_ROUNDER
    whole = counted[0] - KB_ROUNDER
    return (x - whole * (turns * KB_PIO2_HIGH)) - whole * (turns * KB_PIO2_REST)


cdef inline void wide_sine_cosine "kb_wide_sine_cosine"(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x, for |x| < 1.6e6 within 2 units in the last place; x in rad."""
    cdef double counted, s, c
    cdef double r = wide_beyond(x, 1.0, &counted)
    cdef unsigned long long quadrant = bits_of(counted)     # its last bits count the quarter turns
    cdef unsigned long long swap = 0 - (quadrant & 1)
    cdef unsigned long long first, second
    reduced_sine_cosine(r, &s, &c)
    first = bits_of(s)
    second = bits_of(c)
    swap &= first ^ second                                  # where the quarter turns are odd, sine and cosine swap
    sine[0] = from_bits((first ^ swap) ^ ((quadrant << 62) & KB_SIGN))
    cosine[0] = from_bits((second ^ swap) ^ (((quadrant + 1) << 62) & KB_SIGN))


cdef inline double wide_sine "kb_wide_sine"(double x) noexcept nogil:
    """sin x alone, within 2 units in the last place too: by half turns, and one longer polynomial.

    The polynomial is minimax in the relative error, 5e-19, on [-pi/2, pi/2].
    """
    cdef double counted
    cdef double r = wide_beyond(x, 2.0, &counted)
    cdef double z = r * r
    cdef double z2 = z * z
    cdef double z4 = z2 * z2
    cdef double sine = r + r * z * (
        ((-1.66666666666666661292e-01 + z * 8.33333333333323966358e-03)
         + z2 * (-1.98412698412216262203e-04 + z * 2.75573192127286340465e-06))
        + z4 * ((-2.50521069796223021879e-08 + z * 1.60589435006549068385e-10)
                + z2 * (-7.64305683469246665560e-13 + z * 2.72157334404067774937e-15))
    )
    return from_bits(bits_of(sine) ^ (bits_of(counted) << 63))  # odd half turns: the other sign


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
