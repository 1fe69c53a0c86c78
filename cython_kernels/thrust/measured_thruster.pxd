"""Kernel of thrusters that are known by a table from a test bench."""

from libc.math cimport fabs

from cython_kernels.mathematics.cubic_slopes cimport cubic_between, monotone_slopes
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.tables cimport table_interval
from cython_kernels.views.thrust.measured_thruster cimport (
    MEASURED_SET_INTERPOLATION_LINEAR, MeasuredThrusterView,
)


cdef inline void measured_thruster_setup(const MeasuredThrusterView* b, double t) noexcept nogil:
    """w: slopes of thrust, speed and power at the points."""
    monotone_slopes(b.p.commands, b.p.thrusts, b.n.m, b.w.thrust_slopes)
    monotone_slopes(b.p.commands, b.p.speeds, b.n.m, b.w.speed_slopes)
    monotone_slopes(b.p.commands, b.p.powers, b.n.m, b.w.power_slopes)


cdef inline double measured(
    const double* y, const double* slopes, bint linear, int k, double length, double part
) noexcept nogil:
    """What is measured, `part` of the way through interval k of the table."""
    if linear:
        return y[k] + part * (y[k + 1] - y[k])
    return cubic_between(y[k], y[k + 1], slopes[k], slopes[k + 1], length, part)


cdef inline void measured_thruster_outputs(const MeasuredThrusterView* b, double t) noexcept nogil:
    """Each thruster by the table, less what the inflow takes of its thrust."""
    cdef bint linear = b.p.interpolation[0] == MEASURED_SET_INTERPOLATION_LINEAR
    cdef const double* matrix = b.p.allocation_matrix
    cdef const double* nu_r = b.u.nu_r
    cdef const double* x = b.p.commands
    cdef int count = b.n.n
    cdef double command, length, part, speed, v_a, thrust
    cdef int i, j, k
    if b.y.force != NULL:
        for j in range(6):
            b.y.force[j] = 0.0
    for i in range(count):
        command = clamp(b.u.command[i], x[0], x[b.n.m - 1])
        k = table_interval(x, b.n.m, command)
        length = x[k + 1] - x[k]
        part = clamp((command - x[k]) / length, 0.0, 1.0)
        if b.y.power != NULL:
            b.y.power[i] = measured(b.p.powers, b.w.power_slopes, linear, k, length, part)
        if b.y.force == NULL and b.y.thrust == NULL and b.y.speed == NULL:
            continue
        speed = measured(b.p.speeds, b.w.speed_slopes, linear, k, length, part)
        if b.y.speed != NULL:
            b.y.speed[i] = speed
        if b.y.force == NULL and b.y.thrust == NULL:
            continue
        v_a = 0.0
        for j in range(6):
            v_a += matrix[j * count + i] * nu_r[j]
        thrust = (
            measured(b.p.thrusts, b.w.thrust_slopes, linear, k, length, part)
            - b.p.inflow_coefficient[i] * fabs(speed) * v_a
        )
        if b.y.thrust != NULL:
            b.y.thrust[i] = thrust
        if b.y.force != NULL:
            for j in range(6):
                b.y.force[j] += matrix[j * count + i] * thrust
