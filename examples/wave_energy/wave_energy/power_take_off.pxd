"""Kernel of the linear power take-off."""

from cython_kernels.mathematics.events cimport side
from wave_energy.views.power_take_off cimport PowerTakeOffView


cdef inline double wanted_force(const PowerTakeOffView* b) noexcept nogil:
    """Of damper and spring, without limits."""
    return -(b.p.damping[0] * b.u.velocity[0] + b.p.stiffness[0] * b.u.position[0])


cdef inline void power_take_off_outputs(const PowerTakeOffView* b, double t) noexcept nogil:
    """The force within its limits, and the power that it takes."""
    cdef double force = wanted_force(b)
    if force > b.p.force_limit[0]:
        force = b.p.force_limit[0]
    elif force < -b.p.force_limit[0]:
        force = -b.p.force_limit[0]
    b.y.force[0] = force
    b.y.power[0] = -force * b.u.velocity[0]


cdef inline void power_take_off_crossings(const PowerTakeOffView* b, double t) noexcept nogil:
    """The force comes to a limit, or leaves it."""
    cdef double force = wanted_force(b)
    b.g.limits[0] = side(force > b.p.force_limit[0], force - b.p.force_limit[0])
    b.g.limits[1] = side(force < -b.p.force_limit[0], force + b.p.force_limit[0])
