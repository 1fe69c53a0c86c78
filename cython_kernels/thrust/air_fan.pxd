"""Kernel of a fan on a pivot that pushes against the air."""

from libc.math cimport copysign, fabs

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.apparent_wind cimport velocity_through_air
from cython_kernels.thrust.differential_thrust cimport speed_of_thrust
from cython_kernels.thrust.lever_arm cimport wrench_of
from cython_kernels.thrust.propellers cimport disc_power
from cython_kernels.views.thrust.air_fan cimport AirFanView


cdef inline void air_fan_outputs(const AirFanView* b, double t) noexcept nogil:
    cdef const double* r = b.p.position
    cdef double ahead = b.p.thrust_limit_forward[0]
    cdef double thrust = clamp(b.u.command[0], -b.p.thrust_limit_reverse[0], ahead)
    cdef double angle = clamp(b.u.angle[0], -b.p.angle_limit[0], b.p.angle_limit[0])
    cdef double v[3]
    cdef double force[3]
    cdef double s, c
    if b.y.thrust != NULL:
        b.y.thrust[0] = thrust
    if b.y.speed != NULL:
        b.y.speed[0] = speed_of_thrust(thrust, ahead, b.p.full_speed[0])
    if b.y.azimuth != NULL:
        b.y.azimuth[0] = angle
    if b.y.force == NULL and b.y.power == NULL:
        return
    sine_cosine(angle, &s, &c)
    if b.y.force != NULL:
        force[0] = thrust * c
        force[1] = thrust * s
        force[2] = 0.0
        wrench_of(force, r, b.y.force)
    if b.y.power != NULL:
        velocity_through_air(b.u.eta, b.u.nu, b.u.wind, r, v)
        b.y.power[0] = disc_power(
            fabs(thrust), copysign(1.0, thrust) * (c * v[0] + s * v[1]), b.p.diameter[0], b.p.density[0],
            b.p.figure_of_merit[0],
        )
