"""Line of sight in space, by heading and pitch, plain or adaptive.

Source: Fossen and Aguiar (2024), A uniform semiglobal exponential stable adaptive line-of-sight (ALOS) guidance law for
3-D path following.
"""

from cython_kernels.guidance.adaptive_line_of_sight cimport adaptation
from cython_kernels.guidance.steering cimport sideslip, steering_outputs, wants_heading
from cython_kernels.guidance.waypoints cimport (
    Leg,
    active_leg,
    begin_schedule,
    cross_track,
    keeps_heading,
    legs_per_lap,
    next_leg,
    schedule_setup,
)
from cython_kernels.guidance.waypoints_3d cimport (
    Slope,
    active_slope,
    distance_to_pass_3d,
    distance_to_switch_3d,
    leg_done_3d,
    slopes_setup,
    vertical_track,
)
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.guidance.line_of_sight_3d cimport LineOfSight3DView, line_of_sight_3d_as_line_of_sight_law
from cython_kernels.views.guidance.line_of_sight_law cimport LineOfSightLawView


cdef inline double crab_angle(const LineOfSight3DView* b, bint vertical) noexcept nogil:
    """Between where the vehicle heads and where it moves over ground, to starboard; or vertically, down [rad]."""
    cdef const double* eta = b.u.eta
    cdef const double* nu = b.u.nu
    cdef double sphi, cphi, stheta, ctheta, below
    cdef double full_speed = b.p.sideslip_speed[0]
    sine_cosine(eta[3], &sphi, &cphi)
    below = nu[1] * sphi + nu[2] * cphi
    if vertical:
        return sideslip(nu[0], below, full_speed)
    sine_cosine(eta[4], &stheta, &ctheta)
    return sideslip(nu[0] * ctheta + below * stheta, nu[1] * cphi - nu[2] * sphi, full_speed)


cdef inline double line_of_sight_3d_heading(const LineOfSight3DView* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    cdef double heading
    if keeps_heading(leg):
        return leg.kept_heading
    heading = leg.course - atan2(cross_track(leg, b.u.eta), b.p.lookahead[0])
    if b.p.adaptive[0] != 0.0:
        heading -= b.x.sideslip_estimate[0]
    if b.p.sideslip_compensation[0] != 0.0:
        heading -= crab_angle(b, False)
    return wrap_angle(heading)


cdef inline double line_of_sight_3d_pitch(const LineOfSight3DView* b, const Leg* leg) noexcept nogil:
    """θ_d."""
    cdef const Slope* slope = active_slope(b)
    cdef double pitch
    if keeps_heading(leg):
        return 0.0
    pitch = slope.angle + atan2(vertical_track(slope, leg, b.u.eta), b.p.vertical_lookahead[0])
    if b.p.adaptive[0] != 0.0:
        pitch += b.x.angle_of_attack_estimate[0]
    if b.p.sideslip_compensation[0] != 0.0:
        pitch += crab_angle(b, True)
    return clamp(pitch, -b.p.pitch_limit[0], b.p.pitch_limit[0])


cdef inline void line_of_sight_3d_setup(const LineOfSight3DView* b, double t) noexcept nogil:
    """w: what is constant on each leg and of its slope."""
    cdef LineOfSightLawView law = line_of_sight_3d_as_line_of_sight_law(b)
    schedule_setup(&law)
    slopes_setup(b)


cdef inline void line_of_sight_3d_outputs(const LineOfSight3DView* b, double t) noexcept nogil:
    """y: those of every law, pitch, vertical-track error."""
    cdef LineOfSightLawView law = line_of_sight_3d_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    steering_outputs(&law, &leg, line_of_sight_3d_heading(b, &leg) if wants_heading(&law) else 0.0)
    if b.y.pitch != NULL:
        b.y.pitch[0] = line_of_sight_3d_pitch(b, &leg)
    if b.y.vertical_track_error != NULL:
        b.y.vertical_track_error[0] = vertical_track(active_slope(b), &leg, b.u.eta)


cdef inline void line_of_sight_3d_update(const LineOfSight3DView* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    cdef LineOfSightLawView law = line_of_sight_3d_as_line_of_sight_law(b)
    cdef Leg leg
    cdef int _
    begin_schedule(&law, t)
    for _ in range(legs_per_lap(&law)):
        if not leg_done_3d(b, &leg):
            break
        next_leg(&law, line_of_sight_3d_heading(b, &leg))


cdef inline void line_of_sight_3d_crossings(const LineOfSight3DView* b, double t) noexcept nogil:
    """g: distance to the switch to the next leg, and to passing the waypoint."""
    cdef LineOfSightLawView law = line_of_sight_3d_as_line_of_sight_law(b)
    cdef Leg leg = active_leg(&law)
    b.g.to_switch[0] = distance_to_switch_3d(b, &leg)
    b.g.to_pass[0] = distance_to_pass_3d(b, &leg)


cdef inline void adaptive_line_of_sight_3d_setup(const LineOfSight3DView* b, double t) noexcept nogil:
    """w: what is constant on each leg and of its slope."""
    line_of_sight_3d_setup(b, t)


cdef inline void adaptive_line_of_sight_3d_outputs(const LineOfSight3DView* b, double t) noexcept nogil:
    """y: those of every law, pitch, vertical-track error."""
    line_of_sight_3d_outputs(b, t)


cdef inline void adaptive_line_of_sight_3d_derivatives(const LineOfSight3DView* b, double t) noexcept nogil:
    """dβ̂/dt and dα̂/dt; at rest where there is no leg to follow."""
    cdef LineOfSightLawView law = line_of_sight_3d_as_line_of_sight_law(b)
    cdef double limit = b.p.sideslip_limit[0]
    cdef Leg leg = active_leg(&law)
    b.dx.sideslip_estimate[0] = 0.0
    b.dx.angle_of_attack_estimate[0] = 0.0
    if not keeps_heading(&leg):
        b.dx.sideslip_estimate[0] = adaptation(
            b.p.adaptation_gain[0], b.p.lookahead[0], cross_track(&leg, b.u.eta), b.x.sideslip_estimate[0], limit
        )
        b.dx.angle_of_attack_estimate[0] = adaptation(
            b.p.vertical_adaptation_gain[0], b.p.vertical_lookahead[0],
            vertical_track(active_slope(b), &leg, b.u.eta), b.x.angle_of_attack_estimate[0], limit,
        )


cdef inline void adaptive_line_of_sight_3d_update(const LineOfSight3DView* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    line_of_sight_3d_update(b, t)


cdef inline void adaptive_line_of_sight_3d_crossings(const LineOfSight3DView* b, double t) noexcept nogil:
    """g: distance to the switch to the next leg, and to passing the waypoint."""
    line_of_sight_3d_crossings(b, t)
