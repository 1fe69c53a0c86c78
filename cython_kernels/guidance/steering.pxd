"""What the line-of-sight laws share: all but the angle off the leg at which each of them steers."""

from libc.math cimport fabs

from cython_kernels.guidance.waypoints cimport Leg, cross_track, depth_along, keeps_heading
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.views.guidance.line_of_sight_law cimport LINE_OF_SIGHT_LAW_DEPTH_REFERENCE_LEG, LineOfSightLawView

cdef extern from *:
    """
    #define KB_PROJECTION_BEGINS 0.99       /* part of its limit from which on an estimate is slowed down */
    """
    const double KB_PROJECTION_BEGINS


cdef inline double sideslip(double forward, double aside, double full_speed) noexcept nogil:
    """β = asin(v/V) with V² = u² + v², faded out in proportion to V below `full_speed` [rad]."""
    cdef double beta = atan2(aside, fabs(forward))
    cdef double speed = length_of(forward, aside)
    return beta if speed >= full_speed else beta * speed / full_speed


cdef inline double heading_for(const LineOfSightLawView* b, double course) noexcept nogil:
    """The heading for a course over ground, less the sideslip where that is compensated [rad]."""
    if b.p.sideslip_compensation[0] != 0.0:
        course -= sideslip(b.u.nu[0], b.u.nu[1], b.p.sideslip_speed[0])
    return wrap_angle(course)


cdef inline double projected(double rate, double estimate, double limit) noexcept nogil:
    """`rate`, but none that takes an estimate beyond its limit: it fades out over the last hundredth."""
    cdef double part, left
    if estimate * rate <= 0.0:
        return rate
    part = estimate / limit
    left = (1.0 - part * part) / (1.0 - KB_PROJECTION_BEGINS * KB_PROJECTION_BEGINS)
    return rate if left >= 1.0 else rate * left if not left < 0.0 else 0.0


cdef inline double tapered(double speed, double heading_error, double zero_at) noexcept nogil:
    """U (1 - |e_ψ|/zero_at), and nothing beyond."""
    cdef double part = 1.0 - fabs(heading_error) / zero_at
    return speed * part if part > 0.0 else 0.0


cdef inline bint wants_heading(const LineOfSightLawView* b) noexcept nogil:
    """True if an output is wanted that the desired heading counts for."""
    return b.y.heading != NULL or (b.y.speed != NULL and b.p.speed_taper[0] != 0.0)


cdef inline void steering_outputs(const LineOfSightLawView* b, const Leg* leg, double heading) noexcept nogil:
    """y: heading, speed, depth, cross-track error, number of the waypoint, finished."""
    cdef const double* eta = b.u.eta
    cdef bint along
    if b.y.heading != NULL:
        b.y.heading[0] = heading
    if b.y.speed != NULL:
        if keeps_heading(leg):
            b.y.speed[0] = 0.0
        elif b.p.speed_taper[0] != 0.0:
            b.y.speed[0] = tapered(b.p.cruise_speed[0], wrap_angle(heading - eta[5]), b.p.taper_angle[0])
        else:
            b.y.speed[0] = b.p.cruise_speed[0]
    if b.y.depth != NULL:
        along = b.p.depth_reference[0] == LINE_OF_SIGHT_LAW_DEPTH_REFERENCE_LEG
        b.y.depth[0] = depth_along(leg, eta) if along else leg.end[2]
    if b.y.cross_track_error != NULL:
        b.y.cross_track_error[0] = cross_track(leg, eta)
    if b.y.waypoint != NULL:
        b.y.waypoint[0] = b.z.active_waypoint[0]
    if b.y.finished != NULL:
        b.y.finished[0] = leg.finished
