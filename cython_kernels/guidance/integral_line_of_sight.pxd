"""Line of sight with integral action.

Source: Børhaug, Pavlov and Pettersen (2008), Integral LOS control for path following of underactuated marine surface
vessels in the presence of constant ocean currents.
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
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.elementary.trigonometric cimport tan
from cython_kernels.views.guidance.integral_line_of_sight cimport (
    IntegralLineOfSightView,
    integral_line_of_sight_as_line_of_sight_law,
)
from cython_kernels.views.guidance.line_of_sight_law cimport LineOfSightLawView


cdef inline double integral_line_of_sight_heading(const IntegralLineOfSightView* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    cdef LineOfSightLawView law = integral_line_of_sight_as_line_of_sight_law(b)
    cdef double total
    if keeps_heading(leg):
        return leg.kept_heading
    total = cross_track(leg, b.u.eta) + b.p.integral_gain[0] * b.x.cross_track_integral[0]
    return heading_for(&law, leg.course - atan2(total, b.p.lookahead[0]))


cdef inline void integral_line_of_sight_setup(const IntegralLineOfSightView* b, double t) noexcept nogil:
    """w: what is constant on each leg, and the limit of the integral."""
    cdef LineOfSightLawView law = integral_line_of_sight_as_line_of_sight_law(b)
    schedule_setup(&law)
    b.w.integral_limit[0] = tan(b.p.sideslip_limit[0])


cdef inline void integral_line_of_sight_outputs(const IntegralLineOfSightView* b, double t) noexcept nogil:
    """y: those of every law."""
    cdef LineOfSightLawView law = integral_line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    steering_outputs(&law, &leg, integral_line_of_sight_heading(b, &leg) if wants_heading(&law) else 0.0)


cdef inline void integral_line_of_sight_update(const IntegralLineOfSightView* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    cdef LineOfSightLawView law = integral_line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg
    cdef int _
    begin_schedule(&law, t)
    for _ in range(legs_per_lap(&law)):
        if not leg_done(&law, &leg):
            break
        next_leg(&law, integral_line_of_sight_heading(b, &leg))


cdef inline void integral_line_of_sight_derivatives(const IntegralLineOfSightView* b, double t) noexcept nogil:
    """dy_int/dt = Δ y_e/(Δ² + (y_e + κ y_int)²) within the limit; at rest where there is no leg to follow."""
    cdef LineOfSightLawView law = integral_line_of_sight_as_line_of_sight_law(b)
    cdef double lookahead = b.p.lookahead[0]
    cdef double held = b.p.integral_gain[0] * b.x.cross_track_integral[0]
    cdef double error, total
    cdef Leg leg = active_leg(&law)
    b.dx.cross_track_integral[0] = 0.0
    if not keeps_heading(&leg):
        error = cross_track(&leg, b.u.eta)
        total = error + held
        b.dx.cross_track_integral[0] = projected(
            lookahead * error / (lookahead * lookahead + total * total), held, lookahead * b.w.integral_limit[0]
        )


cdef inline void integral_line_of_sight_crossings(const IntegralLineOfSightView* b, double t) noexcept nogil:
    """g: distance to the switch to the next leg, and to passing the waypoint."""
    cdef LineOfSightLawView law = integral_line_of_sight_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    b.g.to_switch[0] = distance_to_switch(&law, &leg)
    b.g.to_pass[0] = distance_to_pass(&leg, b.u.eta)
