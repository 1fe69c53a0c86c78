"""The rows of a mission: which is at work, where it leads, what it wants, and what is left of it."""

from libc.math cimport copysign, fabs

from cython_kernels.guidance.station_keeping cimport approach_speed
from cython_kernels.guidance.steering cimport sideslip, tapered
from cython_kernels.guidance.target_tracking cimport pursuit
from cython_kernels.guidance.waypoints cimport Leg, along_track, cross_track
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin
from cython_kernels.mathematics.events cimport reached, side
from cython_kernels.mathematics.frames cimport KB_PI, length_of, wrap_angle
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.views.guidance.mission_plan cimport (
    MISSION_PLAN_COLUMN_DEPTH,
    MISSION_PLAN_COLUMN_ENDING,
    MISSION_PLAN_COLUMN_LATE,
    MISSION_PLAN_COLUMN_LIMIT,
    MISSION_PLAN_COLUMN_PLACE,
    MISSION_PLAN_COLUMN_RADIUS,
    MISSION_PLAN_COLUMN_SPEED,
    MISSION_PLAN_COLUMN_STEP,
    MISSION_PLAN_COLUMN_TURNS,
    MISSION_PLAN_COLUMN_UNTIL,
    MISSION_PLAN_COLUMN_X,
    MISSION_PLAN_COLUMN_Y,
    MISSION_PLAN_COLUMN_Z,
    MISSION_PLAN_DEPTH_OF_GIVEN,
    MISSION_PLAN_DEPTH_OF_KEPT,
    MISSION_PLAN_DEPTH_REFERENCE_LEG,
    MISSION_PLAN_ENDING_AGAIN,
    MISSION_PLAN_ENDING_SLOW,
    MISSION_PLAN_PLACE_START,
    MISSION_PLAN_STEP_CIRCLE,
    MISSION_PLAN_STEP_DIVE,
    MISSION_PLAN_STEP_END,
    MISSION_PLAN_STEP_FOLLOW,
    MISSION_PLAN_STEP_GO,
    MISSION_PLAN_UNTIL_DURATION,
    MISSION_PLAN_UNTIL_NEAR,
    MISSION_PLAN_UNTIL_PROCEED,
    MISSION_PLAN_UNTIL_TIME,
    MissionPlanView,
)

ctypedef struct Row:
    const double* says          # by columns
    int step
    double x                    # of its place, of the centre, or of the place beside the target, north [m]
    double y
    double distance             # of the vehicle from there, over the water [m]
    double bearing              # of the vehicle from there, where it goes round or back to a place [rad]
    double radius               # of acceptance, or of the circle [m]
    double side                 # 1 to starboard, -1 to port
    bint round                  # on a circle, to wait there or to go round
    Leg leg                     # of a step that goes


cdef inline int row_width() noexcept nogil:
    """How many numbers a row has."""
    return MISSION_PLAN_COLUMN_LATE + 1         # the last column


cdef inline int row_at(const MissionPlanView* b) noexcept nogil:
    """The number of the row at work."""
    return place_in(b.z.row[0], b.n.n + b.n.m)


cdef inline const double* row_says(const MissionPlanView* b, int number) noexcept nogil:
    """What a row says; those of aborts come after the others."""
    if number < b.n.n:
        return b.p.phases + row_width() * number
    return b.p.aborts + row_width() * (number - b.n.n)


cdef inline int row_step(const MissionPlanView* b, const double* says) noexcept nogil:
    """What a row tells the vehicle to do; the end for a row that is none."""
    return place_in(says[MISSION_PLAN_COLUMN_STEP], MISSION_PLAN_STEP_FOLLOW + 1)


