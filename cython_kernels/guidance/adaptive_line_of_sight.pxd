"""Line of sight that learns the sideslip.

Sources: Fossen (2023), An adaptive line-of-sight (ALOS) guidance law for path following of aircraft and marine craft;
Fossen and Aguiar (2024), A uniform semiglobal exponential stable adaptive line-of-sight (ALOS) guidance law for 3-D
path following.
"""

from cython_kernels.guidance.steering cimport heading_for, projected, sideslip, steering_outputs, wants_heading
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
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.views.guidance.adaptive_line_of_sight cimport (
    AdaptiveLineOfSightView,
    adaptive_line_of_sight_as_line_of_sight_law,
)
from cython_kernels.views.guidance.line_of_sight_law cimport LineOfSightLawView


cdef inline double adaptation(
    double gain, double lookahead, double error, double estimate, double limit
) noexcept nogil:
    """γ Δ e/√(Δ² + e²), within the limit of the estimate [rad/s]."""
    return projected(gain * lookahead * error / length_of(lookahead, error), estimate, limit)


cdef inline double adaptive_line_of_sight_heading(const AdaptiveLineOfSightView* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    cdef LineOfSightLawView law = adaptive_line_of_sight_as_line_of_sight_law(b)
    if keeps_heading(leg):
        return leg.kept_heading
    return heading_for(&law, leg.course - b.x.sideslip_estimate[0] - atan2(cross_track(leg, b.u.eta), b.p.lookahead[0]))


cdef inline void adaptive_line_of_sight_setup(const AdaptiveLineOfSightView* b, double t) noexcept nogil:
    """w: what is constant on each leg."""
    cdef LineOfSightLawView law = adaptive_line_of_sight_as_line_of_sight_law(b)
    schedule_setup(&law)


cdef inline void adaptive_line_of_sight_outputs(const AdaptiveLineOfSightView* b, double t) noexcept nogil:
    """y: those of every law."""
    cdef LineOfSightLawView law = adaptive_line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    steering_outputs(&law, &leg, adaptive_line_of_sight_heading(b, &leg) if wants_heading(&law) else 0.0)


cdef inline void adaptive_line_of_sight_update(const AdaptiveLineOfSightView* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    cdef LineOfSightLawView law = adaptive_line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg
    cdef int _
    begin_schedule(&law, t)
    for _ in range(legs_per_lap(&law)):
        if not leg_done(&law, &leg):
            break
        next_leg(&law, adaptive_line_of_sight_heading(b, &leg))


cdef inline void adaptive_line_of_sight_derivatives(const AdaptiveLineOfSightView* b, double t) noexcept nogil:
    """dβ̂/dt; at rest where there is no leg to follow."""
    cdef LineOfSightLawView law = adaptive_line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    b.dx.sideslip_estimate[0] = 0.0
    if not keeps_heading(&leg):
        b.dx.sideslip_estimate[0] = adaptation(
            b.p.adaptation_gain[0], b.p.lookahead[0], cross_track(&leg, b.u.eta),
            b.x.sideslip_estimate[0], b.p.sideslip_limit[0],
        )


cdef inline void adaptive_line_of_sight_crossings(const AdaptiveLineOfSightView* b, double t) noexcept nogil:
    """g: distance to the switch to the next leg, and to passing the waypoint."""
    cdef LineOfSightLawView law = adaptive_line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    b.g.to_switch[0] = distance_to_switch(&law, &leg)
    b.g.to_pass[0] = distance_to_pass(&leg, b.u.eta)
