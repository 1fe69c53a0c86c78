"""Kernels of the rudder with its steering gear, behind a propeller or not."""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.thrust.actuator cimport RESPONSE_INSTANT, actuator_rate
from cython_kernels.thrust.foils cimport (
    FOIL_DENSITY, FOIL_PARAMETERS, FOIL_POSITION, FoilFlow, foil_commanded_angle, foil_in_the_water,
)
from cython_kernels.thrust.lever_arm cimport velocity_at
from cython_kernels.thrust.propellers cimport disc_velocity
from cython_kernels.view cimport View

cdef enum:                              # parameters beyond those of all foils
    RUDDER_RESPONSE = FOIL_PARAMETERS
    RUDDER_TIME_CONSTANT
    RUDDER_RATE_LIMIT
    RUDDER_PROPELLER                    # its diameter; 0: there is none ahead
    RUDDER_SLIPSTREAM_SHARE
    RUDDER_SLIPSTREAM_GAIN


cdef inline double behind_a_propeller(const View* b, double v) noexcept nogil:
    """Velocity along the hull through the water at a rudder behind a propeller that pushes ahead.

    Its square is the mean over the rudder of the squares in the slipstream and outside of it.
    """
    cdef double thrust = b.u[2][0]
    cdef double share = b.p[RUDDER_SLIPSTREAM_SHARE][0]
    cdef double within, square
    if thrust <= 0.0:
        return v
    within = v + 2.0 * b.p[RUDDER_SLIPSTREAM_GAIN][0] * (
        disc_velocity(thrust, fabs(v), b.p[RUDDER_PROPELLER][0], b.p[FOIL_DENSITY][0]) - fabs(v)
    )
    square = share * within * fabs(within) + (1.0 - share) * v * fabs(v)
    return copysign(sqrt(fabs(square)), square)


cdef inline void rudder_outputs(const View* b, double t) noexcept nogil:
    """An upright foil at the angle of its steering gear."""
    cdef double angle = foil_commanded_angle(b) if b.p[RUDDER_RESPONSE][0] == RESPONSE_INSTANT else b.x[0]
    cdef FoilFlow flow
    cdef double v[3]
    if b.y[0] != NULL or b.y[1] != NULL or b.y[2] != NULL or b.y[3] != NULL:
        velocity_at(b.u[1], b.p[FOIL_POSITION], v)
        flow.u = v[0] if b.p[RUDDER_PROPELLER][0] == 0.0 else behind_a_propeller(b, v[0])
        flow.s = v[1]
        foil_in_the_water(b, &flow, angle, 0.0, 1.0)
    if b.y[4] != NULL:
        b.y[4][0] = angle


cdef inline void rudder_derivatives(const View* b, double t) noexcept nogil:
    """ddelta/dt = (delta_c - delta) / T, within +-rate if rate-limited."""
    b.dx[0] = actuator_rate(
        foil_commanded_angle(b) - b.x[0], b.p[RUDDER_TIME_CONSTANT][0], b.p[RUDDER_RESPONSE][0],
        b.p[RUDDER_RATE_LIMIT][0],
    )
