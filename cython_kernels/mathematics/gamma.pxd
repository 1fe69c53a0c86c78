"""The gamma function."""

from cython_kernels.mathematics.elementary.logarithmic cimport log

cdef extern from *:
    """
    #define KB_HALF_LOG_TWO_PI 0.91893853320467274178
    """
    const double KB_HALF_LOG_TWO_PI


cdef inline double log_gamma(double x) noexcept nogil:
    """ln Gamma(x) for x > 0: Stirling's series ten further on, where its next term is below 1e-14, and back from there.

    Source: Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 6.1.15 and 6.1.41.
    """
    cdef double z = x + 10.0
    cdef double r = 1.0 / z
    cdef double s = r * r
    cdef double product = 1.0
    cdef int k
    for k in range(10):
        product *= x + k
    return (z - 0.5) * log(z) - z + KB_HALF_LOG_TWO_PI \
        + r * (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0)))) - log(product)
