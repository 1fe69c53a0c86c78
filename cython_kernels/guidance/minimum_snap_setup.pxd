"""Setup of the minimum-snap trajectory: polynomials of degree 7 in time between waypoints.

Velocity, acceleration and jerk at the inner waypoints are those of least integral of the squared snap. Along each leg
that integral is a quadratic form in the motion at its two ends, so its minimum is a linear system with a 3x3 block per
waypoint, which is tied to its neighbours only. Sources: Mellinger and Kumar (2011), Minimum snap trajectory generation
and control for quadrotors, IEEE ICRA (what is minimised); Richter, Bry and Roy (2013), Polynomial trajectory planning
for aggressive quadrotor flight in dense indoor environments, ISRR (derivatives at waypoints as unknowns).
"""

from libc.math cimport sqrt

from cython_kernels.mathematics.matrix cimport invert_matrix
from cython_kernels.views.guidance.minimum_snap cimport (
    MINIMUM_SNAP_TRAJECTORY_TIMING_ALLOTTED,
    MinimumSnapTrajectoryView,
)

cdef enum:
    # of a waypoint: Taylor coefficients of orders 0 to 6, three axes each, and that of order 7 along the leg after it
    NODE_ORDER_7 = 21
    NODE_FIELDS = 24
    # while the system is being solved: the unknowns where orders 1 to 3 will be, and how they hang on the next ones
    NODE_UNKNOWNS = 3
    NODE_COUPLING = 12

    FAULT_TIMES = 1


cdef inline void septic_upper(const double* begin, const double* end, double* out) noexcept nogil:
    """Coefficients of orders 4 to 7 of the polynomial on [0, 1] with this value and these derivatives 1 to 3."""
    cdef double e0 = end[0] - begin[0] - begin[1] - begin[2] / 2.0 - begin[3] / 6.0
    cdef double e1 = end[1] - begin[1] - begin[2] - begin[3] / 2.0
    cdef double e2 = end[2] - begin[2] - begin[3]
    cdef double e3 = end[3] - begin[3]
    out[0] = 35.0 * e0 - 15.0 * e1 + 2.5 * e2 - e3 / 6.0
    out[1] = -84.0 * e0 + 39.0 * e1 - 7.0 * e2 + 0.5 * e3
    out[2] = 70.0 * e0 - 34.0 * e1 + 6.5 * e2 - 0.5 * e3
    out[3] = -20.0 * e0 + 10.0 * e1 - 2.0 * e2 + e3 / 6.0


cdef inline void snap_gradient(double* ends, double* out) noexcept nogil:
    """Half the gradient of the integral of the squared snap on [0, 1], for derivatives 1 to 3 at begin and end.

    `ends` are value and derivatives 1 to 3 at the begin, then at the end. By parts the gradient is made of derivatives
    6, 5 and 4 at the ends.
    """
    cdef double upper[4]
    septic_upper(ends, ends + 4, upper)
    out[0] = -720.0 * upper[2]
    out[1] = 120.0 * upper[1]
    out[2] = -24.0 * upper[0]
    out[3] = 720.0 * upper[2] + 5040.0 * upper[3]
    out[4] = -120.0 * upper[1] - 720.0 * upper[2] - 2520.0 * upper[3]
    out[5] = 24.0 * upper[0] + 120.0 * upper[1] + 360.0 * upper[2] + 840.0 * upper[3]


