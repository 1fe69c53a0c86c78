"""How rudders and the shafts with them follow their commands."""

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.thrust.actuator cimport actuator_rate
from cython_kernels.views.thrust.rudder_gear cimport RUDDER_GEAR_RESPONSE_RATE_LIMITED, RudderGearView


cdef inline double wanted_angle(const RudderGearView* b) noexcept nogil:
    """delta_c within its limit."""
    return clamp(b.u.command[0], -b.p.angle_limit[0], b.p.angle_limit[0])


cdef inline double wanted_speed(const RudderGearView* b) noexcept nogil:
    """n_c within its limit."""
    return clamp(b.u.shaft_command[0], -b.p.speed_limit[0], b.p.speed_limit[0])


cdef inline void follow_angle(const RudderGearView* b) noexcept nogil:
    """ddelta/dt = (delta_c - delta)/T_delta, within +-rate if rate-limited."""
    b.dx.angle[0] = actuator_rate(
        wanted_angle(b) - b.x.angle[0], b.p.time_constant[0],
        b.p.response[0] == RUDDER_GEAR_RESPONSE_RATE_LIMITED, b.p.rate_limit[0],
    )


cdef inline void follow_speed(const RudderGearView* b) noexcept nogil:
    """dn/dt = (n_c - n)/T_n."""
    b.dx.speed[0] = (wanted_speed(b) - b.x.speed[0]) / b.p.shaft_time_constant[0]
