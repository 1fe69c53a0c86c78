"""The waypoint schedule that path-following guidance shares: legs, which of them is active, and when it is done.

A leg leads from one waypoint to the next. In the horizontal plane it is a straight line; a leg whose ends differ in
depth only is a dive or an ascent on the spot. Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion
Control, sec. 10.3.2.
"""

from libc.math cimport copysign, fabs

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.views.guidance.line_of_sight_law cimport LineOfSightLawView
from cython_kernels.views.guidance.waypoints cimport (
    WAYPOINT_GUIDANCE_AT_END_HOLD,
    WAYPOINT_GUIDANCE_SWITCHING_ALONG_TRACK,
)

cdef enum:                      # phases of a schedule
    PHASE_NEW = 0               # no major step has been taken yet
    PHASE_UNDER_WAY = 1
    PHASE_FINISHED = 2


ctypedef struct LegLine:        # derived constants of the leg that ends at a waypoint
    double course               # from north, clockwise [rad]
    double cosine
    double sine
    double length               # horizontal [m]


ctypedef struct Leg:
    const double* begin         # x, y, z [m], NED
    const double* end
    double course               # from north, clockwise [rad]; on the spot: the heading to keep
    double cosine
    double sine
    double length               # horizontal [m]; 0: on the spot
    double kept_heading         # where there is no path to follow [rad]
    bint finished               # the path ends here


cdef inline void schedule_setup(const LineOfSightLawView* b) noexcept nogil:
    """Course and horizontal length of every leg; the one that closes a loop ends at waypoint 0."""
    cdef int n = b.n.n
    cdef int i
    cdef const double* begin
    cdef const double* end
    cdef double north, east
    cdef LegLine* leg
    for i in range(n):
        begin = b.p.waypoints + 3 * ((i + n - 1) % n)
        end = b.p.waypoints + 3 * i
        north = end[0] - begin[0]
        east = end[1] - begin[1]
        leg = <LegLine*>b.w.legs + i
        leg.course = atan2(east, north)
        leg.cosine = cos(leg.course)
        leg.sine = sin(leg.course)
        leg.length = length_of(north, east)


cdef inline Leg active_leg(const LineOfSightLawView* b) noexcept nogil:
    """The leg that is being followed."""
    cdef Leg leg
    cdef int n = b.n.n
    cdef int target = place_in(b.z.active_waypoint[0] - 1.0, n)
    cdef const LegLine* line = <const LegLine*>b.w.legs + target
    leg.begin = b.p.waypoints + 3 * ((target + n - 1) % n)
    leg.end = b.p.waypoints + 3 * target
    leg.length = line.length
    leg.finished = b.z.phase[0] == PHASE_FINISHED
    if leg.length > 0.0:
        leg.course = line.course
        leg.cosine = line.cosine
        leg.sine = line.sine
        leg.kept_heading = b.z.kept_heading[0]
    else:
        leg.course = wrap_angle(b.u.eta[5]) if b.z.phase[0] == PHASE_NEW else b.z.kept_heading[0]
        leg.cosine = cos(leg.course)
        leg.sine = sin(leg.course)
        leg.kept_heading = leg.course
    return leg


cdef inline bint keeps_heading(const Leg* leg) noexcept nogil:
    """True where there is no path to follow: on the spot, or at the end."""
    return leg.finished or leg.length == 0.0


cdef inline double along_track(const Leg* leg, const double* eta) noexcept nogil:
    """x_e: distance made good along the leg [m]."""
    return (eta[0] - leg.begin[0]) * leg.cosine + (eta[1] - leg.begin[1]) * leg.sine


cdef inline double cross_track(const Leg* leg, const double* eta) noexcept nogil:
    """y_e: distance from the leg, positive to its starboard side [m]."""
    return (eta[1] - leg.begin[1]) * leg.cosine - (eta[0] - leg.begin[0]) * leg.sine


cdef inline double depth_along(const Leg* leg, const double* eta) noexcept nogil:
    """The depth on the straight line between the two waypoints, abeam of the vehicle [m]."""
    cdef double part
    if keeps_heading(leg):
        return leg.end[2]
    part = along_track(leg, eta) / leg.length
    if part <= 0.0:
        return leg.begin[2]
    if part >= 1.0:
        return leg.end[2]
    return leg.begin[2] + part * (leg.end[2] - leg.begin[2])


cdef inline double distance_to_switch(const LineOfSightLawView* b, const Leg* leg) noexcept nogil:
    """How far it is until the leg is done [m]; it is done when this is not positive."""
    cdef const double* eta = b.u.eta
    cdef double radius = b.p.acceptance_radius[0]
    if leg.finished:
        return 1.0
    if leg.length == 0.0:
        return fabs(leg.end[2] - eta[2]) - radius
    if b.p.switching[0] == WAYPOINT_GUIDANCE_SWITCHING_ALONG_TRACK:
        return leg.length - along_track(leg, eta) - radius
    return length_of(leg.end[0] - eta[0], leg.end[1] - eta[1]) - radius


cdef inline double distance_to_pass(const Leg* leg, const double* eta) noexcept nogil:
    """How far it is until the vehicle is abeam of the waypoint, or on the spot level with it [m].

    As a crossing it shows an adaptive solver a circle that it has passed from rim to rim within one step.
    """
    if leg.finished:
        return 1.0
    if leg.length == 0.0:
        return copysign(1.0, leg.end[2] - leg.begin[2]) * (leg.end[2] - eta[2])
    return leg.length - along_track(leg, eta)


cdef inline bint leg_done(const LineOfSightLawView* b, Leg* leg) noexcept nogil:
    """Whether the leg that is being followed is done, and this leg."""
    leg[0] = active_leg(b)
    return not distance_to_switch(b, leg) > 0.0


cdef inline bint closed_path(const LineOfSightLawView* b) noexcept nogil:
    """True if the path ends where it begins, so that a loop needs no leg to close it."""
    cdef const double* first = b.p.waypoints
    cdef const double* last = first + 3 * (b.n.n - 1)
    return last[0] == first[0] and last[1] == first[1] and last[2] == first[2]


cdef inline int legs_per_lap(const LineOfSightLawView* b) noexcept nogil:
    """How often `next_leg` leads back to the same leg on a loop.

    No more legs than these may be done at one instant: a vehicle that is near every waypoint at once stays on its leg,
    instead of going round for ever.
    """
    return b.n.n - 1 if closed_path(b) else b.n.n


cdef inline void begin_schedule(const LineOfSightLawView* b, double t) noexcept nogil:
    """Take the vehicle's heading as the one to keep until a leg gives another.

    Repeated within the first instant, because inputs may still settle there.
    """
    if b.z.phase[0] == PHASE_NEW:
        b.z.phase[0] = PHASE_UNDER_WAY
        b.z.start_time[0] = t
    if t == b.z.start_time[0] and b.z.active_waypoint[0] == 2.0:
        b.z.kept_heading[0] = wrap_angle(b.u.eta[5])


cdef inline void next_leg(const LineOfSightLawView* b, double heading) noexcept nogil:
    """Go on to the leg after the active one, or finish. `heading` is the one to keep if there is no other."""
    cdef int target = place_in(b.z.active_waypoint[0] - 1.0, b.n.n) + 1    # the index after the active one
    b.z.kept_heading[0] = heading
    if target == b.n.n:
        if b.p.at_end[0] == WAYPOINT_GUIDANCE_AT_END_HOLD:
            b.z.phase[0] = PHASE_FINISHED
            return
        target = 1 if closed_path(b) else 0
    b.z.active_waypoint[0] = target + 1
