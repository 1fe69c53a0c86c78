"""Piecewise cubics through points: their slopes at the points, by parabolas or without overshoot, and between them."""

from libc.math cimport fabs


cdef inline double end_slope(double h0, double h1, double d0, double d1) noexcept nogil:
    """Three-point slope at an end, kept from overshooting; h: lengths, d: slopes of the first and second interval."""
    cdef double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if slope * d0 <= 0.0:
        return 0.0
    if d0 * d1 <= 0.0 and fabs(slope) > 3.0 * fabs(d0):
        return 3.0 * d0
    return slope


cdef inline void monotone_slopes(const double* x, const double* y, int count, double* out) noexcept nogil:
    """Slopes at the points of a piecewise cubic that is monotone wherever the points are.

    Weighted harmonic means of the slopes to both sides; zero at extrema.
    Source: Fritsch and Butland (1984), A method for constructing local monotone piecewise cubic interpolants, SIAM
    Journal on Scientific and Statistical Computing 5, with the weights of Brodlie.
    """
    cdef double h0, h1, d0, d1
    cdef int k
    if count == 2:
        out[0] = (y[1] - y[0]) / (x[1] - x[0])
        out[1] = out[0]
        return
    for k in range(1, count - 1):
        h0 = x[k] - x[k - 1]
        h1 = x[k + 1] - x[k]
        d0 = (y[k] - y[k - 1]) / h0
        d1 = (y[k + 1] - y[k]) / h1
        out[k] = 0.0
        if d0 * d1 > 0.0:
            out[k] = 3.0 * (h0 + h1) / ((2.0 * h1 + h0) / d0 + (h1 + 2.0 * h0) / d1)
        if k == 1:
            out[0] = end_slope(h0, h1, d0, d1)
        if k == count - 2:
            out[count - 1] = end_slope(h1, h0, d1, d0)


cdef inline double cubic_between(
    double first, double second, double slope0, double slope1, double length, double part
) noexcept nogil:
    """Hermite's cubic through both ends, `part` of the way from one to the other."""
    cdef double rise = second - first
    cdef double bend0 = slope0 * length - rise
    cdef double bend1 = rise - slope1 * length
    return first + part * (rise + (1.0 - part) * (bend0 * (1.0 - part) + bend1 * part))


cdef inline void parabola_slopes(const double* x, const double* y, int count, double* out) noexcept nogil:
    """Slopes at the points of the parabola through each and its two neighbours; at the ends of that next to it.

    Source: de Boor (1978), A Practical Guide to Splines, ch. IV, Bessel's interpolation.
    """
    cdef double h0, h1, d0, d1
    cdef int k
    if count == 2:
        out[0] = (y[1] - y[0]) / (x[1] - x[0])
        out[1] = out[0]
        return
    for k in range(1, count - 1):
        h0 = x[k] - x[k - 1]
        h1 = x[k + 1] - x[k]
        d0 = (y[k] - y[k - 1]) / h0
        d1 = (y[k + 1] - y[k]) / h1
        out[k] = (h1 * d0 + h0 * d1) / (h0 + h1)
        if k == 1:
            out[0] = 2.0 * d0 - out[k]
        if k == count - 2:
            out[count - 1] = 2.0 * d1 - out[k]
