"""Kernel of guidance along a curved path, of whatever kind the curve is.

The point of the path that is followed moves on as the vehicle does along the course of the path there, and to where it
is abeam: θ is a state. Sources: Lapierre and Soetanto (2007), Nonlinear path-following control of an AUV, Ocean
Engineering 34; Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.4.
"""

from libc.math cimport atan2, sqrt

from cython_kernels.guidance.curved_path cimport cubic_path_point
from cython_kernels.guidance.dubins_path cimport dubins_path_point
from cython_kernels.guidance.path cimport (
    PATH_CUBIC,
    PATH_GAIN,
    PATH_KIND,
    PATH_KNOTS,
    PATH_LEGS,
    PATH_LENGTH,
    PATH_LOOKAHEAD,
    PATH_PER_LEG,
    PATH_RADIUS,
    PATH_SIDESLIP,
    PATH_SIDESLIP_SPEED,
    PATH_SPEED,
    PATH_START_ON,
    PATH_TAPER,
    PATH_TAPER_ANGLE,
    PATH_WAYPOINTS,
    PathPoint,
    path_loops,
    path_pieces,
    within_lap,
)
from cython_kernels.guidance.path_corners cimport corner_at, piece_followed
from cython_kernels.guidance.steering cimport sideslip, tapered
from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.mathematics.tables cimport table_interval
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View

cdef enum:
    # discrete states
    FOLLOWING_BEGUN = 0         # θ at the start
    FOLLOWING_PHASE = 1         # FOLLOWING_…
    FOLLOWING_START = 2         # time of the first major step [s]
    FOLLOWING_WAYPOINT = 3      # number of the waypoint steered for, from 1

    FOLLOWING_NEW = 0
    FOLLOWING_UNDER_WAY = 1
    FOLLOWING_FINISHED = 2

    SAMPLES_PER_PIECE = 16      # looked at to find the nearest point
    HALVINGS = 60               # of the interval that it is in


cdef inline bint path_finished(const View* b) noexcept nogil:
    """True once the end has been reached."""
    return b.z[FOLLOWING_PHASE] == FOLLOWING_FINISHED


cdef inline int leg_followed(const View* b) noexcept nogil:
    """The leg that was followed at the last step, from 0; -1 if there is none."""
    cdef double ahead = b.z[FOLLOWING_WAYPOINT]
    if ahead == 1.0:                    # the leg that closes a loop
        return <int>b.w[PATH_LEGS] - 1
    return <int>ahead - 2 if 2.0 <= ahead <= b.n[0] else -1


cdef inline double followed(const View* b, bint goes_on, int* piece) noexcept nogil:
    """θ of the point that is followed, and the piece that it is on; `goes_on`: it may be taken round a corner."""
    cdef double theta = b.w[PATH_LENGTH]
    if path_finished(b):
        piece[0] = path_pieces(b) - 1
        return theta
    theta = within_lap(b, b.z[FOLLOWING_BEGUN] + b.x[0])
    piece[0] = piece_followed(b, leg_followed(b), goes_on, &theta)
    return theta


cdef inline int path_piece(const View* b, double theta) noexcept nogil:
    """The piece that θ is on."""
    return table_interval(b.w + PATH_KNOTS, path_pieces(b) + 1, theta)


cdef inline void piece_point(const View* b, int k, double theta, PathPoint* out) noexcept nogil:
    """The path at θ, on piece k."""
    if b.w[PATH_KIND] == PATH_CUBIC:
        cubic_path_point(b, k, theta, out)
    else:
        dubins_path_point(b, k, theta, out)


cdef inline double path_along(const View* b, const PathPoint* point) noexcept nogil:
    """x_e: how far the vehicle is ahead of the point, along the course of the path [m]."""
    return (b.u[0][0] - point.x) * point.cosine + (b.u[0][1] - point.y) * point.sine


