"""What kernels of wind loads over the angle of attack share: the air past the ship, tables, and where moments act."""

from libc.math cimport fabs, floor, sqrt

from cython_kernels.mathematics.cubic_slopes cimport cubic_between
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport KB_PI, ned_to_body, rotation_from_euler
from cython_kernels.mathematics.tables cimport table_interval
from cython_kernels.views.environment.wind_by_angle cimport WIND_LOAD_BY_ANGLE_REFERENCE_APPARENT, WindLoadByAngleView

cdef enum:
    WIND_NODE = 8               # of a node: C_X, C_Y, C_K, C_N and their slopes over the angle


ctypedef struct Air:            # as it goes past the ship
    double ahead                # V cos gamma: from ahead
    double starboard            # V sin gamma: from starboard
    double square               # V^2
    double speed                # V


cdef inline Air air_past(const WindLoadByAngleView* b) noexcept nogil:
    """Where it comes from, in body axes."""
    cdef Air air
    cdef double r[9]
    cdef double velocity[3]
    rotation_from_euler(b.u.eta + 3, r)
    ned_to_body(r, b.u.wind, velocity)
    air.ahead = -velocity[0]
    air.starboard = -velocity[1]
    if b.p.reference[0] == WIND_LOAD_BY_ANGLE_REFERENCE_APPARENT:
        air.ahead += b.u.nu[0]
        air.starboard += b.u.nu[1]
    air.square = air.ahead * air.ahead + air.starboard * air.starboard
    air.speed = sqrt(air.square)
    return air


cdef inline void put_wind_load(const WindLoadByAngleView* b, double x, double y, double k, double n) noexcept nogil:
    """Loads about midship, moved to the body origin."""
    cdef double* load = b.y.disturbance
    cdef const double* at = b.p.midship
    load[0] = x
    load[1] = y
    load[2] = 0.0
    load[3] = k - at[2] * y
    load[4] = at[2] * x
    load[5] = n + at[0] * y - at[1] * x


cdef inline double slope_through(
    double x0, double y0, double x1, double y1, double x2, double y2
) noexcept nogil:
    """Slope at the middle point of the parabola through three."""
    cdef double h0 = x1 - x0
    cdef double h1 = x2 - x1
    return (h1 * (y1 - y0) / h0 + h0 * (y2 - y1) / h1) / (h0 + h1)


cdef inline void mirrored_slopes(const double* angles, int count, double* nodes) noexcept nogil:
    """Slopes of a table from 0 to pi: beyond it surge is the same, and the others, 0 at the ends, are reversed."""
    cdef int c, j
    cdef double side
    cdef double* node
    for c in range(4):
        side = 1.0 if c == 0 else -1.0
        if c > 0:
            nodes[c] = nodes[WIND_NODE * (count - 1) + c] = 0.0
        for j in range(count):
            node = nodes + WIND_NODE * j + c
            if j == 0:
                node[4] = slope_through(
                    -angles[1], side * node[WIND_NODE], 0.0, node[0], angles[1], node[WIND_NODE]
                )
            elif j == count - 1:
                node[4] = slope_through(
                    angles[j - 1], node[-WIND_NODE], angles[j], node[0],
                    2.0 * angles[j] - angles[j - 1], side * node[-WIND_NODE],
                )
            else:
                node[4] = slope_through(
                    angles[j - 1], node[-WIND_NODE], angles[j], node[0], angles[j + 1], node[WIND_NODE]
                )


cdef inline void turned_slopes(const double* turns, int intervals, double* nodes) noexcept nogil:
    """Slopes of a table all around, whose last node is the first one a turn later."""
    cdef int c, j
    cdef double* node
    cdef double before, at
    for c in range(4):
        for j in range(intervals):
            node = nodes + WIND_NODE * j + c
            before = nodes[WIND_NODE * (intervals - 1) + c] if j == 0 else node[-WIND_NODE]
            at = turns[intervals - 1] - turns[intervals] if j == 0 else turns[j - 1]
            node[4] = slope_through(at, before, turns[j], node[0], turns[j + 1], node[WIND_NODE])
        nodes[WIND_NODE * intervals + c + 4] = nodes[c + 4]


cdef inline void wind_coefficients(
    const double* turns, int intervals, const double* nodes, double first, bint half, const Air* air, double* found
) noexcept nogil:
    """C_X, C_Y, C_K and C_N of a table at the angle that the air comes from."""
    cdef double turn = atan2(air.starboard, air.ahead)
    cdef double side = 1.0
    cdef double length, part
    cdef const double* node
    cdef int c, j
    if half:
        side = -1.0 if turn < 0.0 else 1.0
        turn = fabs(turn)
    else:
        turn -= first
        turn -= 2.0 * KB_PI * floor(turn / (2.0 * KB_PI))
    j = table_interval(turns, intervals + 1, turn)
    length = turns[j + 1] - turns[j]
    part = (turn - turns[j]) / length
    node = nodes + WIND_NODE * j
    for c in range(4):
        found[c] = cubic_between(node[c], node[WIND_NODE + c], node[4 + c], node[WIND_NODE + 4 + c], length, part)
    for c in range(1, 4):
        found[c] *= side


cdef inline void put_coefficients(const WindLoadByAngleView* b, const Air* air, const double* c) noexcept nogil:
    """The load that coefficients mean in this wind."""
    cdef double q = 0.5 * b.p.density[0] * air.square
    cdef double lateral = b.p.lateral_area[0]
    cdef double length = b.p.length[0]
    put_wind_load(
        b, q * c[0] * b.p.frontal_area[0], q * c[1] * lateral, q * c[2] * lateral * lateral / length,
        q * c[3] * lateral * length,
    )
