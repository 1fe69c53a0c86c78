"""Kernel of the shaft power by a table."""

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.tables cimport table_value
from cython_kernels.views.power.shaft_power_table cimport ShaftPowerTableView


cdef inline void shaft_power_table_outputs(const ShaftPowerTableView* b, double t) noexcept nogil:
    """torque from the table, power = 2 pi n torque."""
    cdef double torque
    cdef int i
    for i in range(b.n.n):
        torque = table_value(b.p.speeds, b.p.torques, b.n.m, b.u.speed[i], True)
        b.y.torque[i] = torque
        b.y.power[i] = 2.0 * KB_PI * b.u.speed[i] * torque
