"""Kernel of guidance through a mission in phases: it goes on from row to row.

Sources: those of the laws, see `blocks/guidance/mission_plan.py`.
"""

from libc.math cimport fabs

from cython_kernels.guidance.mission_rows cimport (
    Row,
    active_row,
    follows_path,
    left_to_do,
    left_to_pass,
    row_at,
    row_depth,
    row_error,
    row_says,
    row_step,
    row_wants,
    row_width,
    turned,
    until,
)
from cython_kernels.mathematics.events cimport reached, side
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.views.guidance.mission_plan cimport (
    MISSION_PLAN_COLUMN_ENDING,
    MISSION_PLAN_COLUMN_LATE,
    MISSION_PLAN_COLUMN_LONGEST,
    MISSION_PLAN_COLUMN_PHASE,
    MISSION_PLAN_COLUMN_WAYPOINT,
    MISSION_PLAN_CONDITION_BATTERY_BELOW,
    MISSION_PLAN_CONDITION_DEEPER_THAN,
    MISSION_PLAN_CONDITION_FARTHER_THAN,
    MISSION_PLAN_CONDITION_LATER_THAN,
    MISSION_PLAN_CONDITION_OFF_TRACK_BY,
    MISSION_PLAN_CONDITION_SENSOR_LOST_FOR,
    MISSION_PLAN_ENDING_AGAIN,
    MISSION_PLAN_STEP_CIRCLE,
    MISSION_PLAN_STEP_END,
    MISSION_PLAN_STEP_GO,
    MissionPlanView,
)


cdef inline double row_phase(const MissionPlanView* b, int number) noexcept nogil:
    """The phase of a row, from 1; 0 at the end."""
    cdef double phase = row_says(b, number)[MISSION_PLAN_COLUMN_PHASE]
    return phase + b.w.phase_count[0] if number >= b.n.n and phase > 0.0 else phase


cdef inline double margin(const MissionPlanView* b, const Row* row, int k, double t) noexcept nogil:
    """How far the condition of an abort is: it is met where this is not positive."""
    cdef const double* says = b.p.aborts + row_width() * k
    cdef const double* eta = b.u.eta
    cdef double limit = says[1]
    cdef int condition = <int>says[0]
    if condition == MISSION_PLAN_CONDITION_BATTERY_BELOW:
        return b.u.state_of_charge[0] - limit
    if condition == MISSION_PLAN_CONDITION_SENSOR_LOST_FOR:
        return until(t, b.z.lost_time[0] + limit) if b.z.lost[0] != 0.0 else 1.0
    if condition == MISSION_PLAN_CONDITION_DEEPER_THAN:
        return limit - eta[2]
    if condition == MISSION_PLAN_CONDITION_FARTHER_THAN:
        return limit - length_of(eta[0] - b.z.start_place[0], eta[1] - b.z.start_place[1])
    if condition == MISSION_PLAN_CONDITION_OFF_TRACK_BY:
        return limit - fabs(row_error(b, row))
    if condition == MISSION_PLAN_CONDITION_LATER_THAN:
        return until(t, b.z.start_time[0] + limit)
    return 1.0


cdef inline int abort_due(const MissionPlanView* b, const Row* row, double t) noexcept nogil:
    """The abort to go over to, from 0; -1 if there is none. Those that stand further up come first."""
    cdef int last = b.n.c
    cdef int k
    if row.step == MISSION_PLAN_STEP_END:
        return -1
    if b.z.abort[0] >= 1.0:
        last = place_in(b.z.abort[0] - 1.0, b.n.c)
    for k in range(last):
        if not margin(b, row, k, t) > 0.0:
            return k
    return -1


cdef inline bint is_late(const MissionPlanView* b, const Row* row, double t) noexcept nogil:
    """Whether the phase takes too long."""
    cdef double longest = row.says[MISSION_PLAN_COLUMN_LONGEST]
    return longest > 0.0 and reached(t, b.z.phase_time[0] + longest)


