"""Guidance along a curved path, of whatever kind the curve is.

The point of the path that is followed moves on as the vehicle does along the course of the path there, and to where it
is abeam: θ is a state. Sources: Lapierre and Soetanto (2007), Nonlinear path-following control of an AUV, Ocean
Engineering 34; Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.4.
"""

from libc.math cimport sqrt

from cython_kernels.guidance.cubic_curve cimport cubic_path_point
from cython_kernels.guidance.dubins_curve cimport dubins_path_point
from cython_kernels.guidance.path cimport PATH_CUBIC, PathPoint, path_knots, path_loops, path_pieces, within_lap
from cython_kernels.guidance.path_corners cimport corner_at, piece_followed
from cython_kernels.guidance.steering cimport sideslip, tapered
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.mathematics.limits cimport NO_LIMIT
from cython_kernels.mathematics.tables cimport table_interval
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.guidance.path_guidance cimport PATH_GUIDANCE_START_ON_PATH, PathGuidanceView

cdef enum:
    FOLLOWING_NEW = 0           # phases
    FOLLOWING_UNDER_WAY = 1
    FOLLOWING_FINISHED = 2

    SAMPLES_PER_PIECE = 16      # looked at to find the nearest point
    HALVINGS = 60               # of the interval that it is in


cdef inline bint path_finished(const PathGuidanceView* b) noexcept nogil:
    """True once the end has been reached."""
    return b.z.phase[0] == FOLLOWING_FINISHED


cdef inline int leg_followed(const PathGuidanceView* b) noexcept nogil:
    """The leg that was followed at the last step, from 0; -1 if there is none."""
    cdef double ahead = b.z.next_waypoint[0]
    if ahead == 1.0:                    # the leg that closes a loop
        return <int>b.w.legs[0] - 1
    return <int>ahead - 2 if 2.0 <= ahead <= b.n.n else -1


cdef inline double followed(const PathGuidanceView* b, bint goes_on, int* piece) noexcept nogil:
    """θ of the point that is followed, and the piece that it is on; `goes_on`: it may be taken round a corner."""
    cdef double theta = b.w.length[0]
    if path_finished(b):
        piece[0] = path_pieces(b) - 1
        return theta
    theta = within_lap(b, b.z.begun[0] + b.x.path_parameter[0])
    piece[0] = piece_followed(b, leg_followed(b), goes_on, &theta)
    return theta


cdef inline int path_piece(const PathGuidanceView* b, double theta) noexcept nogil:
    """The piece that θ is on."""
    return table_interval(path_knots(b), path_pieces(b) + 1, theta)


cdef inline void piece_point(const PathGuidanceView* b, int k, double theta, PathPoint* out) noexcept nogil:
    """The path at θ, on piece k."""
    if b.w.kind[0] == PATH_CUBIC:
        cubic_path_point(b, k, theta, out)
    else:
        dubins_path_point(b, k, theta, out)


cdef inline double path_along(const PathGuidanceView* b, const PathPoint* point) noexcept nogil:
    """x_e: how far the vehicle is ahead of the point, along the course of the path [m]."""
    return (b.u.eta[0] - point.x) * point.cosine + (b.u.eta[1] - point.y) * point.sine


cdef inline double path_across(const PathGuidanceView* b, const PathPoint* point) noexcept nogil:
    """y_e: how far the vehicle is to starboard of the path [m]."""
    return (b.u.eta[1] - point.y) * point.cosine - (b.u.eta[0] - point.x) * point.sine


cdef inline double path_progress(const PathGuidanceView* b, int k, double theta, const PathPoint* point) noexcept nogil:
    """How fast the point moves on: with the vehicle along the course of the path, and to abeam of it [m/s].

    k, θ: where on the path it is. It does not go back round a corner: over the last Δ to it, it comes to rest.
    """
    cdef double ahead = path_along(b, point)
    cdef double beyond = theta - path_knots(b)[k]
    cdef double sine, cosine, speed
    if path_finished(b):
        return 0.0
    sine_cosine(b.u.eta[5], &sine, &cosine)
    ahead /= sqrt(1.0 + ahead * ahead / (b.p.lookahead[0] * b.p.lookahead[0]))      # Δ at most
    speed = (
        (b.u.nu[0] * cosine - b.u.nu[1] * sine) * point.cosine
        + (b.u.nu[0] * sine + b.u.nu[1] * cosine) * point.sine
        + b.p.along_track_gain[0] * ahead
    )
    if speed < 0.0 and beyond < b.p.lookahead[0] and corner_at(b, k):
        speed *= beyond / b.p.lookahead[0]
    return speed


cdef inline double path_heading(const PathGuidanceView* b, const PathPoint* point) noexcept nogil:
    """ψ_d."""
    cdef double heading = atan2(point.sine, point.cosine)
    if path_finished(b):
        return heading
    heading -= atan2(path_across(b, point), b.p.lookahead[0])
    if b.p.sideslip_compensation[0] != 0.0:
        heading -= sideslip(b.u.nu[0], b.u.nu[1], b.p.sideslip_speed[0])
    return wrap_angle(heading)


