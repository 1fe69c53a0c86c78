"""Kernels of the rudder with its steering gear, behind a propeller or not."""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.thrust.actuator cimport actuator_rate
from cython_kernels.thrust.foils cimport FoilFlow, foil_commanded_angle, foil_in_the_water
from cython_kernels.thrust.lever_arm cimport velocity_at
from cython_kernels.thrust.propellers cimport disc_velocity
from cython_kernels.views.thrust.foils cimport FoilSetView
from cython_kernels.views.thrust.rudder cimport RUDDER_RESPONSE_RATE_LIMITED, RudderView, rudder_as_foil_set


cdef inline double behind_a_propeller(
    double v, double thrust, double diameter, double density, double gain, double share
) noexcept nogil:
    """Velocity along the hull through the water at a rudder behind a propeller that pushes ahead; without one v.

    Its square is the mean over the rudder of the squares in the slipstream and outside of it.
    """
    cdef double within, square
    if thrust <= 0.0:
        return v
    within = v + 2.0 * gain * (disc_velocity(thrust, fabs(v), diameter, density) - fabs(v))
    square = share * within * fabs(within) + (1.0 - share) * v * fabs(v)
    return copysign(sqrt(fabs(square)), square)


cdef inline void rudder_at(const RudderView* b, double angle) noexcept nogil:
    """y: an upright foil at the angle of its steering gear."""
    cdef FoilSetView foil = rudder_as_foil_set(b)
    cdef FoilFlow flow
    cdef double v[3]
    if b.y.force != NULL or b.y.lift != NULL or b.y.drag != NULL or b.y.angle_of_attack != NULL:
        velocity_at(b.u.nu_r, b.p.position, v)
        flow.u = v[0]
        if b.p.propeller_diameter[0] != 0.0:
            flow.u = behind_a_propeller(
                v[0], b.u.thrust[0], b.p.propeller_diameter[0], b.p.density[0], b.p.slipstream_gain[0],
                b.p.slipstream_share[0],
            )
        flow.s = v[1]
        foil_in_the_water(
            foil.p, &flow, angle, 0.0, 1.0, b.y.force, b.y.lift, b.y.drag, b.y.angle_of_attack,
        )
    if b.y.angle != NULL:
        b.y.angle[0] = angle


cdef inline double rudder_command(const RudderView* b) noexcept nogil:
    """delta_c within its limit."""
    cdef FoilSetView foil = rudder_as_foil_set(b)
    return foil_commanded_angle(foil.p, b.u.command[0])


cdef inline void rudder_outputs(const RudderView* b, double t) noexcept nogil:
    """Without a state: at the angle that is wanted."""
    rudder_at(b, rudder_command(b))


cdef inline void rudder_lag_outputs(const RudderView* b, double t) noexcept nogil:
    """At the angle that the steering gear has reached."""
    rudder_at(b, b.x.angle[0])


cdef inline void rudder_lag_derivatives(const RudderView* b, double t) noexcept nogil:
    """ddelta/dt = (delta_c - delta) / T, within +-rate if rate-limited."""
    b.dx.angle[0] = actuator_rate(
        rudder_command(b) - b.x.angle[0], b.p.time_constant[0],
        b.p.response[0] == RUDDER_RESPONSE_RATE_LIMITED, b.p.rate_limit[0],
    )
