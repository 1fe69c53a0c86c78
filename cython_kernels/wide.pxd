"""What loops over many wave components are made of: work on eight numbers, the lanes, at once, without a branch.

Compilers turn a loop over lanes into vector instructions, see `wide_paths.pxd`.

Argument reduction and polynomials stand in `trigonometry.pxd`; here the quadrant is chosen by masks.
"""

from cython_kernels.trigonometry cimport KB_ROUNDER, quarter_turns, reduced_sine_cosine

cdef extern from *:
    """
    #include <string.h>
    static inline void kb_wide_sine_cosine(double x, double *sine, double *cosine) KB_ALWAYS_INLINE;
    static inline double kb_wide_sine(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_exp(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_choice(int condition, double first, double second) KB_ALWAYS_INLINE;
    #define KB_LOG2_E 1.44269504088896338700e+00
    #define KB_LN2_HIGH 6.93147180369123816490e-01     /* the first 33 bits of ln 2 */
    #define KB_LN2_LOW 1.90821492927058770002e-10

    static inline unsigned long long kb_bits_of(double x) {
        unsigned long long bits;
        memcpy(&bits, &x, sizeof bits);
        return bits;
    }

    static inline double kb_from_bits(unsigned long long bits) {
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    """
    const double KB_LOG2_E
    const double KB_LN2_HIGH
    const double KB_LN2_LOW
    unsigned long long bits_of "kb_bits_of"(double x) noexcept nogil
    double from_bits "kb_from_bits"(unsigned long long bits) noexcept nogil


cdef inline double wide_choice "kb_wide_choice"(bint condition, double first, double second) noexcept nogil:
    """`first` if the condition holds, else `second`: by a mask, where compilers would make two paths of an `if`."""
    cdef unsigned long long mask = 0 - <unsigned long long>condition
    return from_bits((bits_of(first) & mask) | (bits_of(second) & ~mask))


cdef inline void wide_sine_cosine "kb_wide_sine_cosine"(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x, for |x| < 1.6e6 within 2 units in the last place; x in rad."""
    cdef double turned, s, c
    cdef double r = quarter_turns(x, &turned)
    cdef unsigned long long quadrant = bits_of(turned)      # its last bits count the quarter turns
    cdef unsigned long long swap = 0 - (quadrant & 1)
    cdef unsigned long long first, second
    reduced_sine_cosine(r, &s, &c)
    first = bits_of(s)
    second = bits_of(c)
    swap &= first ^ second                                  # where the quarter turns are odd, sine and cosine swap
    sine[0] = from_bits((first ^ swap) ^ ((quadrant & 2) << 62))
    cosine[0] = from_bits((second ^ swap) ^ (((quadrant + 1) & 2) << 62))


cdef inline double wide_sine "kb_wide_sine"(double x) noexcept nogil:
    """sin x alone."""
    cdef double sine, cosine
    wide_sine_cosine(x, &sine, &cosine)
    return sine


cdef inline double wide_exp "kb_wide_exp"(double x) noexcept nogil:
    """e^x for -700 <= x <= 0, and e^-700 below: within 2 units in the last place.

    Reduction by whole powers of 2 and the Taylor polynomial on |r| <= ln 2 / 2.
    """
    cdef double limit = 0.0 * x - 700.0     # of a choice of constants compilers make a path of its own, not vectors
    cdef double bounded = limit if x < limit else x
    cdef double power = bounded * KB_LOG2_E + KB_ROUNDER
    cdef unsigned long long exponent = bits_of(power) << 52
    cdef double whole = power - KB_ROUNDER
    cdef double r = (bounded - whole * KB_LN2_HIGH) - whole * KB_LN2_LOW
    cdef double e = 1.0 + r * (1.0 + r * (0.5 + r * (
        1.66666666666666666667e-01 + r * (4.16666666666666666667e-02 + r * (
            8.33333333333333333333e-03 + r * (1.38888888888888888889e-03 + r * (
                1.98412698412698412698e-04 + r * (2.48015873015873015873e-05 + r * (
                    2.75573192239858906526e-06 + r * (2.75573192239858906526e-07 + r * (
                        2.50521083854417187751e-08 + r * 2.08767569878680989792e-09
                    ))
                ))
            ))
        ))
    )))
    return from_bits(bits_of(e) + exponent)


cdef inline double sum_of_lanes(const double* lanes) noexcept nogil:
    """The sum of eight numbers, always in the same order."""
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
