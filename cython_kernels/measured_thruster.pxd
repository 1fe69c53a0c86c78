"""Kernel of thrusters that are known by a table from a test bench."""

from libc.math cimport fabs

from cython_kernels.basic_lookup cimport table_interval
from cython_kernels.limits cimport clamp
from cython_kernels.view cimport View

cdef enum:                              # parameters
    BENCH_ALLOCATION = 0
    BENCH_COMMANDS = 1
    BENCH_THRUSTS = 2
    BENCH_SPEEDS = 3
    BENCH_POWERS = 4
    BENCH_INTERPOLATION = 5             # 0 pchip, 1 linear
    BENCH_INFLOW = 6


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


cdef inline void measured_thruster_setup(const View* b, double t) noexcept nogil:
    """w: slopes of thrust, speed and power at the points."""
    cdef int count = b.n[1]
    cdef int i
    for i in range(3):
        monotone_slopes(b.p[BENCH_COMMANDS], b.p[BENCH_THRUSTS + i], count, b.w + i * count)


cdef inline double measured(const View* b, int quantity, int k, double length, double part) noexcept nogil:
    """Thrust (0), speed (1) or power (2), `part` of the way through interval k of the table."""
    cdef const double* y = b.p[BENCH_THRUSTS + quantity]
    cdef const double* slopes = b.w + quantity * b.n[1]
    if b.p[BENCH_INTERPOLATION][0] != 0.0:
        return y[k] + part * (y[k + 1] - y[k])
    return cubic_between(y[k], y[k + 1], slopes[k], slopes[k + 1], length, part)


cdef inline void measured_thruster_outputs(const View* b, double t) noexcept nogil:
    """y = force, thrust, speed, power; u = command, nu_r."""
    cdef const double* matrix = b.p[BENCH_ALLOCATION]
    cdef const double* nu_r = b.u[1]
    cdef int count = b.n[0]
    cdef const double* x = b.p[BENCH_COMMANDS]
    cdef double command, length, part, speed, v_a, thrust
    cdef int i, j, k
    if b.y[0] != NULL:
        for j in range(6):
            b.y[0][j] = 0.0
    for i in range(count):
        command = clamp(b.u[0][i], x[0], x[b.n[1] - 1])
        k = table_interval(x, b.n[1], command)
        length = x[k + 1] - x[k]
        part = clamp((command - x[k]) / length, 0.0, 1.0)
        if b.y[3] != NULL:
            b.y[3][i] = measured(b, 2, k, length, part)
        if b.y[0] == NULL and b.y[1] == NULL and b.y[2] == NULL:
            continue
        speed = measured(b, 1, k, length, part)
        if b.y[2] != NULL:
            b.y[2][i] = speed
        if b.y[0] == NULL and b.y[1] == NULL:
            continue
        v_a = 0.0
        for j in range(6):
            v_a += matrix[j * count + i] * nu_r[j]
        thrust = measured(b, 0, k, length, part) - b.p[BENCH_INFLOW][i] * fabs(speed) * v_a
        if b.y[1] != NULL:
            b.y[1][i] = thrust
        if b.y[0] != NULL:
            for j in range(6):
                b.y[0][j] += matrix[j * count + i] * thrust
