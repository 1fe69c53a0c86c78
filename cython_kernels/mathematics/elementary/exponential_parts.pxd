"""What exponential and hyperbolic functions and powers are made of: x = n ln 2 + r, and polynomials in r.

n is the nearest whole number, so that |r| <= ln 2 / 2; n ln 2 is taken off in two parts, the first exactly (Cody and
Waite, 1980, Software Manual for the Elementary Functions, ch. 6). Polynomials are minimax with the coefficients in
double precision, evaluated by pairs (Estrin, 1960): their terms do not wait for each other.
"""

cdef extern from *:
    """
    #define KB_WHOLE 6755399441056767.0                 /* 1.5 * 2^52 + 1023: adding it rounds to a whole number */
    #define KB_LOG2_E 1.44269504088896338700e+00
    #define KB_LN2_HIGH 6.93147180559890330187e-01      /* ln 2 to 42 bits: times a whole n it is exact */
    #define KB_LN2_LOW 5.49792301870837115524e-14
    static inline double kb_power_of_2(double n) KB_ALWAYS_INLINE;
    static inline double kb_held(double x, double least, double greatest) KB_ALWAYS_INLINE;
    static inline double kb_exp_parts(double x, double more, double n, double *beyond) KB_ALWAYS_INLINE;
    static inline double kb_odd_even_parts(
        double x, double n, double *low, double *odd, double *even
    ) KB_ALWAYS_INLINE;
    """
    const double KB_WHOLE
    const double KB_LOG2_E
    const double KB_LN2_HIGH
    const double KB_LN2_LOW

from cython_kernels.mathematics.elementary.bits cimport bits_of, from_bits


cdef inline double power_of_2 "kb_power_of_2"(double n) noexcept nogil:
    """2^n for whole -1023 < n <= 1024; 0 for -1023, infinity for 1024."""
    return from_bits(bits_of(n + KB_WHOLE) << 52)       # the last bits of the sum are the exponent of 2^n


cdef inline double held "kb_held"(double x, double least, double greatest) noexcept nogil:
    """x within bounds; a not-a-number stays one."""
    cdef double above = least if x < least else x
    return greatest if above > greatest else above


cdef inline double exp_parts "kb_exp_parts"(double x, double more, double n, double* beyond) noexcept nogil:
    """e^(x + more) = 2^n (1 + exp_parts + beyond), n being the whole number nearest to x / ln 2; |more| < 2^-20 |x|.

    What is returned is x - n ln 2 to 42 bits of it, an exact number. Polynomial: of degree 11, absolute error 6e-18.
    """
    cdef double near = x - n * KB_LN2_HIGH
    cdef double low = n * KB_LN2_LOW - more
    cdef double r = near - low
    cdef double r2 = r * r
    cdef double r4 = r2 * r2
    beyond[0] = (r2 * (
        (0.5 + r * 1.66666666666666851704e-01) + r2 * (4.16666666666027710186e-02 + r * 8.33333333331466585836e-03)
    ) - low) + (r4 * r2) * (
        (1.38888889272785085935e-03 + r * 1.98412699041099985925e-04)
        + r2 * (2.48015080775604503810e-05 + r * 2.75572253228828229887e-06)
        + r4 * (2.76254269672815187200e-07 + r * 2.51159591484298531279e-08)
    )
    return near


cdef inline double odd_even_parts "kb_odd_even_parts"(
    double x, double n, double* low, double* odd, double* even
) noexcept nogil:
    """Of x = n ln 2 + r, r as an exact number less `low`, and sinh r = r + `odd`, cosh r = 1 + r^2/2 + `even`.

    Polynomials: of degree 11, relative error 3e-19 of sinh r, and 12, absolute error 1e-21.
    """
    cdef double near = x - n * KB_LN2_HIGH
    cdef double r, z, z2
    low[0] = n * KB_LN2_LOW
    r = near - low[0]
    z = r * r
    z2 = z * z
    odd[0] = (r * z) * (
        (1.66666666666666768437e-01 + z * 8.33333333332138444238e-03)
        + z2 * ((1.98412698868270407585e-04 + z * 2.75572434342627657048e-06) + z2 * 2.51093289590954843065e-08)
    )
    even[0] = z2 * (
        (4.16666666666666851704e-02 + z * 1.38888888888732834129e-03)
        + z2 * ((2.48015873491770176150e-05 + z * 2.75572518728799959762e-07) + z2 * 2.09217426001902699145e-09)
    )
    return near