cdef inline double path_across(const View* b, const PathPoint* point) noexcept nogil:
    """y_e: how far the vehicle is to starboard of the path [m]."""
    return (b.u[0][1] - point.y) * point.cosine - (b.u[0][0] - point.x) * point.sine


cdef inline double path_progress(const View* b, int k, double theta, const PathPoint* point) noexcept nogil:
    """How fast the point moves on: with the vehicle along the course of the path, and to abeam of it [m/s].

    k, θ: where on the path it is. It does not go back round a corner: over the last Δ to it, it comes to rest.
    """
    cdef double ahead = path_along(b, point)
    cdef double beyond = theta - (b.w + PATH_KNOTS)[k]
    cdef double sine, cosine, speed
    if path_finished(b):
        return 0.0
    sine_cosine(b.u[0][5], &sine, &cosine)
    ahead /= sqrt(1.0 + ahead * ahead / (b.p[PATH_LOOKAHEAD][0] * b.p[PATH_LOOKAHEAD][0]))      # Δ at most
    speed = (
        (b.u[1][0] * cosine - b.u[1][1] * sine) * point.cosine
        + (b.u[1][0] * sine + b.u[1][1] * cosine) * point.sine
        + b.p[PATH_GAIN][0] * ahead
    )
    if speed < 0.0 and beyond < b.p[PATH_LOOKAHEAD][0] and corner_at(b, k):
        speed *= beyond / b.p[PATH_LOOKAHEAD][0]
    return speed


cdef inline double path_heading(const View* b, const PathPoint* point) noexcept nogil:
    """ψ_d."""
    cdef double heading = atan2(point.sine, point.cosine)
    if path_finished(b):
        return heading
    heading -= atan2(path_across(b, point), b.p[PATH_LOOKAHEAD][0])
    if b.p[PATH_SIDESLIP][0] != 0.0:
        heading -= sideslip(b.u[1][0], b.u[1][1], b.p[PATH_SIDESLIP_SPEED][0])
    return wrap_angle(heading)


cdef inline double left_to_go(const View* b, double theta) noexcept nogil:
    """How far it is to the end, or to its circle [m]; not positive: it is reached. Only on the last leg of no loop."""
    cdef const double* end = b.p[PATH_WAYPOINTS] + 3 * (b.n[0] - 1)
    cdef double left = b.w[PATH_LENGTH] - theta
    cdef double rim
    if path_finished(b) or path_loops(b) or theta < (b.w + PATH_KNOTS)[path_pieces(b) - <int>b.w[PATH_PER_LEG]]:
        return 1.0
    rim = length_of(end[0] - b.u[0][0], end[1] - b.u[0][1]) - b.p[PATH_RADIUS][0]
    return rim if rim < left else left


cdef inline double nearest_on_path(const View* b) noexcept nogil:
    """θ of the point nearest to the vehicle, on the first leg or all: the best of some, then where it is abeam."""
    cdef const double* knots = b.w + PATH_KNOTS
    cdef int pieces = path_pieces(b) if b.p[PATH_START_ON][0] != 0.0 else <int>b.w[PATH_PER_LEG]
    cdef bint open_after = False
    cdef double least = 1e300
    cdef double low = 0.0
    cdef double high = 0.0
    cdef double last = 0.0
    cdef double theta, distance
    cdef PathPoint point
    cdef int k, i, _
    for k in range(pieces):
        if not knots[k + 1] > knots[k]:
            continue
        for i in range(SAMPLES_PER_PIECE + 1):
            theta = knots[k] + i * (knots[k + 1] - knots[k]) / SAMPLES_PER_PIECE
            piece_point(b, k, theta, &point)
            distance = length_of(point.x - b.u[0][0], point.y - b.u[0][1])
            if open_after and theta > last:
                high = theta
                open_after = False
            if distance < least:
                least = distance
                low = last
                high = theta
                open_after = True
            last = theta
    k = path_piece(b, low)
    if high > knots[k + 1]:             # the best one is where two pieces meet: on which of them it is
        piece_point(b, k, knots[k + 1], &point)
        if path_along(b, &point) > 0.0:
            low = knots[k + 1]
            k = path_piece(b, low)
        else:
            high = knots[k + 1]
    for _ in range(HALVINGS):
        theta = 0.5 * (low + high)
        piece_point(b, k, theta, &point)
        if path_along(b, &point) > 0.0:
            low = theta
        else:
            high = theta
    return theta