cdef inline void snap_stiffness(double* matrix, double* load) noexcept nogil:
    """The gradient per unit of each derivative (6x6) and per unit of distance between the ends (6), on [0, 1]."""
    cdef double ends[8]
    cdef double column[6]
    cdef int i, j
    for j in range(7):
        for i in range(8):
            ends[i] = 0.0
        ends[4 if j == 6 else 1 + j + j // 3] = 1.0
        snap_gradient(ends, load if j == 6 else column)
        if j < 6:
            for i in range(6):
                matrix[6 * i + j] = column[i]


cdef inline void allotted_times(const MinimumSnapTrajectoryView* b, double* times) noexcept nogil:
    """When a point passes the waypoints that goes straight from one to the next, with even acceleration."""
    cdef const double* p = b.p.waypoints
    cdef double acceleration = b.p.cruise_acceleration[0]
    cdef double speed = b.p.cruise_speed[0]
    cdef double length = 0.0
    cdef double run, along, duration
    cdef int n = b.n.n
    cdef int k, i
    times[0] = 0.0
    for k in range(1, n):
        along = 0.0
        for i in range(3):
            along += (p[3 * k + i] - p[3 * k - 3 + i]) * (p[3 * k + i] - p[3 * k - 3 + i])
        length += sqrt(along)
        times[k] = length               # the distance, from which the time follows below
    if speed * speed > acceleration * length:
        speed = sqrt(acceleration * length)
    run = 0.5 * speed * speed / acceleration
    duration = length / speed + speed / acceleration
    for k in range(1, n):
        along = times[k]
        if along < run:
            times[k] = sqrt(2.0 * along / acceleration)
        elif along < length - run:
            times[k] = 0.5 * speed / acceleration + along / speed
        else:
            along = length - along
            times[k] = duration - sqrt(2.0 * (along if along > 0.0 else 0.0) / acceleration)


cdef inline bint set_times(const MinimumSnapTrajectoryView* b) noexcept nogil:
    """The time of each waypoint, and how long it all takes; False if they do not increase."""
    cdef double* times = b.w.arrivals
    cdef int n = b.n.n
    cdef int k
    cdef bint increasing = True
    if b.p.timing[0] == MINIMUM_SNAP_TRAJECTORY_TIMING_ALLOTTED:
        allotted_times(b, times)
    else:
        for k in range(n):
            times[k] = b.p.times[k]
    for k in range(n):
        times[k] += b.p.start_time[0]
        if k > 0 and not times[k] > times[k - 1]:
            increasing = False
    b.w.duration[0] = times[n - 1] - times[0]
    return increasing


cdef inline double snap_scale(const double* times, int n, int k) noexcept nogil:
    """The shorter of the two legs at a waypoint, in s: in this unit its derivatives are all of one size."""
    cdef double before = times[k] - times[k - 1] if k > 0 else times[k + 1] - times[k]
    cdef double after = times[k + 1] - times[k] if k < n - 1 else before
    return before if before < after else after


cdef inline void add_leg(
    const double* stiffness, const double* load, double duration, double own, double other, bint begins,
    const double* step, double* diagonal, double* coupling, double* right
) noexcept nogil:
    """Add one leg's part to a waypoint's equations; `own` and `other` are the scales at both ends of it."""
    cdef int mine = 0 if begins else 3
    cdef int its = 3 - mine
    cdef double ratio = own / duration
    cdef double weight = ratio * ratio * ratio * ratio * ratio * ratio * ratio
    cdef double own_power = 1.0
    cdef double other_power, same_power
    cdef int i, j
    for i in range(3):
        own_power *= duration / own
        other_power = 1.0
        same_power = 1.0
        for j in range(3):
            other_power *= duration / other
            same_power *= duration / own
            diagonal[3 * i + j] += weight * own_power * same_power * stiffness[6 * (mine + i) + mine + j]
            coupling[3 * i + j] = weight * own_power * other_power * stiffness[6 * (mine + i) + its + j]
            right[3 * i + j] -= weight * own_power * load[mine + i] * step[j]


cdef inline void times_minus(const double* a, const double* x, double* out) noexcept nogil:
    """out -= A X for 3x3 matrices."""
    cdef int i, j
    for i in range(3):
        for j in range(3):
            out[3 * i + j] -= a[3 * i] * x[j] + a[3 * i + 1] * x[3 + j] + a[3 * i + 2] * x[6 + j]


cdef inline void solve_snap(const MinimumSnapTrajectoryView* b, double* nodes) noexcept nogil:
    """Derivatives 1 to 3 at every waypoint, in units of its scale, by elimination from the first to the last."""
    cdef const double* times = b.w.arrivals
    cdef const double* p = b.p.waypoints
    cdef int n = b.n.n
    cdef double stiffness[36]
    cdef double load[6]
    cdef double diagonal[9]
    cdef double before[9]
    cdef double after[9]
    cdef double right[9]
    cdef double inverse[9]
    cdef double step[3]
    cdef double* node
    cdef int k, i
    snap_stiffness(stiffness, load)
    for i in range(NODE_FIELDS * n):
        nodes[i] = 0.0
    for i in range(3):
        nodes[NODE_UNKNOWNS + i] = b.p.start_velocity[i] * snap_scale(times, n, 0)
        nodes[NODE_FIELDS * (n - 1) + NODE_UNKNOWNS + i] = b.p.end_velocity[i] * snap_scale(times, n, n - 1)
    for k in range(1, n - 1):
        node = nodes + NODE_FIELDS * k
        for i in range(9):
            diagonal[i] = 0.0
            right[i] = 0.0
        for i in range(3):
            step[i] = p[3 * k + i] - p[3 * k - 3 + i]
        add_leg(stiffness, load, times[k] - times[k - 1], snap_scale(times, n, k), snap_scale(times, n, k - 1), False,
                step, diagonal, before, right)
        for i in range(3):
            step[i] = p[3 * k + 3 + i] - p[3 * k + i]
        add_leg(stiffness, load, times[k + 1] - times[k], snap_scale(times, n, k), snap_scale(times, n, k + 1), True,
                step, diagonal, after, right)
        times_minus(before, node - NODE_FIELDS + NODE_COUPLING, diagonal)
        times_minus(before, node - NODE_FIELDS + NODE_UNKNOWNS, right)
        for i in range(9):
            inverse[i] = 0.0
        invert_matrix(diagonal, 3, inverse)         # positive definite
        for i in range(9):
            inverse[i] = -inverse[i]
        times_minus(inverse, after, node + NODE_COUPLING)
        times_minus(inverse, right, node + NODE_UNKNOWNS)
    for k in range(n - 2, 0, -1):
        node = nodes + NODE_FIELDS * k
        times_minus(node + NODE_COUPLING, node + NODE_FIELDS + NODE_UNKNOWNS, node + NODE_UNKNOWNS)


cdef inline void leg_ends(
    const double* node, const double* next_node, double duration, int axis, double direction, double* ends
) noexcept nogil:
    """Value and derivatives 1 to 3 at both ends of a leg, in units of its duration; `direction` -1: seen backwards."""
    cdef double power = direction * duration
    ends[0] = node[axis]
    ends[4] = next_node[axis]
    ends[1] = node[3 + axis] * power
    ends[5] = next_node[3 + axis] * power
    power *= 2.0 * direction * duration
    ends[2] = node[6 + axis] * power
    ends[6] = next_node[6 + axis] * power
    power *= 3.0 * direction * duration
    ends[3] = node[9 + axis] * power
    ends[7] = next_node[9 + axis] * power


cdef inline void store_upper(const double* upper, double duration, int axis, double* node, bint last) noexcept nogil:
    """Orders 4 to 7 of a waypoint from those on [0, 1]."""
    cdef double power = 1.0 / (duration * duration * duration * duration)
    cdef int m
    for m in range(4):
        if m < 3 or not last:
            node[3 * (4 + m) + axis] = upper[m] * power
        power /= duration


cdef inline void minimum_snap_trajectory_setup(const MinimumSnapTrajectoryView* b, double t) noexcept nogil:
    """w: times, duration, and NODE_… of each waypoint."""
    cdef int n = b.n.n
    cdef const double* times = b.w.arrivals
    cdef double* nodes = b.w.nodes
    cdef double ends[8]
    cdef double upper[4]
    cdef double scale, duration
    cdef double* node
    cdef int k, i
    if not set_times(b):
        b.fault[0] = FAULT_TIMES
        for i in range(NODE_FIELDS * n):
            nodes[i] = 0.0
        return
    solve_snap(b, nodes)
    for k in range(n):
        node = nodes + NODE_FIELDS * k
        scale = snap_scale(times, n, k)
        for i in range(3):
            node[i] = b.p.waypoints[3 * k + i]
            node[3 + i] /= scale
            node[6 + i] /= 2.0 * scale * scale
            node[9 + i] /= 6.0 * scale * scale * scale
    for k in range(n - 1):
        node = nodes + NODE_FIELDS * k
        duration = times[k + 1] - times[k]
        for i in range(3):
            leg_ends(node, node + NODE_FIELDS, duration, i, 1.0, ends)
            septic_upper(ends, ends + 4, upper)
            store_upper(upper, duration, i, node, False)
    duration = times[n - 1] - times[n - 2]
    node = nodes + NODE_FIELDS * (n - 1)
    for i in range(3):
        leg_ends(node, node - NODE_FIELDS, duration, i, -1.0, ends)
        septic_upper(ends, ends + 4, upper)
        upper[1] = -upper[1]
        store_upper(upper, duration, i, node, True)
        node[NODE_ORDER_7 + i] = 0.0
