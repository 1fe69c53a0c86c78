"""Kernel of the electric motor and its losses."""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.power.electric_motor cimport ElectricMotorView


cdef inline void electric_motor_outputs(const ElectricMotorView* b, double t) noexcept nogil:
    """power, copper_loss, idle_loss."""
    cdef double torque, omega, size, copper, idle
    cdef int i
    for i in range(b.n.n):
        torque = b.u.torque[i]
        omega = 2.0 * KB_PI * b.u.speed[i]
        size = fabs(omega)
        copper = b.p.copper_coefficient[i] * torque * torque
        idle = b.p.iron_coefficient[i] * size + b.p.windage_coefficient[i] * size * size * size + b.p.constant_loss[i]
        if b.y.power != NULL:
            b.y.power[i] = torque * omega + copper + idle
        if b.y.copper_loss != NULL:
            b.y.copper_loss[i] = copper
        if b.y.idle_loss != NULL:
            b.y.idle_loss[i] = idle
