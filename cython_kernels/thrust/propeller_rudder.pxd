"""Kernels of a propeller and the rudder in its slipstream."""

from libc.math cimport fabs, sqrt

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.elementary.trigonometric cimport sin
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport at_least
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.rudder_gear cimport follow_angle, follow_speed, wanted_angle, wanted_speed
from cython_kernels.views.thrust.propeller_rudder cimport PropellerRudderView, propeller_rudder_as_rudder_gear
from cython_kernels.views.thrust.rudder_gear cimport RudderGearView


cdef inline void propeller_rudder_prepare(const PropellerRudderView* b) noexcept nogil:
    """What the rudder's force and its inflow are multiplied by."""
    cdef double ratio = b.p.aspect_ratio[0]
    b.w.lift[0] = -0.5 * b.p.density[0] * b.p.area[0] * 6.13 * ratio / (ratio + 2.25)
    b.w.swelling[0] = 8.0 * b.p.slipstream_gain[0] / (KB_PI * b.p.density[0] * b.p.diameter[0] * b.p.diameter[0])


cdef inline void propeller_rudder_at(const PropellerRudderView* b, double angle, double shaft) noexcept nogil:
    """y, with the rudder at this angle and the shaft at this speed."""
    cdef const double* nu_r
    cdef const double* yawing = b.p.yaw_flow
    cdef double diameter = b.p.diameter[0]
    cdef double u, v, r, speed, drift, turn, along, thrust, inflow, behind, across, normal, s, c
    if b.y.angle != NULL:
        b.y.angle[0] = angle
    if b.y.speed != NULL:
        b.y.speed[0] = shaft
    if b.y.force == NULL:
        return
    nu_r = b.u.nu_r
    u = nu_r[0]
    v = nu_r[1]
    r = nu_r[5]
    speed = at_least(sqrt(u * u + v * v), b.p.lowest_speed[0])
    drift = v / speed
    turn = r * b.p.length[0] / speed
    along = drift + b.p.propeller_position[0] * r / speed
    inflow = u * (1.0 - b.p.wake_fraction[0] + b.p.wake_drift[0] * along * along)
    thrust = b.p.density[0] * diameter * diameter * diameter * fabs(shaft) * (
        b.p.thrust_coefficient[0] * diameter * shaft + b.p.thrust_coefficient[1] * inflow
    )
    behind = b.p.wake_ratio[0] * sqrt(at_least(inflow * inflow + b.w.swelling[0] * thrust, 0.0))
    across = b.p.flow_straightening[0] * v + speed * turn * (
        yawing[0] + turn * (yawing[1] * turn + yawing[2] * drift)
    )
    normal = b.w.lift[0] * (behind * behind + across * across) * sin(angle + atan2(across, behind))
    sine_cosine(angle, &s, &c)
    c *= normal
    b.y.force[0] = (1.0 - b.p.thrust_deduction[0]) * thrust + b.p.rudder_drag[0] * normal * s
    b.y.force[1] = (1.0 + b.p.hull_share[0]) * c
    b.y.force[2] = 0.0
    b.y.force[3] = -(1.0 + b.p.hull_share[0]) * b.p.rudder_position[1] * c
    b.y.force[4] = 0.0
    b.y.force[5] = (b.p.rudder_position[0] + b.p.hull_share[0] * b.p.hull_position[0]) * c


cdef inline void propeller_rudder_setup(const PropellerRudderView* b, double t) noexcept nogil:
    """Without states."""
    propeller_rudder_prepare(b)


cdef inline void propeller_rudder_outputs(const PropellerRudderView* b, double t) noexcept nogil:
    """Without states: as they are wanted."""
    cdef RudderGearView gear = propeller_rudder_as_rudder_gear(b)
    propeller_rudder_at(b, wanted_angle(&gear), wanted_speed(&gear))


cdef inline void propeller_rudder_lag_setup(const PropellerRudderView* b, double t) noexcept nogil:
    """With angle and speed as states."""
    propeller_rudder_prepare(b)


cdef inline void propeller_rudder_lag_outputs(const PropellerRudderView* b, double t) noexcept nogil:
    """As they have followed."""
    propeller_rudder_at(b, b.x.angle[0], b.x.speed[0])


cdef inline void propeller_rudder_lag_derivatives(const PropellerRudderView* b, double t) noexcept nogil:
    """Each follows its command."""
    cdef RudderGearView gear = propeller_rudder_as_rudder_gear(b)
    follow_angle(&gear)
    follow_speed(&gear)
