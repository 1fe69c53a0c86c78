"""Kernel of the minimum-snap trajectory: a reference in time, from the polynomials that its setup has found."""

from libc.math cimport sqrt

from cython_kernels.guidance.minimum_snap_setup cimport NODE_FIELDS, NODE_ORDER_7
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.events cimport reached, side
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.mathematics.tables cimport table_interval
from cython_kernels.views.guidance.minimum_snap cimport MinimumSnapTrajectoryView

cdef extern from *:
    """
    #define KB_NIL 1e-12        /* a derivative this much smaller than the next one counts as none */
    """
    const double KB_NIL


ctypedef struct SnapPoint:
    const double* node          # the nearest waypoint
    const double* order_7       # along the leg
    double elapsed              # time since that waypoint, negative before it [s]
    double length               # of the leg in time [s]
    bint at_rest                # before the start or after the end: straight on
    bint arriving               # the waypoint is the last one


cdef inline SnapPoint snap_point(const MinimumSnapTrajectoryView* b, double t) noexcept nogil:
    """Where time t is on the trajectory: seen from the nearest waypoint, so that the ends are exact."""
    cdef SnapPoint point
    cdef int n = b.n.n
    cdef const double* times = b.w.arrivals
    cdef const double* nodes = b.w.nodes
    cdef int k = table_interval(times, n, t)
    cdef int near = k if t - times[k] < times[k + 1] - t else k + 1
    point.node = nodes + NODE_FIELDS * near
    point.order_7 = nodes + NODE_FIELDS * k + NODE_ORDER_7
    point.elapsed = t - times[near]
    point.length = times[k + 1] - times[k]
    point.at_rest = t < times[0] or t > times[n - 1]
    point.arriving = near == n - 1
    return point


cdef inline void snap_motion(
    const SnapPoint* point, double* position, double* velocity, double* acceleration, double* jerk
) noexcept nogil:
    """Position and its derivatives 1 to 3, by Horner's rule."""
    cdef double s = point.elapsed
    cdef const double* c
    cdef double c7
    cdef int i
    for i in range(3):
        c = point.node + i
        if point.at_rest:
            position[i] = c[0] + s * c[3]
            velocity[i] = c[3]
            acceleration[i] = 0.0
            jerk[i] = 0.0
            continue
        c7 = point.order_7[i]
        position[i] = c[0] + s * (c[3] + s * (c[6] + s * (c[9] + s * (c[12] + s * (c[15] + s * (c[18] + s * c7))))))
        velocity[i] = c[3] + s * (
            2.0 * c[6] + s * (3.0 * c[9] + s * (4.0 * c[12] + s * (5.0 * c[15] + s * (6.0 * c[18] + s * 7.0 * c7))))
        )
        acceleration[i] = 2.0 * c[6] + s * (
            6.0 * c[9] + s * (12.0 * c[12] + s * (20.0 * c[15] + s * (30.0 * c[18] + s * 42.0 * c7)))
        )
        jerk[i] = 6.0 * c[9] + s * (24.0 * c[12] + s * (60.0 * c[15] + s * (120.0 * c[18] + s * 210.0 * c7)))


cdef inline void taylor(const SnapPoint* point, int axis, double* out) noexcept nogil:
    """Taylor coefficients of one coordinate about the instant itself."""
    cdef double s = 0.0 if point.at_rest else point.elapsed
    cdef int m, i
    for m in range(7):
        out[m] = point.node[3 * m + axis]
    out[7] = point.order_7[axis]
    out[8] = 0.0
    if s != 0.0:
        for m in range(7):
            for i in range(6, m - 1, -1):
                out[i] += s * out[i + 1]


