"""Corners: waypoints of a path of cubics at which the path stands, and its course jumps.

The point that is followed is taken round a corner by `update` alone, and never back. Otherwise, where the path turns
back by more than a right angle, a vehicle that goes on would move the point ahead by the course before the corner and
back by that after it, for ever.
"""

from cython_kernels.guidance.cubic_curve cimport cubic_corner
from cython_kernels.guidance.path cimport PATH_CUBIC, path_knots, path_loops, path_pieces
from cython_kernels.mathematics.limits cimport NO_LIMIT
from cython_kernels.mathematics.tables cimport table_interval
from cython_kernels.views.guidance.path_guidance cimport PathGuidanceView


cdef inline bint corner_at(const PathGuidanceView* b, int k) noexcept nogil:
    """True if the path has a corner where piece k begins."""
    return b.w.kind[0] == PATH_CUBIC and (k > 0 or path_loops(b)) and cubic_corner(b, k)


cdef inline int piece_followed(const PathGuidanceView* b, int active, bint goes_on, double* theta) noexcept nogil:
    """The piece that θ is on. Over a corner the active one is not left, but by `goes_on`: it goes on straight.

    active: the piece of the last step, -1 if there is none. Behind a corner θ is kept at it.
    """
    cdef const double* knots = path_knots(b)
    cdef int pieces = path_pieces(b)
    cdef int k = table_interval(knots, pieces + 1, theta[0])
    cdef double lap, back, ahead
    if k == active or active < 0 or active >= pieces or b.w.kind[0] != PATH_CUBIC:
        return k
    lap = b.w.length[0] if path_loops(b) else NO_LIMIT
    back = knots[active] - theta[0]
    ahead = theta[0] - knots[active + 1]
    if back < 0.0:
        back += lap
    if ahead < 0.0:
        ahead += lap
    if back < ahead:
        if corner_at(b, active):
            theta[0] = knots[active]
            return active
    elif not goes_on and corner_at(b, (active + 1) % pieces):
        theta[0] = knots[active + 1] + ahead
        return active
    return k
