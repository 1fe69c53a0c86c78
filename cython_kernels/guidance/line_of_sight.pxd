"""Line of sight along legs: lookahead-based, enclosure-based, and as a PI controller of the cross-track error.

Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.3.2.
"""

from cython_kernels.guidance.steering cimport heading_for, projected, steering_outputs, wants_heading
from cython_kernels.guidance.waypoints cimport (
    Leg,
    active_leg,
    begin_schedule,
    cross_track,
    distance_to_pass,
    distance_to_switch,
    keeps_heading,
    leg_done,
    legs_per_lap,
    next_leg,
    schedule_setup,
)
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport asin, atan, atan2
from cython_kernels.mathematics.elementary.trigonometric cimport tan
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.guidance.line_of_sight cimport (
    LINE_OF_SIGHT_STEERING_ENCLOSURE,
    LINE_OF_SIGHT_STEERING_LOOKAHEAD,
    LineOfSightView,
    line_of_sight_as_line_of_sight_law,
)
from cython_kernels.views.guidance.line_of_sight_law cimport LineOfSightLawView


cdef inline double line_of_sight_heading(const LineOfSightView* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    cdef LineOfSightLawView law = line_of_sight_as_line_of_sight_law(b)
    cdef double error, off
    if keeps_heading(leg):
        return leg.kept_heading
    error = cross_track(leg, b.u.eta)
    if b.p.steering[0] == LINE_OF_SIGHT_STEERING_LOOKAHEAD:
        off = atan2(error, b.p.lookahead[0])
    elif b.p.steering[0] == LINE_OF_SIGHT_STEERING_ENCLOSURE:
        off = asin(clamp(error / b.p.enclosure_radius[0], -1.0, 1.0))     # out of reach: to the nearest point
    else:
        off = atan(b.p.kp[0] * error + b.p.ki[0] * b.x.cross_track_integral[0])
    return heading_for(&law, leg.course - off)


cdef inline void line_of_sight_setup(const LineOfSightView* b, double t) noexcept nogil:
    """w: what is constant on each leg."""
    cdef LineOfSightLawView law = line_of_sight_as_line_of_sight_law(b)
    schedule_setup(&law)


cdef inline void line_of_sight_outputs(const LineOfSightView* b, double t) noexcept nogil:
    """y: those of every law."""
    cdef LineOfSightLawView law = line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    steering_outputs(&law, &leg, line_of_sight_heading(b, &leg) if wants_heading(&law) else 0.0)


cdef inline void line_of_sight_update(const LineOfSightView* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    cdef LineOfSightLawView law = line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg
    cdef int _
    begin_schedule(&law, t)
    for _ in range(legs_per_lap(&law)):
        if not leg_done(&law, &leg):
            break
        next_leg(&law, line_of_sight_heading(b, &leg))


cdef inline void line_of_sight_crossings(const LineOfSightView* b, double t) noexcept nogil:
    """g: distance to the switch to the next leg, and to passing the waypoint."""
    cdef LineOfSightLawView law = line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    b.g.to_switch[0] = distance_to_switch(&law, &leg)
    b.g.to_pass[0] = distance_to_pass(&leg, b.u.eta)


cdef inline void line_of_sight_pi_setup(const LineOfSightView* b, double t) noexcept nogil:
    """w: what is constant on each leg, and the limit of the integral."""
    line_of_sight_setup(b, t)
    b.w.integral_limit[0] = tan(b.p.sideslip_limit[0])


cdef inline void line_of_sight_pi_outputs(const LineOfSightView* b, double t) noexcept nogil:
    """y: those of every law."""
    line_of_sight_outputs(b, t)


cdef inline void line_of_sight_pi_derivatives(const LineOfSightView* b, double t) noexcept nogil:
    """d(∫e)/dt = e within the limit; at rest where there is no leg to follow."""
    cdef LineOfSightLawView law = line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    b.dx.cross_track_integral[0] = 0.0
    if not keeps_heading(&leg):
        b.dx.cross_track_integral[0] = projected(
            cross_track(&leg, b.u.eta), b.p.ki[0] * b.x.cross_track_integral[0], b.w.integral_limit[0]
        )


cdef inline void line_of_sight_pi_update(const LineOfSightView* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    line_of_sight_update(b, t)


cdef inline void line_of_sight_pi_crossings(const LineOfSightView* b, double t) noexcept nogil:
    """g: distance to the switch to the next leg, and to passing the waypoint."""
    line_of_sight_crossings(b, t)
