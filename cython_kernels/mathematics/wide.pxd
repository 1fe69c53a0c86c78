"""What loops over many wave components are made of: work on eight numbers, the lanes, at once, without a branch.

Compilers turn a loop over lanes into vector instructions, see `wide_paths.pxd`.

They are the main paths of the functions in `elementary/`, of which the rest is for numbers that waves do not have.
"""

from cython_kernels.mathematics.elementary.argument_reduction cimport quarter_turns
from cython_kernels.mathematics.elementary.exponential cimport near_exp
from cython_kernels.mathematics.elementary.trigonometric cimport turned

cdef extern from *:
    """
    static inline void kb_wide_sine_cosine(double x, double *sine, double *cosine) KB_ALWAYS_INLINE;
    static inline double kb_wide_sine(double x) KB_ALWAYS_INLINE;
    static inline double kb_wide_exp(double x) KB_ALWAYS_INLINE;
    """


cdef inline void wide_sine_cosine "kb_wide_sine_cosine"(double x, double* sine, double* cosine) noexcept nogil:
    """The sin x and cos x of `sine_cosine` for |x| < 4.11e5 rad, 38 h of a phase at 3 rad/s.

    Beyond, those of a number nearer to x than the next one is: phases are no better known.
    """
    cdef double tail
    cdef unsigned long long turns
    cdef double r = quarter_turns(x, &tail, &turns)
    turned(r, tail, turns, sine, cosine)


cdef inline double wide_sine "kb_wide_sine"(double x) noexcept nogil:
    """That sine alone."""
    cdef double sine, cosine
    wide_sine_cosine(x, &sine, &cosine)
    return sine


cdef inline double wide_exp "kb_wide_exp"(double x) noexcept nogil:
    """e^x for -700 <= x <= 0, the same numbers as `exp` gives, and e^-700 below."""
    cdef double limit = 0.0 * x - 700.0     # of a choice of constants compilers make a path of its own, not vectors
    return near_exp(limit if x < limit else x)


cdef inline double sum_of_lanes(const double* lanes) noexcept nogil:
    """The sum of eight numbers, always in the same order."""
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
