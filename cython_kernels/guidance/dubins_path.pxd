"""Dubins paths: the shortest way from pose to pose by arcs of the least turning radius and straight lines.

The shortest is an arc, a straight line and an arc, or three arcs. Source: Dubins (1957), On curves of minimal length
with a constraint on average curvature, and with prescribed initial and terminal positions and tangents, American
Journal of Mathematics 79.

A leg is three pieces, some of which may have no length. After the header the derived constants are θ at the beginning
of each, and at the end, then a record of each, and of a straight one that follows the last.
"""

from libc.math cimport acos, asin, atan2, fabs, floor, sqrt

from cython_kernels.guidance.path cimport (
    FAULT_NO_LENGTH,
    PATH_DUBINS,
    PATH_KIND,
    PATH_KNOTS,
    PATH_LEGS,
    PATH_LENGTH,
    PATH_PARAMETERS,
    PATH_PER_LEG,
    PATH_WAYPOINTS,
    PathPoint,
    path_loops,
    path_meets,
    path_pieces,
)
from cython_kernels.mathematics.frames cimport KB_PI, length_of, wrap_angle
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View

cdef extern from *:
    """
    #define KB_FULL_TURN 1e-9       /* an arc that lacks no more than this of a full turn is none at all [rad] */
    """
    const double KB_FULL_TURN

cdef enum:
    DUBINS_HEADINGS = PATH_PARAMETERS
    DUBINS_RADIUS = PATH_PARAMETERS + 1

    DUBINS_PIECES = 3           # of a leg

    # fields of a record: where a piece begins
    DUBINS_X = 0
    DUBINS_Y = 1
    DUBINS_Z = 2
    DUBINS_DIVE = 3             # dz/dθ
    DUBINS_COURSE = 4
    DUBINS_SINE = 5
    DUBINS_COSINE = 6
    DUBINS_CURVATURE = 7
    DUBINS_FIELDS = 8


ctypedef struct DubinsLeg:
    double side[DUBINS_PIECES]          # 1 to starboard, -1 to port, 0 straight ahead
    double length[DUBINS_PIECES]        # in turning radii
    double total


cdef inline double turned(double angle) noexcept nogil:
    """An angle as an arc of less than a full turn [rad]."""
    angle -= 2.0 * KB_PI * floor(angle / (2.0 * KB_PI))
    return angle if 0.0 <= angle < 2.0 * KB_PI - KB_FULL_TURN else 0.0


cdef inline void take_shorter(
    DubinsLeg* best, double first, double middle, double last, double turn, double way, double end
) noexcept nogil:
    """Keep this leg if it is shorter than the best until now."""
    if turn + way + end < best.total:
        best.side[0] = first
        best.side[1] = middle
        best.side[2] = last
        best.length[0] = turn
        best.length[1] = way
        best.length[2] = end
        best.total = turn + way + end


cdef inline DubinsLeg shortest_leg(double x, double y, double begin, double end) noexcept nogil:
    """The shortest leg over (x, y), in turning radii, between two courses.

    The arcs lie on circles of radius 1 to starboard or port of both poses; the lines touch two of these, and the middle
    arc lies on a circle that touches both.
    """
    cdef DubinsLeg best
    cdef double sine_begin, cosine_begin, sine_end, cosine_end, north, east, distance, course, bearing, lean
    cdef double first, last, way
    cdef int i, j, k
    for i in range(DUBINS_PIECES):
        best.side[i] = 0.0
        best.length[i] = 0.0
    best.total = 1e300
    sine_cosine(begin, &sine_begin, &cosine_begin)
    sine_cosine(end, &sine_end, &cosine_end)
    for i in range(2):
        first = 1.0 - 2.0 * i
        for j in range(2):
            last = 1.0 - 2.0 * j
            north = x - last * sine_end + first * sine_begin        # from centre to centre
            east = y + last * cosine_end - first * cosine_begin
            distance = length_of(north, east)
            bearing = begin if distance < KB_FULL_TURN else atan2(east, north)      # a circle with itself: stay on it
            if i == j:
                take_shorter(
                    &best, first, 0.0, last, turned(first * (bearing - begin)), distance, turned(last * (end - bearing))
                )
            elif distance >= 2.0:
                course = bearing + first * asin(2.0 / distance)
                way = sqrt(distance * distance - 4.0)
                take_shorter(
                    &best, first, 0.0, last, turned(first * (course - begin)), way, turned(last * (end - course))
                )
            if i == j and distance <= 4.0:
                for k in range(2):
                    lean = (1.0 - 2.0 * k) * acos(0.25 * distance)
                    course = bearing + lean + 0.5 * first * KB_PI       # where the middle circle is touched
                    way = bearing - lean - 0.5 * first * KB_PI          # and where it is left
                    take_shorter(
                        &best, first, -first, last,
                        turned(first * (course - begin)), turned(first * (course - way)), turned(last * (end - way)),
                    )
    return best