cdef inline void mission_plan_setup(const MissionPlanView* b, double t) noexcept nogil:
    """w: how many phases and waypoints there are, and the row at which the mission ends."""
    cdef int i
    cdef const double* says
    b.w.phase_count[0] = 0.0
    b.w.waypoint_count[0] = 1.0
    b.w.main_rows[0] = b.n.n
    for i in range(b.n.n):
        says = row_says(b, i)
        if says[MISSION_PLAN_COLUMN_PHASE] > b.w.phase_count[0]:
            b.w.phase_count[0] = says[MISSION_PLAN_COLUMN_PHASE]
        if says[MISSION_PLAN_COLUMN_WAYPOINT] > b.w.waypoint_count[0]:
            b.w.waypoint_count[0] = says[MISSION_PLAN_COLUMN_WAYPOINT]
        if row_step(b, says) == MISSION_PLAN_STEP_END and b.w.main_rows[0] == b.n.n:
            b.w.main_rows[0] = i


cdef inline void mission_plan_outputs(const MissionPlanView* b, double t) noexcept nogil:
    """y: heading, speed, depth, cross-track error, and where the mission is."""
    cdef Row row = active_row(b)
    cdef int number = row_at(b)
    cdef double heading, speed
    if b.y.heading != NULL or b.y.speed != NULL:
        heading = row_wants(b, &row, &speed)
        if b.y.heading != NULL:
            b.y.heading[0] = heading
        if b.y.speed != NULL:
            b.y.speed[0] = speed
    if b.y.depth != NULL:
        b.y.depth[0] = row_depth(b, &row, False)
    if b.y.cross_track_error != NULL:
        b.y.cross_track_error[0] = row_error(b, &row)
    if b.y.following != NULL:
        b.y.following[0] = follows_path(b, &row)
    if b.y.waypoint != NULL:
        b.y.waypoint[0] = row.says[MISSION_PLAN_COLUMN_WAYPOINT]
        if number >= b.n.n:
            b.y.waypoint[0] += b.w.waypoint_count[0]
    if b.y.phase != NULL:
        b.y.phase[0] = row_phase(b, number)
    if b.y.aborted != NULL:
        b.y.aborted[0] = b.z.abort[0]
    if b.y.finished != NULL:
        b.y.finished[0] = row.step == MISSION_PLAN_STEP_END


cdef inline void go_over(const MissionPlanView* b, const Row* row, int number, bint arrived, double t) noexcept nogil:
    """Go over to a row: it begins where the one before ended, with what was wanted there.

    A vehicle that has not arrived keeps the depth that it has, and not the one that it was on its way to.
    """
    cdef double speed
    cdef double heading = row_wants(b, row, &speed)
    cdef double depth = row_depth(b, row, arrived)
    cdef bint at_place = arrived and row.step == MISSION_PLAN_STEP_GO
    if not arrived and fabs(depth - b.u.eta[2]) > b.p.depth_tolerance[0]:
        depth = b.u.eta[2]
    b.z.place[2] = depth
    b.z.place[0] = row.x if at_place else b.u.eta[0]
    b.z.place[1] = row.y if at_place else b.u.eta[1]
    b.z.kept_heading[0] = heading
    if row_phase(b, number) != row_phase(b, row_at(b)):
        b.z.phase_time[0] = t
    b.z.row[0] = number
    b.z.row_time[0] = t
    b.z.drifting[0] = 0.0
    b.z.counting[0] = 0.0
    b.z.swept[0] = 0.0
    b.z.last_bearing[0] = 0.0


cdef inline int row_after(const MissionPlanView* b, const Row* row) noexcept nogil:
    """The row after one that is done: the next, or the one before where a dock was missed."""
    cdef int number = row_at(b)
    cdef bint missed = (
        row.step == MISSION_PLAN_STEP_GO
        and row.says[MISSION_PLAN_COLUMN_ENDING] == MISSION_PLAN_ENDING_AGAIN
        and row.distance > row.radius
    )
    return number - 1 if missed and number > 0 else number + 1


