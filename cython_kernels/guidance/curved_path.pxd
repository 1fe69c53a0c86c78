"""Piecewise cubic paths through waypoints: Hermite's form, with slopes from three points or those of PCHIP.

θ is the horizontal distance from waypoint to waypoint along straight lines, so that dp/dθ is near one. After the header
the derived constants are the coefficients of each piece behind three columns: θ, then room for one coordinate and its
slopes. Columns begin with a place for the waypoint before the first and end with one for that after the last, which a
loop needs for its slopes.
"""

from libc.math cimport fabs

from cython_kernels.guidance.path cimport (
    FAULT_NO_LENGTH,
    PATH_CUBIC,
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
from cython_kernels.mathematics.cubic_slopes cimport monotone_slopes, parabola_slopes
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.view cimport View

cdef extern from *:
    """
    #define KB_LEAST_RATE 0.02      /* of |dp/dtheta|: where a corner makes it nil, theta goes on all the same */
    """
    const double KB_LEAST_RATE

cdef enum:
    CUBIC_INTERPOLATION = PATH_PARAMETERS       # 0 hermite, 1 pchip

    CUBIC_FIELDS = 12           # of a piece: coefficients of orders 0 to 3, three axes each


cdef inline int waypoint_at(int place, int legs, int count, bint loops) noexcept nogil:
    """The waypoint at a place of a column; on an open path the first and the last place are none's."""
    if loops:
        return (place + legs - 1) % legs
    return 0 if place == 0 else place - 1 if place <= count else count - 1


cdef inline void curved_path_setup(const View* b, double t) noexcept nogil:
    """w: header, columns and coefficients."""
    cdef const double* points = b.p[PATH_WAYPOINTS]
    cdef int n = b.n[0]
    cdef bint loops = path_loops(b)
    cdef int legs = n if loops and not path_meets(b) else n - 1
    cdef int stride = legs + 3
    cdef double* theta = b.w + PATH_KNOTS - 1
    cdef double* column = theta + stride
    cdef double* slopes = column + stride
    cdef double* piece
    cdef const double* here
    cdef const double* before
    cdef int first = 0 if loops else 1
    cdef int count = stride if loops else legs + 1
    cdef double length, chord
    cdef int k, i
    b.w[PATH_KIND] = PATH_CUBIC
    b.w[PATH_LEGS] = legs
    b.w[PATH_PER_LEG] = 1.0
    theta[1] = 0.0
    for k in range(2, stride):
        before = points + 3 * waypoint_at(k - 1, legs, n, loops)
        here = points + 3 * waypoint_at(k, legs, n, loops)
        theta[k] = theta[k - 1] + length_of(here[0] - before[0], here[1] - before[1])
        if k < stride - 1 and not theta[k] > theta[k - 1]:
            b.fault[0] = FAULT_NO_LENGTH
    theta[0] = theta[legs] - theta[legs + 1]
    b.w[PATH_LENGTH] = theta[legs + 1]
    for i in range(3):
        for k in range(stride):
            column[k] = points[3 * waypoint_at(k, legs, n, loops) + i]
        if b.p[CUBIC_INTERPOLATION][0] == 0.0:
            parabola_slopes(theta + first, column + first, count, slopes + first)
        else:
            monotone_slopes(theta + first, column + first, count, slopes + first)
        for k in range(1, legs + 1):
            piece = slopes + stride + CUBIC_FIELDS * (k - 1) + i
            length = theta[k + 1] - theta[k]
            chord = (column[k + 1] - column[k]) / length
            piece[0] = column[k]
            piece[3] = slopes[k]
            piece[6] = (3.0 * chord - 2.0 * slopes[k] - slopes[k + 1]) / length
            piece[9] = (slopes[k] + slopes[k + 1] - 2.0 * chord) / (length * length)


cdef inline const double* cubic_piece(const View* b, int k) noexcept nogil:
    """The coefficients of piece k."""
    return b.w + PATH_KNOTS - 1 + 3 * (path_pieces(b) + 3) + CUBIC_FIELDS * k


cdef inline bint cubic_moves(double size, double length, double bend_north, double bend_east) noexcept nogil:
    """True if |dp/dθ|, `size`, counts: False at a corner."""
    return size > 1e-12 * length * (fabs(bend_north) + fabs(bend_east))


cdef inline bint cubic_corner(const View* b, int k) noexcept nogil:
    """True if the path stands where piece k begins."""
    cdef const double* piece = cubic_piece(b, k)
    cdef double length = (b.w + PATH_KNOTS)[k + 1] - (b.w + PATH_KNOTS)[k]
    return not cubic_moves(length_of(piece[3], piece[4]), length, 2.0 * piece[6], 2.0 * piece[7])


cdef inline double cubic(const double* piece, double part) noexcept nogil:
    """One coordinate."""
    return piece[0] + part * (piece[3] + part * (piece[6] + part * piece[9]))


cdef inline void cubic_path_point(const View* b, int k, double theta, PathPoint* out) noexcept nogil:
    """The point at θ, on piece k; beyond its ends the path goes on straight, at the depth that it has there."""
    cdef const double* knots = b.w + PATH_KNOTS
    cdef const double* piece = cubic_piece(b, k)
    cdef double length = knots[k + 1] - knots[k]
    cdef double part = theta - knots[k]
    cdef double beyond = 0.0
    cdef double north, east, bend_north, bend_east, size, sign
    if part < 0.0 or part > length:
        beyond = part if part < 0.0 else part - length
        part -= beyond
    north = piece[3] + part * (2.0 * piece[6] + 3.0 * part * piece[9])
    east = piece[4] + part * (2.0 * piece[7] + 3.0 * part * piece[10])
    bend_north = 2.0 * piece[6] + 6.0 * part * piece[9]
    bend_east = 2.0 * piece[7] + 6.0 * part * piece[10]
    size = length_of(north, east)
    out.rate = size if size > KB_LEAST_RATE else KB_LEAST_RATE
    out.curvature = 0.0
    if cubic_moves(size, length, bend_north, bend_east):
        out.cosine = north / size
        out.sine = east / size
        if beyond == 0.0:
            out.curvature = (north * bend_east - east * bend_north) / (size * size * out.rate)
    else:                               # a corner: the course after it at its beginning, before it at its end
        sign = 1.0 if part < 0.5 * length else -1.0
        size = length_of(bend_north, bend_east)
        out.cosine = sign * bend_north / size
        out.sine = sign * bend_east / size
    out.x = cubic(piece, part) + beyond * out.rate * out.cosine
    out.y = cubic(piece + 1, part) + beyond * out.rate * out.sine
    out.z = cubic(piece + 2, part)