cdef inline void path_following_outputs(const View* b, double t) noexcept nogil:
    """y: heading, speed, depth, cross-track error, course rate, position, waypoint, finished."""
    cdef int k
    cdef double theta = followed(b, False, &k)
    cdef bint taper = b.p[PATH_TAPER][0] != 0.0
    cdef double heading = 0.0
    cdef PathPoint point
    piece_point(b, k, theta, &point)
    if b.y[0] != NULL or (b.y[1] != NULL and taper):
        heading = path_heading(b, &point)
    if b.y[0] != NULL:
        b.y[0][0] = heading
    if b.y[1] != NULL:
        if path_finished(b):
            b.y[1][0] = 0.0
        elif taper:
            b.y[1][0] = tapered(b.p[PATH_SPEED][0], wrap_angle(heading - b.u[0][5]), b.p[PATH_TAPER_ANGLE][0])
        else:
            b.y[1][0] = b.p[PATH_SPEED][0]
    if b.y[2] != NULL:
        b.y[2][0] = point.z
    if b.y[3] != NULL:
        b.y[3][0] = path_across(b, &point)
    if b.y[4] != NULL:
        b.y[4][0] = point.curvature * path_progress(b, k, theta, &point)
    if b.y[5] != NULL:
        b.y[5][0] = point.x
        b.y[5][1] = point.y
        b.y[5][2] = point.z
    if b.y[6] != NULL:
        b.y[6][0] = b.z[FOLLOWING_WAYPOINT]
    if b.y[7] != NULL:
        b.y[7][0] = path_finished(b)


cdef inline void path_following_derivatives(const View* b, double t) noexcept nogil:
    """dθ/dt."""
    cdef int k
    cdef double theta = followed(b, False, &k)
    cdef PathPoint point
    piece_point(b, k, theta, &point)
    b.dx[0] = path_progress(b, k, theta, &point) / point.rate


cdef inline void path_following_update(const View* b, double t) noexcept nogil:
    """Begin at the nearest point, count waypoints, and see the end after that.

    The first is repeated within the first instant, because inputs may still settle there.
    """
    cdef double theta
    cdef int k
    if b.z[FOLLOWING_PHASE] == FOLLOWING_NEW:
        b.z[FOLLOWING_PHASE] = FOLLOWING_UNDER_WAY
        b.z[FOLLOWING_START] = t
    if t == b.z[FOLLOWING_START] and not path_finished(b):
        b.z[FOLLOWING_BEGUN] = nearest_on_path(b)
        b.z[FOLLOWING_WAYPOINT] = 0.0
    theta = followed(b, True, &k)
    b.z[FOLLOWING_WAYPOINT] = (k // <int>b.w[PATH_PER_LEG] + 1) % b.n[0] + 1
    if t != b.z[FOLLOWING_START] and left_to_go(b, theta) <= 0.0:
        b.z[FOLLOWING_PHASE] = FOLLOWING_FINISHED


cdef inline void path_following_crossings(const View* b, double t) noexcept nogil:
    """g: what is left to go, and the next end of a piece, where the path may bend otherwise.

    The second changes sign from piece to piece.
    """
    cdef const double* knots = b.w + PATH_KNOTS
    cdef int k
    cdef double theta = followed(b, True, &k)
    cdef double before = theta - knots[k]
    cdef double after = knots[k + 1] - theta
    b.g[0] = left_to_go(b, theta)
    b.g[1] = side(k % 2 == 0, before if before < after else after)
