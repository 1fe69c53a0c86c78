"""The waypoint schedule that path-following guidance shares: legs, which of them is active, and when it is done.

A leg leads from one waypoint to the next. In the horizontal plane it is a straight line; a leg whose ends differ in
depth only is a dive or an ascent on the spot. Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion
Control, sec. 10.3.2.

A kernel that follows waypoints begins its parameters, discrete states, sizes and derived constants with those of the
schedule, and its inputs with eta: see `blocks/guidance/waypoints.py`.
"""

from libc.math cimport atan2, copysign, cos, fabs, sin

from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.view cimport View

cdef enum:
    # parameters of a schedule
    SCHEDULE_WAYPOINTS = 0
    SCHEDULE_RADIUS = 1
    SCHEDULE_SWITCHING = 2
    SCHEDULE_AT_END = 3
    SCHEDULE_PARAMETERS = 4     # where those of the guidance law begin

    # derived constants of a leg, kept at LEG_FIELDS × the index of the waypoint where it ends
    LEG_COURSE = 0
    LEG_COSINE = 1
    LEG_SINE = 2
    LEG_LENGTH = 3
    LEG_FIELDS = 4

    # discrete states of a schedule
    SCHEDULE_WAYPOINT = 0       # number of the waypoint being steered for, from 1
    SCHEDULE_HEADING = 1        # heading kept where no leg gives one [rad]
    SCHEDULE_PHASE = 2          # PHASE_…
    SCHEDULE_START = 3          # time of the first major step [s]

    PHASE_NEW = 0               # no major step has been taken yet
    PHASE_UNDER_WAY = 1
    PHASE_FINISHED = 2

    # choices, in the order of the declaration
    SWITCHING_CIRCLE = 0
    SWITCHING_ALONG_TRACK = 1
    AT_END_HOLD = 0
    AT_END_LOOP = 1


ctypedef struct Leg:
    const double* begin         # x, y, z [m], NED
    const double* end
    double course               # from north, clockwise [rad]; on the spot: the heading to keep
    double cosine
    double sine
    double length               # horizontal [m]; 0: on the spot
    bint finished               # the path ends here


cdef inline void schedule_setup(const View* b) noexcept nogil:
    """Course and horizontal length of every leg; the one that closes a loop ends at waypoint 0."""
    cdef int n = b.n[0]
    cdef int i
    cdef const double* begin
    cdef const double* end
    cdef double north, east
    cdef double* leg
    for i in range(n):
        begin = b.p[SCHEDULE_WAYPOINTS] + 3 * ((i + n - 1) % n)
        end = b.p[SCHEDULE_WAYPOINTS] + 3 * i
        north = end[0] - begin[0]
        east = end[1] - begin[1]
        leg = b.w + LEG_FIELDS * i
        leg[LEG_COURSE] = atan2(east, north)
        leg[LEG_COSINE] = cos(leg[LEG_COURSE])
        leg[LEG_SINE] = sin(leg[LEG_COURSE])
        leg[LEG_LENGTH] = length_of(north, east)


cdef inline Leg active_leg(const View* b) noexcept nogil:
    """The leg that is being followed."""
    cdef Leg leg
    cdef int n = b.n[0]
    cdef int target = place_in(b.z[SCHEDULE_WAYPOINT] - 1.0, n)
    cdef const double* derived = b.w + LEG_FIELDS * target
    leg.begin = b.p[SCHEDULE_WAYPOINTS] + 3 * ((target + n - 1) % n)
    leg.end = b.p[SCHEDULE_WAYPOINTS] + 3 * target
    leg.length = derived[LEG_LENGTH]
    leg.finished = b.z[SCHEDULE_PHASE] == PHASE_FINISHED
    if leg.length > 0.0:
        leg.course = derived[LEG_COURSE]
        leg.cosine = derived[LEG_COSINE]
        leg.sine = derived[LEG_SINE]
    else:
        leg.course = wrap_angle(b.u[0][5]) if b.z[SCHEDULE_PHASE] == PHASE_NEW else b.z[SCHEDULE_HEADING]
        leg.cosine = cos(leg.course)
        leg.sine = sin(leg.course)
    return leg


