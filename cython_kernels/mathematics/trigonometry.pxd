"""Sine and cosine together, from operations that IEEE 754 defines and nothing else.

C libraries differ in the last bit of sin and cos, and trajectories with them; this does not depend on the library, if
operations are not contracted.

Argument reduction by a multiple of pi/2 in three parts (Cody and Waite, 1980, Software Manual for the Elementary
Functions, ch. 8); minimax polynomials on [-pi/4, pi/4] with the coefficients of FDLIBM 5.3 (Sun Microsystems, 1993),
by pairs (Estrin, 1960): their terms do not wait for each other.
Error below 2 units in the last place for |x| < 1e5; beyond, the C library is asked.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin

cdef extern from *:
    """
    static inline void kb_reduced_sine_cosine(double r, double *sine, double *cosine) KB_ALWAYS_INLINE;
    static inline double kb_quarter_turns(double x, double *turned) KB_ALWAYS_INLINE;
    #define KB_TWO_OVER_PI 6.36619772367581382433e-01
    #define KB_PIO2_HIGH 1.57079632673412561417e+00     /* the first 33 bits of pi/2: its products below are exact */
    #define KB_PIO2_MIDDLE 6.07710050630396597660e-11   /* the next 33 */
    #define KB_PIO2_LOW 2.02226624879595063154e-21      /* the rest */
    #define KB_ROUNDER 6755399441055744.0               /* 1.5 * 2^52: adding it rounds to a whole number */
    """
    const double KB_TWO_OVER_PI
    const double KB_PIO2_HIGH
    const double KB_PIO2_MIDDLE
    const double KB_PIO2_LOW
    const double KB_ROUNDER


cdef inline void reduced_sine_cosine "kb_reduced_sine_cosine"(double r, double* sine, double* cosine) noexcept nogil:
    """sin r and cos r for |r| <= pi/4, by polynomials alone."""
    cdef double z = r * r
    cdef double z2 = z * z
    cdef double z4 = z2 * z2
    sine[0] = r + r * z * (
        (-1.66666666666666324348e-01 + z * 8.33333333332248946124e-03)
        + z2 * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06)
        + z4 * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
    )
    cosine[0] = 1.0 - (0.5 * z - z2 * (
        (4.16666666666666019037e-02 + z * -1.38888888888741095749e-03)
        + z2 * (2.48015872894767294178e-05 + z * -2.75573143513906633035e-07)
        + z4 * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
    ))


cdef inline double quarter_turns "kb_quarter_turns"(double x, double* turned) noexcept nogil:
    """What x is beyond the nearest multiple of pi/2, rad; `turned` is that multiple plus KB_ROUNDER."""
    cdef double whole
    turned[0] = x * KB_TWO_OVER_PI + KB_ROUNDER
    whole = turned[0] - KB_ROUNDER
    return ((x - whole * KB_PIO2_HIGH) - whole * KB_PIO2_MIDDLE) - whole * KB_PIO2_LOW


cdef inline void sine_cosine(double x, double* sine, double* cosine) noexcept nogil:
    """sin x and cos x; x in rad."""
    cdef double turned, s, c, swapped
    cdef double r = x
    cdef long long turn = 0
    if not (fabs(x) < 0.785):               # within pi/4 of 0, where most roll and pitch is, nothing is to be taken off
        if not (fabs(x) < 1e5):
            sine[0] = sin(x)
            cosine[0] = cos(x)
            return
        r = quarter_turns(x, &turned)
        turn = <long long>(turned - KB_ROUNDER)
    reduced_sine_cosine(r, &s, &c)
    if turn & 1:
        swapped = s
        s = c
        c = -swapped
    if turn & 2:
        s = -s
        c = -c
    sine[0] = s
    cosine[0] = c
