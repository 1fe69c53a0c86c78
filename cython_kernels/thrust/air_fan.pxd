"""Kernel of a fan on a pivot that pushes against the air."""

from libc.math cimport copysign, fabs

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.apparent_wind cimport velocity_through_air
from cython_kernels.thrust.differential_thrust cimport speed_of_thrust
from cython_kernels.thrust.lever_arm cimport wrench_of
from cython_kernels.thrust.propellers cimport disc_power
from cython_kernels.view cimport View

cdef enum:                              # parameters
    FAN_POSITION = 0
    FAN_LIMIT_FORWARD = 1
    FAN_LIMIT_REVERSE = 2
    FAN_ANGLE_LIMIT = 3
    FAN_DIAMETER = 4
    FAN_FIGURE_OF_MERIT = 5
    FAN_FULL_SPEED = 6
    FAN_DENSITY = 7


cdef inline void air_fan_outputs(const View* b, double t) noexcept nogil:
    """y = force, thrust, speed, power, azimuth; u = command, angle, eta, nu, wind."""
    cdef const double* r = b.p[FAN_POSITION]
    cdef double ahead = b.p[FAN_LIMIT_FORWARD][0]
    cdef double thrust = clamp(b.u[0][0], -b.p[FAN_LIMIT_REVERSE][0], ahead)
    cdef double angle = clamp(b.u[1][0], -b.p[FAN_ANGLE_LIMIT][0], b.p[FAN_ANGLE_LIMIT][0])
    cdef double v[3]
    cdef double force[3]
    cdef double s, c
    if b.y[1] != NULL:
        b.y[1][0] = thrust
    if b.y[2] != NULL:
        b.y[2][0] = speed_of_thrust(thrust, ahead, b.p[FAN_FULL_SPEED][0])
    if b.y[4] != NULL:
        b.y[4][0] = angle
    if b.y[0] == NULL and b.y[3] == NULL:
        return
    sine_cosine(angle, &s, &c)
    if b.y[0] != NULL:
        force[0] = thrust * c
        force[1] = thrust * s
        force[2] = 0.0
        wrench_of(force, r, b.y[0])
    if b.y[3] != NULL:
        velocity_through_air(b.u[2], b.u[3], b.u[4], r, v)
        b.y[3][0] = disc_power(
            fabs(thrust), copysign(1.0, thrust) * (c * v[0] + s * v[1]), b.p[FAN_DIAMETER][0], b.p[FAN_DENSITY][0],
            b.p[FAN_FIGURE_OF_MERIT][0],
        )
