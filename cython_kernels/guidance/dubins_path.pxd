"""Dubins paths: the shortest way from pose to pose by arcs of the least turning radius and straight lines.

The shortest is an arc, a straight line and an arc, or three arcs. Source: Dubins (1957), On curves of minimal length
with a constraint on average curvature, and with prescribed initial and terminal positions and tangents, American
Journal of Mathematics 79.

A leg is three pieces, some of which may have no length; a straight one follows the last.
"""

from libc.math cimport fabs, floor, sqrt

from cython_kernels.guidance.dubins_curve cimport DUBINS_PIECES, DubinsPiece, along_piece
from cython_kernels.guidance.path cimport FAULT_NO_LENGTH, PATH_DUBINS, PathPoint, path_loops, path_meets
from cython_kernels.guidance.path_following cimport (
    path_following_crossings,
    path_following_derivatives,
    path_following_outputs,
    path_following_step,
)
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport acos, asin, atan2
from cython_kernels.mathematics.frames cimport KB_PI, length_of, wrap_angle
from cython_kernels.mathematics.limits cimport NO_LIMIT
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.guidance.dubins_path cimport DubinsPathView, dubins_path_as_path_guidance
from cython_kernels.views.guidance.path_guidance cimport PathGuidanceView

cdef extern from *:
    """
    #define KB_FULL_TURN 1e-9       /* an arc that lacks no more than this of a full turn is none at all [rad] */
    """
    const double KB_FULL_TURN


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
    best.total = NO_LIMIT
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


cdef inline void begin_piece(DubinsPiece* piece, const PathPoint* at, double dive, double course) noexcept nogil:
    """Where a piece begins."""
    piece.x = at.x
    piece.y = at.y
    piece.z = at.z
    piece.dive = dive
    piece.course = course
    sine_cosine(course, &piece.sine, &piece.cosine)
    piece.curvature = at.curvature


cdef inline void dubins_path_setup(const DubinsPathView* b, double t) noexcept nogil:
    """w: θ at the ends of all pieces, and where each begins."""
    cdef PathGuidanceView path = dubins_path_as_path_guidance(b)
    cdef int n = b.n.n
    cdef const double* headings = b.p.headings
    cdef double radius = b.p.turning_radius[0]
    cdef bint meets = path_meets(&path) and fabs(wrap_angle(headings[n - 1] - headings[0])) < KB_FULL_TURN
    cdef int legs = n if path_loops(&path) and not meets else n - 1
    cdef double* theta = b.w.knots + 1
    cdef DubinsPiece* piece = <DubinsPiece*>b.w.pieces
    cdef const double* here
    cdef const double* there
    cdef double course, dive, way
    cdef DubinsLeg leg
    cdef PathPoint point
    cdef int k, i
    b.w.kind[0] = PATH_DUBINS
    b.w.legs[0] = legs
    b.w.pieces_per_leg[0] = DUBINS_PIECES
    theta[0] = 0.0
    course = headings[0]
    point.x = 0.0       # compilers do not see that there is a leg
    point.y = 0.0
    point.z = 0.0
    for k in range(legs + 1):
        here = b.p.waypoints + 3 * (k % n)
        course = headings[k % n]
        point.x = here[0]
        point.y = here[1]
        point.z = here[2]
        if k == legs:
            break
        there = b.p.waypoints + 3 * ((k + 1) % n)
        leg = shortest_leg(
            (there[0] - here[0]) / radius, (there[1] - here[1]) / radius, course, headings[(k + 1) % n]
        )
        if not leg.total > 0.0:
            b.fault[0] = FAULT_NO_LENGTH
        dive = (there[2] - here[2]) / (leg.total * radius)
        for i in range(DUBINS_PIECES):
            way = leg.length[i] * radius
            point.curvature = leg.side[i] / radius
            begin_piece(piece, &point, dive, course)
            along_piece(piece, way, &point)
            course += leg.side[i] * leg.length[i]
            theta[1] = theta[0] + way
            theta += 1
            piece += 1
    point.curvature = 0.0
    begin_piece(piece, &point, 0.0, course)
    b.w.length[0] = theta[0]


cdef inline void dubins_path_outputs(const DubinsPathView* b, double t) noexcept nogil:
    """y: those of every path."""
    cdef PathGuidanceView path = dubins_path_as_path_guidance(b)
    path_following_outputs(&path)


cdef inline void dubins_path_derivatives(const DubinsPathView* b, double t) noexcept nogil:
    """dθ/dt."""
    cdef PathGuidanceView path = dubins_path_as_path_guidance(b)
    path_following_derivatives(&path)


cdef inline void dubins_path_update(const DubinsPathView* b, double t) noexcept nogil:
    """Begin at the nearest point, count waypoints, and see the end after that."""
    cdef PathGuidanceView path = dubins_path_as_path_guidance(b)
    path_following_step(&path, t)


cdef inline void dubins_path_crossings(const DubinsPathView* b, double t) noexcept nogil:
    """g: what is left to go, and the next end of a piece."""
    cdef PathGuidanceView path = dubins_path_as_path_guidance(b)
    path_following_crossings(&path, b.g.to_go, b.g.next_piece)