cdef inline Row active_row(const MissionPlanView* b) noexcept nogil:
    """The row at work, as seen from the vehicle."""
    cdef Row row
    cdef const double* eta = b.u.eta
    cdef const double* says = row_says(b, row_at(b))
    cdef bint beside_target
    row.says = says
    row.step = row_step(b, says)
    beside_target = row.step == MISSION_PLAN_STEP_FOLLOW
    row.x = says[MISSION_PLAN_COLUMN_X]
    row.y = says[MISSION_PLAN_COLUMN_Y]
    row.radius = says[MISSION_PLAN_COLUMN_RADIUS]
    row.side = 1.0
    row.round = False
    row.leg.begin = b.z.place
    row.leg.end = b.z.place         # its depth is asked of the row
    row.leg.finished = False
    row.leg.kept_heading = b.z.kept_heading[0]
    row.leg.course = row.leg.kept_heading
    row.leg.cosine = 1.0
    row.leg.sine = 0.0
    row.leg.length = 0.0
    if beside_target:
        row.x += b.u.target[0]
        row.y += b.u.target[1]
    elif row.step == MISSION_PLAN_STEP_CIRCLE:
        row.round = True
        row.side = copysign(1.0, says[MISSION_PLAN_COLUMN_TURNS])
    elif row.step == MISSION_PLAN_STEP_GO:
        if says[MISSION_PLAN_COLUMN_PLACE] == MISSION_PLAN_PLACE_START:
            row.x = b.z.start_place[0]
            row.y = b.z.start_place[1]
        if row.radius == 0.0:
            row.radius = b.p.acceptance_radius[0]
        row_leg(b, &row)
    else:
        row.x = b.z.place[0]
        row.y = b.z.place[1]
        row.round = b.p.loiter_radius[0] > 0.0
        row.radius = b.p.loiter_radius[0] if row.round else b.p.acceptance_radius[0]
    row.distance = length_of(eta[0] - row.x, eta[1] - row.y)
    row.bearing = 0.0
    if row.step != MISSION_PLAN_STEP_GO and not beside_target:
        row.bearing = atan2(eta[1] - row.y, eta[0] - row.x)
    return row


cdef inline void row_leg(const MissionPlanView* b, Row* row) noexcept nogil:
    """The leg from where the row began to its place."""
    cdef double north = row.x - b.z.place[0]
    cdef double east = row.y - b.z.place[1]
    cdef Leg* leg = &row.leg
    leg.length = length_of(north, east)
    if leg.length > 0.0:
        leg.course = atan2(east, north)
        leg.cosine = cos(leg.course)
        leg.sine = sin(leg.course)


cdef inline bint follows_path(const MissionPlanView* b, const Row* row) noexcept nogil:
    """True where there is a path to be off: on a leg, and on a circle from where turns are counted."""
    return row.step == MISSION_PLAN_STEP_GO or (row.step == MISSION_PLAN_STEP_CIRCLE and b.z.counting[0] != 0.0)


cdef inline double row_error(const MissionPlanView* b, const Row* row) noexcept nogil:
    """y_e, positive to starboard of the path; 0 where there is none [m]."""
    if row.step == MISSION_PLAN_STEP_GO:
        return cross_track(&row.leg, b.u.eta)
    if row.step == MISSION_PLAN_STEP_CIRCLE and b.z.counting[0] != 0.0:
        return row.side * (row.radius - row.distance)
    return 0.0


cdef inline double row_speed(const MissionPlanView* b, const Row* row) noexcept nogil:
    """U [m/s]."""
    cdef double speed = row.says[MISSION_PLAN_COLUMN_SPEED]
    return speed if speed > 0.0 else b.p.cruise_speed[0]


cdef inline double over_ground(const MissionPlanView* b, double course) noexcept nogil:
    """The heading for a course over ground, less the sideslip where that is compensated [rad]."""
    if b.p.sideslip_compensation[0] != 0.0:
        course -= sideslip(b.u.nu[0], b.u.nu[1], b.p.sideslip_speed[0])
    return wrap_angle(course)


cdef inline bint ends_slowly(const MissionPlanView* b, const Row* row) noexcept nogil:
    """True on a leg to a dock, or to where the vehicle stops, if it can."""
    cdef double ending = row.says[MISSION_PLAN_COLUMN_ENDING]
    return ending == MISSION_PLAN_ENDING_AGAIN \
        or (ending == MISSION_PLAN_ENDING_SLOW and not b.p.loiter_radius[0] > 0.0)


cdef inline double row_wants(const MissionPlanView* b, const Row* row, double* speed) noexcept nogil:
    """ψ_d and u_d."""
    cdef double heading
    speed[0] = row_speed(b, row)
    if row.step == MISSION_PLAN_STEP_FOLLOW:
        heading = b.z.kept_heading[0]       # where there is no course to the place
        speed[0] = pursuit(
            row.x - b.u.eta[0], row.y - b.u.eta[1], b.u.target_velocity, speed[0], row.radius, &heading
        )
        return heading
    if row.step == MISSION_PLAN_STEP_GO:
        heading = over_ground(b, row.leg.course - atan2(cross_track(&row.leg, b.u.eta), b.p.lookahead[0]))
        if ends_slowly(b, row):
            speed[0] = approach_speed(row.distance, speed[0], b.p.slow_distance[0])
    elif row.round:
        heading = over_ground(
            b, row.bearing + row.side * (0.5 * KB_PI + atan2(row.distance - row.radius, b.p.lookahead[0]))
        )
    elif b.z.drifting[0] != 0.0:
        speed[0] = 0.0
        return b.z.kept_heading[0]
    else:
        heading = wrap_angle(row.bearing + KB_PI)
        speed[0] = approach_speed(row.distance, speed[0], b.p.slow_distance[0])
    if b.p.speed_taper[0] != 0.0:
        speed[0] = tapered(speed[0], wrap_angle(heading - b.u.eta[5]), b.p.taper_angle[0])
    return heading


