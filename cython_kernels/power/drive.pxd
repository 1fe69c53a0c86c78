"""Kernels of what drives a propeller: shaft power, motor, power electronics, and what else consumes."""

from libc.math cimport fabs

from cython_kernels.basic.lookup cimport table_value
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.thrust.propellers cimport advance_ratio, cubic_polynomial
from cython_kernels.view cimport View


# shaft_power: u = speed, advance_speed; p = diameter, density, K_Q ahead and astern, advance ranges ahead and astern

cdef inline void shaft_power_outputs(const View* b, double t) noexcept nogil:
    """torque = rho D^5 K_Q(J) |n| n, power = 2 pi n torque."""
    cdef double n, d, torque
    cdef int i, way
    for i in range(b.n[0]):
        n = b.u[0][i]
        d = b.p[0][i]
        way = 0 if n >= 0.0 else 1
        torque = (
            b.p[1][0] * d * d * d * d * d * n * fabs(n)
            * cubic_polynomial(b.p[2 + way], advance_ratio(n, b.u[1][i], d, b.p[4 + way]))
        )
        b.y[0][i] = torque
        b.y[1][i] = 2.0 * KB_PI * n * torque


# shaft_power_table: u = speed; p = speeds, torques; n = shafts, points

cdef inline void shaft_power_table_outputs(const View* b, double t) noexcept nogil:
    """torque from the table, power = 2 pi n torque."""
    cdef double torque
    cdef int i
    for i in range(b.n[0]):
        torque = table_value(b.p[0], b.p[1], b.n[1], b.u[0][i], True)
        b.y[0][i] = torque
        b.y[1][i] = 2.0 * KB_PI * b.u[0][i] * torque


# electric_motor: u = torque, speed; p = k_c, k_i, k_w, C

cdef inline void electric_motor_outputs(const View* b, double t) noexcept nogil:
    """power, copper_loss, idle_loss."""
    cdef double torque, omega, size, copper, idle
    cdef int i
    for i in range(b.n[0]):
        torque = b.u[0][i]
        omega = 2.0 * KB_PI * b.u[1][i]
        size = fabs(omega)
        copper = b.p[0][i] * torque * torque
        idle = b.p[1][i] * size + b.p[2][i] * size * size * size + b.p[3][i]
        if b.y[0] != NULL:
            b.y[0][i] = torque * omega + copper + idle
        if b.y[1] != NULL:
            b.y[1][i] = copper
        if b.y[2] != NULL:
            b.y[2][i] = idle


# electric_drive: u = load; p = rated_power, load_points, efficiency, idle_power, regeneration; n = drives, points

cdef inline void electric_drive_outputs(const View* b, double t) noexcept nogil:
    """power, loss."""
    cdef double load, power
    cdef int i
    for i in range(b.n[0]):
        load = b.u[0][i]
        if load < 0.0:
            power = load * b.p[4][i]
        else:
            power = load / table_value(b.p[1], b.p[2], b.n[1], load / b.p[0][i], True)
        power += b.p[3][i]
        b.y[0][i] = power
        b.y[1][i] = power - load


# hotel_load: u = on; p = consumption

cdef inline void hotel_load_outputs(const View* b, double t) noexcept nogil:
    """power = on P_i."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.u[0][0] * b.p[0][i]
