"""Kernels of what pushes against the air: a sail, and a fan on a pivot."""

from libc.math cimport atan2, copysign, fabs, sqrt

from cython_kernels.mathematics.frames cimport ned_to_body, rotation_from_euler
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.differential_thrust cimport speed_of_thrust
from cython_kernels.thrust.foil cimport FOIL_ANGLE_LIMIT, FOIL_POSITION, FoilFlow, foil_forces, velocity_at, wrench_of
from cython_kernels.thrust.propellers cimport disc_power
from cython_kernels.view cimport View

cdef enum:                              # parameters of the fan
    FAN_POSITION = 0
    FAN_LIMIT_FORWARD = 1
    FAN_LIMIT_REVERSE = 2
    FAN_ANGLE_LIMIT = 3
    FAN_DIAMETER = 4
    FAN_FIGURE_OF_MERIT = 5
    FAN_FULL_SPEED = 6
    FAN_DENSITY = 7


cdef inline void velocity_through_air(
    const double* eta, const double* nu, const double* wind, const double* r, double* out
) noexcept nogil:
    """Velocity of a point of the hull relative to the air, in body axes."""
    cdef double rotation[9]
    cdef double air[3]
    rotation_from_euler(eta + 3, rotation)
    ned_to_body(rotation, wind, air)
    velocity_at(nu, r, out)
    out[0] -= air[0]
    out[1] -= air[1]
    out[2] -= air[2]


cdef inline void sail_outputs(const View* b, double t) noexcept nogil:
    """y = force, lift, drag, angle, apparent_wind_speed, apparent_wind_angle; u = command, eta, nu, wind."""
    cdef const double* r = b.p[FOIL_POSITION]
    cdef FoilFlow flow
    cdef double v[3]
    cdef double force[3]
    cdef double sheet, wind_angle, angle
    velocity_through_air(b.u[1], b.u[2], b.u[3], r, v)
    flow.u = v[0]
    flow.s = v[1]
    wind_angle = atan2(flow.s, flow.u)
    if b.y[0] != NULL or b.y[1] != NULL or b.y[2] != NULL or b.y[3] != NULL:
        sheet = clamp(b.u[0][0], 0.0, b.p[FOIL_ANGLE_LIMIT][0])
        angle = clamp(wind_angle, -sheet, sheet)
        if sheet != sheet:                  # no limit, but no number either
            angle = sheet
        foil_forces(b, -angle, &flow)
        if b.y[0] != NULL:
            force[0] = flow.along
            force[1] = flow.across
            force[2] = 0.0
            wrench_of(force, r, b.y[0])
        if b.y[1] != NULL:
            b.y[1][0] = flow.lift
        if b.y[2] != NULL:
            b.y[2][0] = flow.drag
        if b.y[3] != NULL:
            b.y[3][0] = angle
    if b.y[4] != NULL:
        b.y[4][0] = sqrt(flow.u * flow.u + flow.s * flow.s)
    if b.y[5] != NULL:
        b.y[5][0] = wind_angle


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
