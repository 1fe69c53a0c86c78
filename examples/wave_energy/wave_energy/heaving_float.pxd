"""Kernel of the heaving float."""

from wave_energy.views.heaving_float cimport HeavingFloatView


cdef inline double radiation_force(const HeavingFloatView* b) noexcept nogil:
    """F_r of the memory."""
    cdef double sum = 0.0
    cdef int i
    for i in range(b.n.n):
        sum += b.p.numerator[i] * b.x.memory[i]
    return b.p.radiation_scale[0] * sum


cdef inline void heaving_float_outputs(const HeavingFloatView* b, double t) noexcept nogil:
    """Position and velocity are states."""
    if b.y.radiation != NULL:
        b.y.radiation[0] = radiation_force(b)


cdef inline void heaving_float_derivatives(const HeavingFloatView* b, double t) noexcept nogil:
    """Newton's law, and the memory in companion form."""
    cdef double force = b.u.excitation[0] + b.u.machinery[0] + b.u.stops[0]
    cdef double last = b.x.velocity[0]
    cdef int i
    b.dx.position[0] = b.x.velocity[0]
    b.dx.velocity[0] = (force - radiation_force(b) - b.p.stiffness[0] * b.x.position[0]) / (
        b.p.mass[0] + b.p.added_mass[0]
    )
    for i in range(b.n.n - 1):
        b.dx.memory[i] = b.p.rate[0] * b.x.memory[i + 1]
    for i in range(b.n.n):
        last -= b.p.denominator[i] * b.x.memory[i]
    b.dx.memory[b.n.n - 1] = b.p.rate[0] * last
