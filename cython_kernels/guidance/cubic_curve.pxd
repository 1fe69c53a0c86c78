"""Pieces of curves that are cubics: points on them, and corners."""

from libc.math cimport fabs

from cython_kernels.guidance.path cimport PathPoint, path_knots
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.views.guidance.path_guidance cimport PathGuidanceView

cdef extern from *:
    """
    #define KB_LEAST_RATE 0.02      /* of |dp/dtheta|: where a corner makes it nil, theta goes on all the same */
    """
    const double KB_LEAST_RATE

cdef enum:
    CUBIC_FIELDS = 12           # of a piece: coefficients of orders 0 to 3, three axes each


cdef inline const double* cubic_piece(const PathGuidanceView* b, int k) noexcept nogil:
    """The coefficients of piece k."""
    return b.w.pieces + CUBIC_FIELDS * k


cdef inline bint cubic_moves(double size, double length, double bend_north, double bend_east) noexcept nogil:
    """True if |dp/dθ|, `size`, counts: False at a corner."""
    return size > 1e-12 * length * (fabs(bend_north) + fabs(bend_east))


cdef inline bint cubic_corner(const PathGuidanceView* b, int k) noexcept nogil:
    """True if the path stands where piece k begins."""
    cdef const double* piece = cubic_piece(b, k)
    cdef double length = path_knots(b)[k + 1] - path_knots(b)[k]
    return not cubic_moves(length_of(piece[3], piece[4]), length, 2.0 * piece[6], 2.0 * piece[7])


cdef inline double cubic(const double* piece, double part) noexcept nogil:
    """One coordinate."""
    return piece[0] + part * (piece[3] + part * (piece[6] + part * piece[9]))


cdef inline void cubic_path_point(const PathGuidanceView* b, int k, double theta, PathPoint* out) noexcept nogil:
    """The point at θ, on piece k; beyond its ends the path goes on straight, at the depth that it has there."""
    cdef const double* knots = path_knots(b)
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
