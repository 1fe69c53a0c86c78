"""Kernel of the electric drive: power electronics by their efficiency."""

from cython_kernels.mathematics.tables cimport table_value
from cython_kernels.views.power.electric_drive cimport ElectricDriveView


cdef inline void electric_drive_outputs(const ElectricDriveView* b, double t) noexcept nogil:
    """power, loss."""
    cdef double load, power
    cdef int i
    for i in range(b.n.n):
        load = b.u.load[i]
        if load < 0.0:
            power = load * b.p.regeneration[i]
        else:
            power = load / table_value(b.p.load_points, b.p.efficiency, b.n.m, load / b.p.rated_power[i], True)
        power += b.p.idle_power[i]
        b.y.power[i] = power
        b.y.loss[i] = power - load