cdef inline void begin_mission(const MissionPlanView* b, double t) noexcept nogil:
    """Begin the mission, and anew in all of the first instant, because inputs may still settle there."""
    cdef int i
    if b.z.begun[0] == 0.0:
        b.z.begun[0] = 1.0
        b.z.start_time[0] = t
    if t == b.z.start_time[0]:
        b.z.row[0] = 0.0
        b.z.abort[0] = 0.0
        b.z.phase_time[0] = t
        b.z.row_time[0] = t
        b.z.drifting[0] = 0.0
        b.z.counting[0] = 0.0
        b.z.swept[0] = 0.0
        b.z.last_bearing[0] = 0.0
        for i in range(3):
            b.z.start_place[i] = b.u.eta[i]
            b.z.place[i] = b.u.eta[i]
        b.z.kept_heading[0] = wrap_angle(b.u.eta[5])


cdef inline void see_sensors(const MissionPlanView* b, double t) noexcept nogil:
    """Since when sensors are lost."""
    cdef bint lost = not b.u.sensor_valid[0] >= 0.5
    if lost and b.z.lost[0] == 0.0:
        b.z.lost_time[0] = t
    b.z.lost[0] = lost


cdef inline void stay_in_row(const MissionPlanView* b, const Row* row, double t) noexcept nogil:
    """Count turns, and drift or go back to the place."""
    if row.step == MISSION_PLAN_STEP_CIRCLE:
        if b.z.counting[0] != 0.0:
            b.z.swept[0] = row.side * turned(b, row)
            b.z.last_bearing[0] = row.bearing
        elif left_to_pass(b, row) >= 0.0:
            b.z.counting[0] = 1.0
            b.z.last_bearing[0] = row.bearing
    elif left_to_pass(b, row) >= 0.0:
        if b.z.drifting[0] != 0.0:
            b.z.drifting[0] = 0.0
        else:
            b.z.drifting[0] = 1.0
            if b.z.row_time[0] != t:                # else it came with a heading
                b.z.kept_heading[0] = wrap_angle(b.u.eta[5])


cdef inline void mission_plan_update(const MissionPlanView* b, double t) noexcept nogil:
    """Go over to other rows where one is done, takes too long, or the mission is aborted."""
    cdef Row row
    cdef int due, _
    begin_mission(b, t)
    see_sensors(b, t)
    for _ in range(b.n.n + b.n.m):
        row = active_row(b)
        due = abort_due(b, &row, t)
        if due >= 0:
            go_over(b, &row, b.n.n + place_in((b.p.aborts + row_width() * due)[2], b.n.m), False, t)
            b.z.abort[0] = due + 1
            continue
        if row.step == MISSION_PLAN_STEP_END:
            break
        if not left_to_do(b, &row, t) > 0.0:
            go_over(b, &row, row_after(b, &row), True, t)
        elif is_late(b, &row, t):
            due = place_in(row.says[MISSION_PLAN_COLUMN_LATE], b.n.n if row_at(b) < b.n.n else b.n.m)
            if row_at(b) >= b.n.n:
                due += b.n.n
            elif due >= <int>b.w.main_rows[0]:
                b.z.abort[0] = -1.0
            go_over(b, &row, due, False, t)
        else:
            break
    row = active_row(b)
    stay_in_row(b, &row, t)


cdef inline void mission_plan_crossings(const MissionPlanView* b, double t) noexcept nogil:
    """g: what is left of the row, of the phase's time, and of what aborts the mission."""
    cdef Row row = active_row(b)
    cdef double left = left_to_do(b, &row, t)
    cdef double passed = left_to_pass(b, &row)
    cdef double longest = row.says[MISSION_PLAN_COLUMN_LONGEST]
    cdef int k
    b.g.to_go[0] = side(left > 0.0, left)
    b.g.to_pass[0] = side(passed >= 0.0, passed)
    b.g.time_left[0] = until(t, b.z.phase_time[0] + longest) if longest > 0.0 else 1.0
    b.g.health[0] = side(b.u.sensor_valid[0] >= 0.5, b.u.sensor_valid[0] - 0.5)
    for k in range(b.n.c):
        left = margin(b, &row, k, t)
        b.g.margins[k] = side(left > 0.0, left)
