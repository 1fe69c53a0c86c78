"""Kernels of guidance blocks."""

from libc.math cimport atan, atan2, cos, fabs, sin

from cython_kernels.frames cimport length_of, wrap_angle
from cython_kernels.view cimport View
from cython_kernels.waypoints cimport (
    SCHEDULE_PARAMETERS,
    SCHEDULE_WAYPOINT,
    Leg,
    active_leg,
    begin_schedule,
    cross_track,
    depth_along,
    distance_to_switch,
    heading_kept,
    keeps_heading,
    legs_per_lap,
    next_leg,
    schedule_crossings,
    schedule_setup,
)
from cython_kernels.zigzag cimport zigzag_steering_crossings, zigzag_steering_outputs, zigzag_steering_update

cdef enum:
    # parameters of line_of_sight
    LOS_LOOKAHEAD = SCHEDULE_PARAMETERS
    LOS_INTEGRAL_GAIN = SCHEDULE_PARAMETERS + 1
    LOS_SPEED = SCHEDULE_PARAMETERS + 2
    LOS_TAPER = SCHEDULE_PARAMETERS + 3
    LOS_TAPER_ANGLE = SCHEDULE_PARAMETERS + 4
    LOS_SIDESLIP = SCHEDULE_PARAMETERS + 5
    LOS_SIDESLIP_SPEED = SCHEDULE_PARAMETERS + 6
    LOS_DEPTH = SCHEDULE_PARAMETERS + 7

    LOS_DEPTH_WAYPOINT = 0
    LOS_DEPTH_LEG = 1


cdef inline double sideslip(const double* nu, double full_speed) noexcept nogil:
    """β = asin(v/V) with V² = u² + v², faded out in proportion to V below `full_speed` [rad]."""
    cdef double beta = atan2(nu[1], fabs(nu[0]))
    cdef double speed = length_of(nu[0], nu[1])
    return beta if speed >= full_speed else beta * speed / full_speed


cdef inline double tapered(double speed, double heading_error, double zero_at) noexcept nogil:
    """U (1 - |e_ψ|/zero_at), and nothing beyond."""
    cdef double part = 1.0 - fabs(heading_error) / zero_at
    return speed * part if part > 0.0 else 0.0


cdef inline double los_heading(const View* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    cdef const double* eta = b.u[0]
    cdef const double* nu = b.u[1]
    cdef double heading
    if keeps_heading(leg):
        return heading_kept(b, leg)
    heading = leg.course - atan2(
        cross_track(leg, eta) + b.p[LOS_INTEGRAL_GAIN][0] * b.x[0], b.p[LOS_LOOKAHEAD][0]
    )
    if b.p[LOS_SIDESLIP][0] != 0.0:
        heading -= sideslip(nu, b.p[LOS_SIDESLIP_SPEED][0])
    return wrap_angle(heading)


cdef inline void line_of_sight_setup(const View* b, double t) noexcept nogil:
    """w: four constants per leg."""
    schedule_setup(b)


cdef inline void line_of_sight_outputs(const View* b, double t) noexcept nogil:
    """y: heading, speed, depth, cross-track error, number of the waypoint, finished."""
    cdef const double* eta = b.u[0]
    cdef bint taper = b.p[LOS_TAPER][0] != 0.0
    cdef double heading = 0.0
    cdef Leg leg = active_leg(b)
    if b.y[0] != NULL or (b.y[1] != NULL and taper):
        heading = los_heading(b, &leg)
    if b.y[0] != NULL:
        b.y[0][0] = heading
    if b.y[1] != NULL:
        if keeps_heading(&leg):
            b.y[1][0] = 0.0
        elif taper:
            b.y[1][0] = tapered(b.p[LOS_SPEED][0], wrap_angle(heading - eta[5]), b.p[LOS_TAPER_ANGLE][0])
        else:
            b.y[1][0] = b.p[LOS_SPEED][0]
    if b.y[2] != NULL:
        b.y[2][0] = depth_along(&leg, eta) if b.p[LOS_DEPTH][0] == LOS_DEPTH_LEG else leg.end[2]
    if b.y[3] != NULL:
        b.y[3][0] = cross_track(&leg, eta)
    if b.y[4] != NULL:
        b.y[4][0] = b.z[SCHEDULE_WAYPOINT]
    if b.y[5] != NULL:
        b.y[5][0] = leg.finished


cdef inline void line_of_sight_derivatives(const View* b, double t) noexcept nogil:
    """dy_int/dt = Δ y_e/(Δ² + (y_e + κ y_int)²); at rest where there is no leg to follow, or no integral action."""
    cdef double lookahead = b.p[LOS_LOOKAHEAD][0]
    cdef double kappa = b.p[LOS_INTEGRAL_GAIN][0]
    cdef double error, total
    cdef Leg leg
    b.dx[0] = 0.0
    if kappa == 0.0:
        return
    leg = active_leg(b)
    if not keeps_heading(&leg):
        error = cross_track(&leg, b.u[0])
        total = error + kappa * b.x[0]
        b.dx[0] = lookahead * error / (lookahead * lookahead + total * total)


cdef inline void line_of_sight_update(const View* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    cdef int _
    cdef Leg leg
    begin_schedule(b, t)
    for _ in range(legs_per_lap(b)):
        leg = active_leg(b)
        if distance_to_switch(b, &leg) > 0.0:
            break
        next_leg(b, los_heading(b, &leg))


cdef inline void line_of_sight_crossings(const View* b, double t) noexcept nogil:
    """g: those of the schedule."""
    schedule_crossings(b)


cdef inline void course_line_setup(const View* b, double t) noexcept nogil:
    """w: sine and cosine of the course, 1/Δ."""
    cdef double course = b.p[0][0]
    b.w[0] = sin(course)
    b.w[1] = cos(course)
    b.w[2] = 1.0 / b.p[1][0]


cdef inline void course_line_outputs(const View* b, double t) noexcept nogil:
    """y: heading, cross-track error."""
    cdef const double* eta = b.u[0]
    cdef const double* origin = b.p[2]
    cdef double error = (eta[1] - origin[1]) * b.w[1] - (eta[0] - origin[0]) * b.w[0]
    b.y[0][0] = b.p[0][0] - atan(error * b.w[2])
    b.y[1][0] = error
