"""Kernel of two propellers side by side, which steer by the difference of their thrusts."""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.view cimport View

cdef enum:                              # parameters
    PAIR_SPACING = 0
    PAIR_DEPTH = 1
    PAIR_LIMIT_FORWARD = 2
    PAIR_LIMIT_REVERSE = 3
    PAIR_EFFICIENCY = 4
    PAIR_FULL_SPEED = 5


cdef inline double speed_of_thrust(double thrust, double full_thrust, double full_speed) noexcept nogil:
    """n of thrust = full_thrust |n| n / full_speed^2."""
    return copysign(full_speed * sqrt(fabs(thrust) / full_thrust), thrust)


cdef inline double power_through_losses(double power, double efficiency) noexcept nogil:
    """What goes in for `power` to come out; if negative, what is left of it on the way back."""
    return power / efficiency if power > 0.0 else power * efficiency


cdef inline void differential_thrust_outputs(const View* b, double t) noexcept nogil:
    """y = force, thrust, speed, power; u = command, nu_r; port before starboard."""
    cdef const double* nu_r = b.u[1]
    cdef double arm = 0.5 * b.p[PAIR_SPACING][0]
    cdef double depth = b.p[PAIR_DEPTH][0]
    cdef double ahead = b.p[PAIR_LIMIT_FORWARD][0]
    cdef double thrust[2]
    cdef double v_a
    cdef int i
    for i in range(2):
        thrust[i] = clamp(b.u[0][i], -b.p[PAIR_LIMIT_REVERSE][0], ahead)
        if b.y[1] != NULL:
            b.y[1][i] = thrust[i]
        if b.y[2] != NULL:
            b.y[2][i] = speed_of_thrust(thrust[i], ahead, b.p[PAIR_FULL_SPEED][0])
        if b.y[3] != NULL:
            v_a = nu_r[0] + depth * nu_r[4] + (arm if i == 0 else -arm) * nu_r[5]
            b.y[3][i] = power_through_losses(thrust[i] * v_a, b.p[PAIR_EFFICIENCY][0])
    if b.y[0] != NULL:
        b.y[0][0] = thrust[0] + thrust[1]
        b.y[0][1] = 0.0
        b.y[0][2] = 0.0
        b.y[0][3] = 0.0
        b.y[0][4] = depth * (thrust[0] + thrust[1])
        b.y[0][5] = arm * (thrust[0] - thrust[1])
