"""What loops over many wave components are made of: work on eight numbers, the lanes, at once, without a branch.

Compilers turn a loop over lanes into vector instructions, see `wide_paths.pxd`.

Argument reduction and polynomials stand in `trigonometry.pxd`; here the quadrant is chosen by masks.
"""

from cython_kernels.mathematics.elementary.bits cimport KB_SIGN, bits_of, from_bits
from cython_kernels.mathematics.elementary.exponential cimport near_exp
from cython_kernels.mathematics.trigonometry cimport KB_PIO2_HIGH, KB_ROUNDER, KB_TWO_OVER_PI, reduced_sine_cosine

cdef extern from *:
    """
    static inline double kb_wide_beyond(double x, double turns, double *counted) KB_ALWAYS_INLINE;
    static inline void kb_wide_sine_cosine(double x, double *sine, double *cosine) KB_ALWAYS_INLINE;
    static inline double kb_wide_sine(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_exp(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_choice(int condition, double first, double second) KB_ALWAYS_INLINE;
    #define KB_PIO2_REST 6.07710050650619260148e-11    /* pi/2 - KB_PIO2_HIGH */
    """
    const double KB_PIO2_REST


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
    """e^x for -700 <= x <= 0, the same numbers as `exp` gives, and e^-700 below."""
    cdef double limit = 0.0 * x - 700.0     # of a choice of constants compilers make a path of its own, not vectors
    return near_exp(limit if x < limit else x)


cdef inline double sum_of_lanes(const double* lanes) noexcept nogil:
    """The sum of eight numbers, always in the same order."""
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
