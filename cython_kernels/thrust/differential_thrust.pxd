"""Kernel of two propellers side by side, which steer by the difference of their thrusts."""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.thrust.differential_thrust cimport DifferentialThrustView


cdef inline double speed_of_thrust(double thrust, double full_thrust, double full_speed) noexcept nogil:
    """n of thrust = full_thrust |n| n / full_speed^2."""
    return copysign(full_speed * sqrt(fabs(thrust) / full_thrust), thrust)


cdef inline double power_through_losses(double power, double efficiency) noexcept nogil:
    """What goes in for `power` to come out; if negative, what is left of it on the way back."""
    return power / efficiency if power > 0.0 else power * efficiency


cdef inline void differential_thrust_outputs(const DifferentialThrustView* b, double t) noexcept nogil:
    """Port before starboard."""
    cdef const double* nu_r = b.u.nu_r
    cdef double arm = 0.5 * b.p.spacing[0]
    cdef double depth = b.p.depth[0]
    cdef double ahead = b.p.thrust_limit_forward[0]
    cdef double thrust[2]
    cdef double v_a
    cdef int i
    for i in range(2):
        thrust[i] = clamp(b.u.command[i], -b.p.thrust_limit_reverse[0], ahead)
        if b.y.thrust != NULL:
            b.y.thrust[i] = thrust[i]
        if b.y.speed != NULL:
            b.y.speed[i] = speed_of_thrust(thrust[i], ahead, b.p.full_speed[0])
        if b.y.power != NULL:
            v_a = nu_r[0] + depth * nu_r[4] + (arm if i == 0 else -arm) * nu_r[5]
            b.y.power[i] = power_through_losses(thrust[i] * v_a, b.p.efficiency[0])
    if b.y.force != NULL:
        b.y.force[0] = thrust[0] + thrust[1]
        b.y.force[1] = 0.0
        b.y.force[2] = 0.0
        b.y.force[3] = 0.0
        b.y.force[4] = depth * (thrust[0] + thrust[1])
        b.y.force[5] = arm * (thrust[0] - thrust[1])
