"""Kernel of thrusters that give the thrust that is wanted."""

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.thrust.differential_thrust cimport power_through_losses, speed_of_thrust
from cython_kernels.views.thrust.known_thrusters cimport KnownThrustersView


cdef inline void known_thrusters_outputs(const KnownThrustersView* b, double t) noexcept nogil:
    """Each command within its limits."""
    cdef const double* matrix = b.p.allocation_matrix
    cdef const double* nu_r = b.u.nu_r
    cdef int count = b.n.n
    cdef double ahead, thrust, v
    cdef int i, j
    if b.y.force != NULL:
        for j in range(6):
            b.y.force[j] = 0.0
    for i in range(count):
        ahead = b.p.thrust_limit_forward[i]
        thrust = clamp(b.u.command[i], -b.p.thrust_limit_reverse[i], ahead)
        if b.y.thrust != NULL:
            b.y.thrust[i] = thrust
        if b.y.speed != NULL:
            b.y.speed[i] = speed_of_thrust(thrust, ahead, b.p.full_speed[i])
        if b.y.power != NULL:
            v = 0.0
            for j in range(6):
                v += matrix[j * count + i] * nu_r[j]
            b.y.power[i] = power_through_losses(thrust * v, b.p.efficiency[0])
        if b.y.force != NULL:
            for j in range(6):
                b.y.force[j] += matrix[j * count + i] * thrust
