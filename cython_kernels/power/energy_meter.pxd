"""Kernel of the energy meter."""

from cython_kernels.views.power.energy_meter cimport EnergyMeterView


cdef inline void energy_meter_outputs(const EnergyMeterView* b, double t) noexcept nogil:
    """Sum of the powers, and the energy so far."""
    cdef double total = 0.0
    cdef int i
    if b.y.total_power != NULL:
        for i in range(b.n.n):
            total += b.u.power[i]
        b.y.total_power[0] = total
    if b.y.energy != NULL:
        b.y.energy[0] = b.x.energy[0]


cdef inline void energy_meter_derivatives(const EnergyMeterView* b, double t) noexcept nogil:
    """dE/dt = sum of the powers."""
    cdef double total = 0.0
    cdef int i
    for i in range(b.n.n):
        total += b.u.power[i]
    b.dx.energy[0] = total
