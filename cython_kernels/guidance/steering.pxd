"""What the line-of-sight laws share: all but the angle off the leg at which each of them steers.

A law follows the waypoint schedule, begins its parameters after those of the schedule with those named here, and its
outputs with those that `steering_outputs` writes: see `blocks/guidance/line_of_sight_law.py`.
"""

from libc.math cimport atan2, fabs, tan

from cython_kernels.guidance.waypoints cimport (
    LEG_FIELDS,
    SCHEDULE_PARAMETERS,
    SCHEDULE_WAYPOINT,
    Leg,
    active_leg,
    begin_schedule,
    cross_track,
    depth_along,
    distance_to_switch,
    keeps_heading,
    legs_per_lap,
    next_leg,
    schedule_crossings,
    schedule_setup,
)
from cython_kernels.guidance.waypoints_3d cimport distance_to_switch_3d
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.view cimport View

cdef enum:
    # parameters of every law
    STEERING_LOOKAHEAD = SCHEDULE_PARAMETERS
    STEERING_SPEED = SCHEDULE_PARAMETERS + 1
    STEERING_TAPER = SCHEDULE_PARAMETERS + 2
    STEERING_TAPER_ANGLE = SCHEDULE_PARAMETERS + 3
    STEERING_SIDESLIP = SCHEDULE_PARAMETERS + 4
    STEERING_SIDESLIP_SPEED = SCHEDULE_PARAMETERS + 5
    STEERING_SIDESLIP_LIMIT = SCHEDULE_PARAMETERS + 6
    STEERING_DEPTH = SCHEDULE_PARAMETERS + 7
    STEERING_PARAMETERS = SCHEDULE_PARAMETERS + 8      # where those of one law begin

    STEERING_DEPTH_WAYPOINT = 0
    STEERING_DEPTH_LEG = 1

    STEERING_OUTPUTS = 6        # where those of one law begin

cdef extern from *:
    """
    #define KB_PROJECTION_BEGINS 0.99       /* part of its limit from which on an estimate is slowed down */
    """
    const double KB_PROJECTION_BEGINS


ctypedef double (*LawHeading)(const View* b, const Leg* leg) noexcept nogil


cdef inline double sideslip(double forward, double aside, double full_speed) noexcept nogil:
    """β = asin(v/V) with V² = u² + v², faded out in proportion to V below `full_speed` [rad]."""
    cdef double beta = atan2(aside, fabs(forward))
    cdef double speed = length_of(forward, aside)
    return beta if speed >= full_speed else beta * speed / full_speed


cdef inline double heading_for(const View* b, double course) noexcept nogil:
    """The heading for a course over ground, less the sideslip where that is compensated [rad]."""
    if b.p[STEERING_SIDESLIP][0] != 0.0:
        course -= sideslip(b.u[1][0], b.u[1][1], b.p[STEERING_SIDESLIP_SPEED][0])
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


cdef inline void steering_setup(const View* b, double t) noexcept nogil:
    """w: four constants per leg."""
    schedule_setup(b)


cdef inline void integral_steering_setup(const View* b, double t) noexcept nogil:
    """w: four constants per leg, and what the integral may come to, as a part of the lookahead distance."""
    schedule_setup(b)
    b.w[LEG_FIELDS * b.n[0]] = tan(b.p[STEERING_SIDESLIP_LIMIT][0])


cdef inline double integral_limit(const View* b) noexcept nogil:
    """See `integral_steering_setup`."""
    return b.w[LEG_FIELDS * b.n[0]]


cdef inline bint wants_heading(const View* b) noexcept nogil:
    """True if an output is wanted that the desired heading counts for."""
    return b.y[0] != NULL or (b.y[1] != NULL and b.p[STEERING_TAPER][0] != 0.0)


cdef inline void steering_outputs(const View* b, const Leg* leg, double heading) noexcept nogil:
    """y: heading, speed, depth, cross-track error, number of the waypoint, finished."""
    cdef const double* eta = b.u[0]
    if b.y[0] != NULL:
        b.y[0][0] = heading
    if b.y[1] != NULL:
        if keeps_heading(leg):
            b.y[1][0] = 0.0
        elif b.p[STEERING_TAPER][0] != 0.0:
            b.y[1][0] = tapered(b.p[STEERING_SPEED][0], wrap_angle(heading - eta[5]), b.p[STEERING_TAPER_ANGLE][0])
        else:
            b.y[1][0] = b.p[STEERING_SPEED][0]
    if b.y[2] != NULL:
        b.y[2][0] = depth_along(leg, eta) if b.p[STEERING_DEPTH][0] == STEERING_DEPTH_LEG else leg.end[2]
    if b.y[3] != NULL:
        b.y[3][0] = cross_track(leg, eta)
    if b.y[4] != NULL:
        b.y[4][0] = b.z[SCHEDULE_WAYPOINT]
    if b.y[5] != NULL:
        b.y[5][0] = leg.finished


cdef inline void follow_legs(const View* b, double t, LawHeading law, bint spatial) noexcept nogil:
    """Go on to the next leg when one is done, by a law's heading and by distances in the plane or in space."""
    cdef int _
    cdef double distance
    cdef Leg leg
    begin_schedule(b, t)
    for _ in range(legs_per_lap(b)):
        leg = active_leg(b)
        distance = distance_to_switch_3d(b, &leg) if spatial else distance_to_switch(b, &leg)
        if distance > 0.0:
            break
        next_leg(b, law(b, &leg))


cdef inline void steering_crossings(const View* b, double t) noexcept nogil:
    """g: those of the schedule."""
    schedule_crossings(b)