cdef inline double row_depth(const MissionPlanView* b, const Row* row, bint at_end) noexcept nogil:
    """z_d, or what it is at the end of a leg [m]."""
    cdef double z = row.says[MISSION_PLAN_COLUMN_Z]
    cdef double before = b.z.place[2]
    cdef double part
    if row.says[MISSION_PLAN_COLUMN_DEPTH] == MISSION_PLAN_DEPTH_OF_KEPT:
        return before
    if row.says[MISSION_PLAN_COLUMN_DEPTH] != MISSION_PLAN_DEPTH_OF_GIVEN:
        return b.u.target[2] + z
    if at_end or row.step != MISSION_PLAN_STEP_GO or b.p.depth_reference[0] != MISSION_PLAN_DEPTH_REFERENCE_LEG \
            or row.leg.length == 0.0:
        return z
    part = along_track(&row.leg, b.u.eta) / row.leg.length
    return before if part <= 0.0 else z if part >= 1.0 else before + part * (z - before)


cdef inline double turned(const MissionPlanView* b, const Row* row) noexcept nogil:
    """How far it has gone round since turns are counted, the right way [rad]."""
    if b.z.counting[0] == 0.0:
        return 0.0
    return row.side * (b.z.swept[0] + wrap_angle(row.bearing - b.z.last_bearing[0]))


cdef inline double left_of_leg(const Row* row, const double* eta) noexcept nogil:
    """What is left of a leg: to its circle of acceptance, or to abeam of its end [m]."""
    cdef double rim = row.distance - row.radius
    cdef double abeam = row.leg.length - along_track(&row.leg, eta)
    return abeam if abeam < rim else rim


cdef inline double until(double t, double instant) noexcept nogil:
    """The time until an instant, negative from there on and never 0 [s]."""
    return side(not reached(t, instant), t - instant)


cdef inline double until_limit(const MissionPlanView* b, const Row* row, double t) noexcept nogil:
    """What is left until a row ends by a limit [s, m or 1]; 1 where nothing ends it."""
    cdef double until_what = row.says[MISSION_PLAN_COLUMN_UNTIL]
    cdef double limit = row.says[MISSION_PLAN_COLUMN_LIMIT]
    if until_what == MISSION_PLAN_UNTIL_DURATION:
        return until(t, b.z.row_time[0] + limit)
    if until_what == MISSION_PLAN_UNTIL_TIME:
        return until(t, limit)
    if until_what == MISSION_PLAN_UNTIL_PROCEED:
        return 0.5 - b.u.proceed[0]
    if until_what == MISSION_PLAN_UNTIL_NEAR:
        return row.distance - limit
    return 1.0


cdef inline double left_to_do(const MissionPlanView* b, const Row* row, double t) noexcept nogil:
    """What is left of the row: it is done when this is not positive [m, s, rad or 1]."""
    if row.step == MISSION_PLAN_STEP_END:
        return 1.0
    if row.step == MISSION_PLAN_STEP_GO:
        return left_of_leg(row, b.u.eta)
    if row.step == MISSION_PLAN_STEP_DIVE:
        return fabs(row.says[MISSION_PLAN_COLUMN_Z] - b.u.eta[2]) - b.p.depth_tolerance[0]
    if row.step == MISSION_PLAN_STEP_CIRCLE:
        return 2.0 * KB_PI * fabs(row.says[MISSION_PLAN_COLUMN_TURNS]) - turned(b, row)
    return until_limit(b, row, t)


cdef inline double left_to_pass(const MissionPlanView* b, const Row* row) noexcept nogil:
    """To where turns are counted, or the vehicle begins to drift or ceases to: positive where that is to change [m]."""
    if row.step == MISSION_PLAN_STEP_CIRCLE:
        if b.z.counting[0] != 0.0:
            return -1.0
        return row.radius + b.p.lookahead[0] - row.distance
    if row.round or row.step == MISSION_PLAN_STEP_GO or row.step == MISSION_PLAN_STEP_FOLLOW:
        return -1.0
    if b.z.drifting[0] != 0.0:
        return row.distance - b.p.drift_radius[0]
    return row.radius - row.distance
