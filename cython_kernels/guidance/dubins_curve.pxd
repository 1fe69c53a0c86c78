"""Pieces of Dubins paths, arcs and straight lines: points on them."""

from cython_kernels.guidance.path cimport PathPoint, path_knots, path_pieces
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.guidance.path_guidance cimport PathGuidanceView

cdef enum:
    DUBINS_PIECES = 3           # of a leg


ctypedef struct DubinsPiece:    # where a piece begins
    double x                    # north, east, down [m]
    double y
    double z
    double dive                 # dz/dθ
    double course               # [rad]
    double sine
    double cosine
    double curvature            # [1/m]


cdef inline void along_piece(const DubinsPiece* piece, double way, PathPoint* out) noexcept nogil:
    """Where a piece leads."""
    cdef double curvature = piece.curvature
    out.sine = piece.sine
    out.cosine = piece.cosine
    out.rate = 1.0
    out.curvature = curvature
    out.z = piece.z + way * piece.dive
    if curvature == 0.0:
        out.x = piece.x + way * out.cosine
        out.y = piece.y + way * out.sine
    else:
        sine_cosine(piece.course + curvature * way, &out.sine, &out.cosine)
        out.x = piece.x + (out.sine - piece.sine) / curvature
        out.y = piece.y + (piece.cosine - out.cosine) / curvature


cdef inline void dubins_path_point(const PathGuidanceView* b, int k, double theta, PathPoint* out) noexcept nogil:
    """The point at θ, on piece k; beyond its ends the path goes on straight, at the depth that it has there."""
    cdef int pieces = path_pieces(b)
    cdef const double* knots = path_knots(b)
    cdef const DubinsPiece* piece = <const DubinsPiece*>b.w.pieces + k
    if theta < 0.0:
        out.rate = 1.0
        out.curvature = 0.0
        out.sine = piece.sine
        out.cosine = piece.cosine
        out.x = piece.x + theta * out.cosine
        out.y = piece.y + theta * out.sine
        out.z = piece.z
        return
    if theta >= b.w.length[0]:
        k = pieces
        piece = <const DubinsPiece*>b.w.pieces + k
    along_piece(piece, theta - knots[k], out)
