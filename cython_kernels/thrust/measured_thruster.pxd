"""Kernel of thrusters that are known by a table from a test bench."""

from libc.math cimport fabs

from cython_kernels.mathematics.cubic_slopes cimport cubic_between, monotone_slopes
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.tables cimport table_interval
from cython_kernels.view cimport View

cdef enum:                              # parameters
    BENCH_ALLOCATION = 0
    BENCH_COMMANDS = 1
    BENCH_THRUSTS = 2
    BENCH_SPEEDS = 3
    BENCH_POWERS = 4
    BENCH_INTERPOLATION = 5             # 0 pchip, 1 linear
    BENCH_INFLOW = 6


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
