"""Kernel of the allocation of a wanted moment to a rudder or a dive plane."""

from libc.math cimport sqrt

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.foils cimport FoilFlow, foil_in_the_water
from cython_kernels.thrust.lever_arm cimport velocity_at
from cython_kernels.thrust.rudder cimport behind_a_propeller
from cython_kernels.views.thrust.foils cimport FoilSetView
from cython_kernels.views.thrust.rudder_allocation cimport RudderAllocationView, rudder_allocation_as_foil_set


cdef inline double foil_moment(const RudderAllocationView* b, FoilFlow* flow, double angle) noexcept nogil:
    """Q of the foil at an angle."""
    cdef FoilSetView foil = rudder_allocation_as_foil_set(b)
    cdef double wrench[6]
    foil_in_the_water(foil.p, flow, angle, b.w.sine[0], b.w.cosine[0], wrench, NULL, NULL, NULL)
    return b.w.cosine[0] * wrench[5] - b.w.sine[0] * wrench[4]


cdef inline double angle_for_moment(
    const RudderAllocationView* b, FoilFlow* flow, double wanted, double low, double high
) noexcept nogil:
    """The angle within low and high, between which Q rises or falls, that gives the moment best."""
    cdef double at_low = foil_moment(b, flow, low)
    cdef double at_high = foil_moment(b, flow, high)
    cdef bint rises = at_high > at_low
    cdef double middle
    cdef int _iteration
    if at_low != at_low or wanted != wanted:    # no number
        return at_low + wanted
    if at_high == at_low:               # the foil has no lever arm
        return clamp(0.0, low, high)
    if (wanted <= at_low) == rises:
        return low
    if (wanted >= at_high) == rises:
        return high
    for _iteration in range(50):
        middle = 0.5 * (low + high)
        if (foil_moment(b, flow, middle) < wanted) == rises:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


cdef inline void rudder_allocation_setup(const RudderAllocationView* b, double t) noexcept nogil:
    """w: sine and cosine of the cant."""
    sine_cosine(b.p.cant[0], b.w.sine, b.w.cosine)


cdef inline void rudder_allocation_outputs(const RudderAllocationView* b, double t) noexcept nogil:
    """y: command, moment."""
    cdef double limit = b.p.angle_limit[0]
    cdef double wanted = b.w.cosine[0] * b.u.force[5] - b.w.sine[0] * b.u.force[4]
    cdef FoilFlow flow, counted
    cdef double v[3]
    cdef double speed, neutral, angle
    velocity_at(b.u.nu_r, b.p.position, v)
    flow.u = v[0]
    flow.s = b.w.cosine[0] * v[1] + b.w.sine[0] * v[2]
    if b.p.propeller_diameter[0] != 0.0:
        flow.u = behind_a_propeller(
            v[0], b.u.thrust[0], b.p.propeller_diameter[0], b.p.density[0], b.p.slipstream_gain[0],
            b.p.slipstream_share[0],
        )
    counted = flow
    speed = sqrt(flow.u * flow.u + flow.s * flow.s)
    if speed == 0.0:
        counted.u = b.p.least_speed[0]
    elif speed < b.p.least_speed[0]:
        counted.u *= b.p.least_speed[0] / speed
        counted.s *= b.p.least_speed[0] / speed
    neutral = -0.5 * KB_PI if counted.u == 0.0 else -atan(counted.s / counted.u)
    angle = angle_for_moment(
        b, &counted, wanted,
        clamp(neutral - 0.25 * KB_PI, -limit, limit), clamp(neutral + 0.25 * KB_PI, -limit, limit),
    )
    if b.y.command != NULL:
        b.y.command[0] = angle
    if b.y.moment != NULL:
        b.y.moment[0] = foil_moment(b, &flow, angle)