cdef inline void along_piece(const double* record, double way, PathPoint* out) noexcept nogil:
    """Where a piece leads."""
    cdef double curvature = record[DUBINS_CURVATURE]
    out.sine = record[DUBINS_SINE]
    out.cosine = record[DUBINS_COSINE]
    out.rate = 1.0
    out.curvature = curvature
    out.z = record[DUBINS_Z] + way * record[DUBINS_DIVE]
    if curvature == 0.0:
        out.x = record[DUBINS_X] + way * out.cosine
        out.y = record[DUBINS_Y] + way * out.sine
    else:
        sine_cosine(record[DUBINS_COURSE] + curvature * way, &out.sine, &out.cosine)
        out.x = record[DUBINS_X] + (out.sine - record[DUBINS_SINE]) / curvature
        out.y = record[DUBINS_Y] + (record[DUBINS_COSINE] - out.cosine) / curvature


cdef inline void begin_piece(double* record, const PathPoint* at, double dive, double course) noexcept nogil:
    """Where a piece begins."""
    record[DUBINS_X] = at.x
    record[DUBINS_Y] = at.y
    record[DUBINS_Z] = at.z
    record[DUBINS_DIVE] = dive
    record[DUBINS_COURSE] = course
    sine_cosine(course, record + DUBINS_SINE, record + DUBINS_COSINE)
    record[DUBINS_CURVATURE] = at.curvature


cdef inline void dubins_path_setup(const View* b, double t) noexcept nogil:
    """w: header, θ and records."""
    cdef int n = b.n[0]
    cdef const double* headings = b.p[DUBINS_HEADINGS]
    cdef double radius = b.p[DUBINS_RADIUS][0]
    cdef bint meets = path_meets(b) and fabs(wrap_angle(headings[n - 1] - headings[0])) < KB_FULL_TURN
    cdef int legs = n if path_loops(b) and not meets else n - 1
    cdef double* theta = b.w + PATH_KNOTS
    cdef double* record = theta + DUBINS_PIECES * legs + 1
    cdef const double* here
    cdef const double* there
    cdef double course, dive, way
    cdef DubinsLeg leg
    cdef PathPoint point
    cdef int k, i
    b.w[PATH_KIND] = PATH_DUBINS
    b.w[PATH_LEGS] = legs
    b.w[PATH_PER_LEG] = DUBINS_PIECES
    theta[0] = 0.0
    course = headings[0]
    point.x = 0.0       # compilers do not see that there is a leg
    point.y = 0.0
    point.z = 0.0
    for k in range(legs + 1):
        here = b.p[PATH_WAYPOINTS] + 3 * (k % n)
        course = headings[k % n]
        point.x = here[0]
        point.y = here[1]
        point.z = here[2]
        if k == legs:
            break
        there = b.p[PATH_WAYPOINTS] + 3 * ((k + 1) % n)
        leg = shortest_leg(
            (there[0] - here[0]) / radius, (there[1] - here[1]) / radius, course, headings[(k + 1) % n]
        )
        if not leg.total > 0.0:
            b.fault[0] = FAULT_NO_LENGTH
        dive = (there[2] - here[2]) / (leg.total * radius)
        for i in range(DUBINS_PIECES):
            way = leg.length[i] * radius
            point.curvature = leg.side[i] / radius
            begin_piece(record, &point, dive, course)
            along_piece(record, way, &point)
            course += leg.side[i] * leg.length[i]
            theta[1] = theta[0] + way
            theta += 1
            record += DUBINS_FIELDS
    point.curvature = 0.0
    begin_piece(record, &point, 0.0, course)
    b.w[PATH_LENGTH] = theta[0]


cdef inline void dubins_path_point(const View* b, int k, double theta, PathPoint* out) noexcept nogil:
    """The point at θ, on piece k; beyond its ends the path goes on straight, at the depth that it has there."""
    cdef int pieces = path_pieces(b)
    cdef const double* knots = b.w + PATH_KNOTS
    cdef const double* record = knots + pieces + 1 + DUBINS_FIELDS * k
    if theta < 0.0:
        out.rate = 1.0
        out.curvature = 0.0
        out.sine = record[DUBINS_SINE]
        out.cosine = record[DUBINS_COSINE]
        out.x = record[DUBINS_X] + theta * out.cosine
        out.y = record[DUBINS_Y] + theta * out.sine
        out.z = record[DUBINS_Z]
        return
    if theta >= b.w[PATH_LENGTH]:
        k = pieces
        record = knots + pieces + 1 + DUBINS_FIELDS * k
    along_piece(record, theta - knots[k], out)
