"""Kernel of the power that thrust gives to a vehicle, term by term of its equation of motion."""

from cython_kernels.views.power.thrust_power cimport ThrustPowerView


cdef inline double wrench_power(const double* wrench, const double* velocity) noexcept nogil:
    """tau' nu, of six elements."""
    return (
        wrench[0] * velocity[0] + wrench[1] * velocity[1] + wrench[2] * velocity[2]
        + wrench[3] * velocity[3] + wrench[4] * velocity[4] + wrench[5] * velocity[5]
    )


cdef inline void thrust_power_outputs(const ThrustPowerView* b, double t) noexcept nogil:
    """Term by term; inertia is what is left, and needs all others."""
    cdef bint every = b.y.inertia_power != NULL
    cdef double given = wrench_power(b.u.force, b.u.nu_r) if every or b.y.power != NULL else 0.0
    cdef double coriolis = wrench_power(b.u.coriolis_force, b.u.nu_r) if every or b.y.coriolis_power != NULL else 0.0
    cdef double damping = wrench_power(b.u.damping_force, b.u.nu_r) if every or b.y.damping_power != NULL else 0.0
    cdef double restoring = wrench_power(b.u.restoring_force, b.u.nu_r) if every or b.y.restoring_power != NULL else 0.0
    cdef double wind = -wrench_power(b.u.disturbance, b.u.nu_r) if every or b.y.disturbance_power != NULL else 0.0
    if b.y.power != NULL:
        b.y.power[0] = given
    if b.y.coriolis_power != NULL:
        b.y.coriolis_power[0] = coriolis
    if b.y.damping_power != NULL:
        b.y.damping_power[0] = damping
    if b.y.restoring_power != NULL:
        b.y.restoring_power[0] = restoring
    if b.y.disturbance_power != NULL:
        b.y.disturbance_power[0] = wind
    if every:
        b.y.inertia_power[0] = given - wind - coriolis - damping - restoring