cdef inline void limit_course(const SnapPoint* point, double* course, double* rate) noexcept nogil:
    """Course and its rate where the velocity is nil: by the first coefficient that is not.

    v = m c_m s^(m-1) + …, so the course is that of c_m after the instant, against it before where m is even.
    """
    cdef double north[9]
    cdef double east[9]
    cdef double sign
    cdef int m
    course[0] = 0.0
    rate[0] = 0.0
    taylor(point, 0, north)
    taylor(point, 1, east)
    for m in range(1, 8):
        if length_of(north[m], east[m]) > KB_NIL * point.length * length_of(north[m + 1], east[m + 1]):
            sign = -1.0 if point.arriving and m % 2 == 0 else 1.0
            course[0] = atan2(sign * east[m], sign * north[m])
            rate[0] = (north[m] * east[m + 1] - east[m] * north[m + 1]) / (north[m] * north[m] + east[m] * east[m])
            rate[0] *= (m + 1.0) / m
            return


cdef inline void minimum_snap_trajectory_outputs(const MinimumSnapTrajectoryView* b, double t) noexcept nogil:
    """y: position and its derivatives, heading, course rate, speed, depth, η_d, ν_d, dν_d/dt, waypoint, finished."""
    cdef SnapPoint point = snap_point(b, t)
    cdef double* v = b.y.velocity
    cdef double* a = b.y.acceleration
    cdef double jerk[3]
    cdef double course, rate, square, speed, least
    cdef double quickening = 0.0        # of the speed [m/s2]
    cdef double turning = 0.0           # of the course rate [rad/s2]
    cdef int i
    snap_motion(&point, b.y.position, v, a, jerk)
    square = v[0] * v[0] + v[1] * v[1]
    speed = sqrt(square)
    least = KB_NIL * point.length
    if square > least * least * (a[0] * a[0] + a[1] * a[1]):
        course = atan2(v[1], v[0])
        rate = (v[0] * a[1] - v[1] * a[0]) / square
        quickening = (v[0] * a[0] + v[1] * a[1]) / speed
        turning = (v[0] * jerk[1] - v[1] * jerk[0]) / square - 2.0 * rate * quickening / speed
    else:
        limit_course(&point, &course, &rate)
    if point.at_rest:
        rate = 0.0
    for i in range(3):
        b.y.eta_d[i] = b.y.position[i]
        b.y.eta_d[3 + i] = 0.0
        b.y.nu_d[i] = 0.0
        b.y.nu_d[3 + i] = 0.0
        b.y.nu_dot_d[i] = 0.0
        b.y.nu_dot_d[3 + i] = 0.0
    b.y.heading[0] = course
    b.y.course_rate[0] = rate
    b.y.speed[0] = speed
    b.y.depth[0] = b.y.position[2]
    b.y.eta_d[5] = course
    b.y.nu_d[0] = speed
    b.y.nu_d[2] = v[2]
    b.y.nu_d[5] = rate
    b.y.nu_dot_d[0] = quickening
    b.y.nu_dot_d[2] = a[2]
    b.y.nu_dot_d[5] = turning
    b.y.waypoint[0] = b.z.reached[0] + 1.0 if b.z.reached[0] < b.n.n else b.n.n
    b.y.finished[0] = b.z.reached[0] >= b.n.n


cdef inline void minimum_snap_trajectory_update(const MinimumSnapTrajectoryView* b, double t) noexcept nogil:
    """Count the waypoints that have been reached."""
    cdef const double* times = b.w.arrivals
    cdef int count = table_interval(times, b.n.n, t)
    while count < b.n.n and reached(t, times[count]):
        count += 1
    b.z.reached[0] = count


cdef inline void minimum_snap_trajectory_start(const MinimumSnapTrajectoryView* b, double t) noexcept nogil:
    """z: as at any later instant."""
    minimum_snap_trajectory_update(b, t)


cdef inline void minimum_snap_trajectory_crossings(const MinimumSnapTrajectoryView* b, double t) noexcept nogil:
    """g: the next waypoint."""
    cdef const double* times = b.w.arrivals
    if 0.0 <= b.z.reached[0] < b.n.n:
        b.g.next_arrival[0] = side(reached(t, times[<int>b.z.reached[0]]), t - times[<int>b.z.reached[0]])
    else:
        b.g.next_arrival[0] = -1.0
