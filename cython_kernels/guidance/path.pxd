"""What curved paths have in common: where a path is, and how it lies in the derived constants of its block.

A path is a row of pieces that join smoothly, over a parameter θ in metres, from 0 to its length.
"""

from libc.math cimport floor

from cython_kernels.views.guidance.path_guidance cimport PATH_GUIDANCE_AT_END_LOOP, PathGuidanceView

cdef enum:
    PATH_CUBIC = 0              # kinds of curves
    PATH_DUBINS = 1

    FAULT_NO_LENGTH = 1


ctypedef struct PathPoint:
    double x                    # north, east, down [m]
    double y
    double z
    double cosine               # of the course of the path
    double sine
    double rate                 # horizontal metres per unit of θ
    double curvature            # positive where the path turns to starboard [1/m]


cdef inline bint path_loops(const PathGuidanceView* b) noexcept nogil:
    """True if the path goes on from the last waypoint to the first."""
    return b.p.at_end[0] == PATH_GUIDANCE_AT_END_LOOP


cdef inline bint path_meets(const PathGuidanceView* b) noexcept nogil:
    """True if the last waypoint is the first."""
    cdef const double* first = b.p.waypoints
    cdef const double* last = first + 3 * (b.n.n - 1)
    return last[0] == first[0] and last[1] == first[1]


cdef inline int path_pieces(const PathGuidanceView* b) noexcept nogil:
    """How many pieces there are."""
    return <int>(b.w.legs[0] * b.w.pieces_per_leg[0])


cdef inline const double* path_knots(const PathGuidanceView* b) noexcept nogil:
    """θ at the ends of all pieces, from that where the first begins."""
    return b.w.knots + 1


cdef inline double within_lap(const PathGuidanceView* b, double theta) noexcept nogil:
    """θ on a loop, from 0 to its length; the same on an open path."""
    cdef double length = b.w.length[0]
    if path_loops(b) and not 0.0 <= theta < length:
        theta -= length * floor(theta / length)
    return theta