cdef inline bint keeps_heading(const Leg* leg) noexcept nogil:
    """True where there is no path to follow: on the spot, or at the end."""
    return leg.finished or leg.length == 0.0


cdef inline double heading_kept(const View* b, const Leg* leg) noexcept nogil:
    """The heading where there is no path to follow [rad]."""
    return leg.course if leg.length == 0.0 else b.z[SCHEDULE_HEADING]


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


cdef inline double distance_to_switch(const View* b, const Leg* leg) noexcept nogil:
    """How far it is until the leg is done [m]; it is done when this is not positive."""
    cdef const double* eta = b.u[0]
    cdef double radius = b.p[SCHEDULE_RADIUS][0]
    if leg.finished:
        return 1.0
    if leg.length == 0.0:
        return fabs(leg.end[2] - eta[2]) - radius
    if b.p[SCHEDULE_SWITCHING][0] == SWITCHING_ALONG_TRACK:
        return leg.length - along_track(leg, eta) - radius
    return length_of(leg.end[0] - eta[0], leg.end[1] - eta[1]) - radius


cdef inline double distance_to_pass(const Leg* leg, const double* eta) noexcept nogil:
    """How far it is until the vehicle is abeam of the waypoint, or on the spot level with it [m]."""
    if leg.finished:
        return 1.0
    if leg.length == 0.0:
        return copysign(1.0, leg.end[2] - leg.begin[2]) * (leg.end[2] - eta[2])
    return leg.length - along_track(leg, eta)


cdef inline void schedule_crossings(const View* b) noexcept nogil:
    """g: distance to the switch to the next leg, and to passing the waypoint.

    The second shows an adaptive solver a circle that it has crossed from rim to rim within one step.
    """
    cdef Leg leg = active_leg(b)
    b.g[0] = distance_to_switch(b, &leg)
    b.g[1] = distance_to_pass(&leg, b.u[0])


cdef inline bint closed_path(const View* b) noexcept nogil:
    """True if the path ends where it begins, so that a loop needs no leg to close it."""
    cdef const double* first = b.p[SCHEDULE_WAYPOINTS]
    cdef const double* last = first + 3 * (b.n[0] - 1)
    return last[0] == first[0] and last[1] == first[1] and last[2] == first[2]


cdef inline int legs_per_lap(const View* b) noexcept nogil:
    """How often `next_leg` leads back to the same leg on a loop.

    No more legs than these may be done at one instant: a vehicle that is near every waypoint at once stays on its leg,
    instead of going round for ever.
    """
    return b.n[0] - 1 if closed_path(b) else b.n[0]


cdef inline void begin_schedule(const View* b, double t) noexcept nogil:
    """Take the vehicle's heading as the one to keep until a leg gives another.

    Repeated within the first instant, because inputs may still settle there.
    """
    if b.z[SCHEDULE_PHASE] == PHASE_NEW:
        b.z[SCHEDULE_PHASE] = PHASE_UNDER_WAY
        b.z[SCHEDULE_START] = t
    if t == b.z[SCHEDULE_START] and b.z[SCHEDULE_WAYPOINT] == 2.0:
        b.z[SCHEDULE_HEADING] = wrap_angle(b.u[0][5])


cdef inline void next_leg(const View* b, double heading) noexcept nogil:
    """Go on to the leg after the active one, or finish. `heading` is the one to keep if there is no other."""
    cdef int target = place_in(b.z[SCHEDULE_WAYPOINT] - 1.0, b.n[0]) + 1    # the index after the active one
    b.z[SCHEDULE_HEADING] = heading
    if target == b.n[0]:
        if b.p[SCHEDULE_AT_END][0] == AT_END_HOLD:
            b.z[SCHEDULE_PHASE] = PHASE_FINISHED
            return
        target = 1 if closed_path(b) else 0
    b.z[SCHEDULE_WAYPOINT] = target + 1