cdef inline double left_to_go(const PathGuidanceView* b, double theta) noexcept nogil:
    """How far it is to the end, or to its circle [m]; not positive: it is reached. Only on the last leg of no loop."""
    cdef const double* end = b.p.waypoints + 3 * (b.n.n - 1)
    cdef double left = b.w.length[0] - theta
    cdef double rim
    if path_finished(b) or path_loops(b) or theta < path_knots(b)[path_pieces(b) - <int>b.w.pieces_per_leg[0]]:
        return 1.0
    rim = length_of(end[0] - b.u.eta[0], end[1] - b.u.eta[1]) - b.p.acceptance_radius[0]
    return rim if rim < left else left


cdef inline double nearest_on_path(const PathGuidanceView* b) noexcept nogil:
    """θ of the point nearest to the vehicle, on the first leg or all: the best of some, then where it is abeam."""
    cdef const double* knots = path_knots(b)
    cdef int pieces = path_pieces(b) if b.p.start_on[0] == PATH_GUIDANCE_START_ON_PATH else <int>b.w.pieces_per_leg[0]
    cdef bint open_after = False
    cdef double least = NO_LIMIT
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
            distance = length_of(point.x - b.u.eta[0], point.y - b.u.eta[1])
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


cdef inline void path_following_outputs(const PathGuidanceView* b) noexcept nogil:
    """y: heading, speed, depth, cross-track error, course rate, position, waypoint, finished."""
    cdef int k
    cdef double theta = followed(b, False, &k)
    cdef bint taper = b.p.speed_taper[0] != 0.0
    cdef double heading = 0.0
    cdef PathPoint point
    piece_point(b, k, theta, &point)
    if b.y.heading != NULL or (b.y.speed != NULL and taper):
        heading = path_heading(b, &point)
    if b.y.heading != NULL:
        b.y.heading[0] = heading
    if b.y.speed != NULL:
        if path_finished(b):
            b.y.speed[0] = 0.0
        elif taper:
            b.y.speed[0] = tapered(b.p.cruise_speed[0], wrap_angle(heading - b.u.eta[5]), b.p.taper_angle[0])
        else:
            b.y.speed[0] = b.p.cruise_speed[0]
    if b.y.depth != NULL:
        b.y.depth[0] = point.z
    if b.y.cross_track_error != NULL:
        b.y.cross_track_error[0] = path_across(b, &point)
    if b.y.course_rate != NULL:
        b.y.course_rate[0] = point.curvature * path_progress(b, k, theta, &point)
    if b.y.position != NULL:
        b.y.position[0] = point.x
        b.y.position[1] = point.y
        b.y.position[2] = point.z
    if b.y.waypoint != NULL:
        b.y.waypoint[0] = b.z.next_waypoint[0]
    if b.y.finished != NULL:
        b.y.finished[0] = path_finished(b)


cdef inline void path_following_derivatives(const PathGuidanceView* b) noexcept nogil:
    """dθ/dt."""
    cdef int k
    cdef double theta = followed(b, False, &k)
    cdef PathPoint point
    piece_point(b, k, theta, &point)
    b.dx.path_parameter[0] = path_progress(b, k, theta, &point) / point.rate


cdef inline void path_following_step(const PathGuidanceView* b, double t) noexcept nogil:
    """Begin at the nearest point, count waypoints, and see the end after that.

    The first is repeated within the first instant, because inputs may still settle there.
    """
    cdef double theta
    cdef int k
    if b.z.phase[0] == FOLLOWING_NEW:
        b.z.phase[0] = FOLLOWING_UNDER_WAY
        b.z.start_time[0] = t
    if t == b.z.start_time[0] and not path_finished(b):
        b.z.begun[0] = nearest_on_path(b)
        b.z.next_waypoint[0] = 0.0
    theta = followed(b, True, &k)
    b.z.next_waypoint[0] = (k // <int>b.w.pieces_per_leg[0] + 1) % b.n.n + 1
    if t != b.z.start_time[0] and left_to_go(b, theta) <= 0.0:
        b.z.phase[0] = FOLLOWING_FINISHED


cdef inline void path_following_crossings(const PathGuidanceView* b, double* to_go, double* next_piece) noexcept nogil:
    """g: what is left to go, and the next end of a piece, where the path may bend otherwise.

    The second changes sign from piece to piece.
    """
    cdef const double* knots = path_knots(b)
    cdef int k
    cdef double theta = followed(b, True, &k)
    cdef double before = theta - knots[k]
    cdef double after = knots[k + 1] - theta
    to_go[0] = left_to_go(b, theta)
    next_piece[0] = side(k % 2 == 0, before if before < after else after)
