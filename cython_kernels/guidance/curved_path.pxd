"""Piecewise cubic paths through waypoints: Hermite's form, with slopes from three points or those of PCHIP.

θ is the horizontal distance from waypoint to waypoint along straight lines, so that dp/dθ is near one. Columns of
θ, a coordinate and its slopes begin with a place for the waypoint before the first and end with one for that after the
last, which a loop needs for its slopes.
"""

from cython_kernels.guidance.cubic_curve cimport CUBIC_FIELDS
from cython_kernels.guidance.path cimport FAULT_NO_LENGTH, PATH_CUBIC, path_loops, path_meets
from cython_kernels.guidance.path_following cimport (
    path_following_crossings,
    path_following_derivatives,
    path_following_outputs,
    path_following_step,
)
from cython_kernels.mathematics.cubic_slopes cimport monotone_slopes, parabola_slopes
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.views.guidance.curved_path cimport (
    CURVED_PATH_INTERPOLATION_HERMITE,
    CurvedPathView,
    curved_path_as_path_guidance,
)
from cython_kernels.views.guidance.path_guidance cimport PathGuidanceView


cdef inline int waypoint_at(int place, int legs, int count, bint loops) noexcept nogil:
    """The waypoint at a place of a column; on an open path the first and the last place are none's."""
    if loops:
        return (place + legs - 1) % legs
    return 0 if place == 0 else place - 1 if place <= count else count - 1


cdef inline void curved_path_setup(const CurvedPathView* b, double t) noexcept nogil:
    """w: θ at the waypoints and the coefficients of each piece."""
    cdef PathGuidanceView path = curved_path_as_path_guidance(b)
    cdef const double* points = b.p.waypoints
    cdef int n = b.n.n
    cdef bint loops = path_loops(&path)
    cdef int legs = n if loops and not path_meets(&path) else n - 1
    cdef int stride = legs + 3
    cdef double* theta = b.w.knots
    cdef double* column = b.w.column
    cdef double* slopes = b.w.slopes
    cdef double* piece
    cdef const double* here
    cdef const double* before
    cdef int first = 0 if loops else 1
    cdef int count = stride if loops else legs + 1
    cdef double length, chord
    cdef int k, i
    b.w.kind[0] = PATH_CUBIC
    b.w.legs[0] = legs
    b.w.pieces_per_leg[0] = 1.0
    theta[1] = 0.0
    for k in range(2, stride):
        before = points + 3 * waypoint_at(k - 1, legs, n, loops)
        here = points + 3 * waypoint_at(k, legs, n, loops)
        theta[k] = theta[k - 1] + length_of(here[0] - before[0], here[1] - before[1])
        if k < stride - 1 and not theta[k] > theta[k - 1]:
            b.fault[0] = FAULT_NO_LENGTH
    theta[0] = theta[legs] - theta[legs + 1]
    b.w.length[0] = theta[legs + 1]
    for i in range(3):
        for k in range(stride):
            column[k] = points[3 * waypoint_at(k, legs, n, loops) + i]
        if b.p.interpolation[0] == CURVED_PATH_INTERPOLATION_HERMITE:
            parabola_slopes(theta + first, column + first, count, slopes + first)
        else:
            monotone_slopes(theta + first, column + first, count, slopes + first)
        for k in range(1, legs + 1):
            piece = b.w.pieces + CUBIC_FIELDS * (k - 1) + i
            length = theta[k + 1] - theta[k]
            chord = (column[k + 1] - column[k]) / length
            piece[0] = column[k]
            piece[3] = slopes[k]
            piece[6] = (3.0 * chord - 2.0 * slopes[k] - slopes[k + 1]) / length
            piece[9] = (slopes[k] + slopes[k + 1] - 2.0 * chord) / (length * length)


cdef inline void curved_path_outputs(const CurvedPathView* b, double t) noexcept nogil:
    """y: those of every path."""
    cdef PathGuidanceView path = curved_path_as_path_guidance(b)
    path_following_outputs(&path)


cdef inline void curved_path_derivatives(const CurvedPathView* b, double t) noexcept nogil:
    """dθ/dt."""
    cdef PathGuidanceView path = curved_path_as_path_guidance(b)
    path_following_derivatives(&path)


cdef inline void curved_path_update(const CurvedPathView* b, double t) noexcept nogil:
    """Begin at the nearest point, count waypoints, and see the end after that."""
    cdef PathGuidanceView path = curved_path_as_path_guidance(b)
    path_following_step(&path, t)


cdef inline void curved_path_crossings(const CurvedPathView* b, double t) noexcept nogil:
    """g: what is left to go, and the next end of a piece."""
    cdef PathGuidanceView path = curved_path_as_path_guidance(b)
    path_following_crossings(&path, b.g.to_go, b.g.next_piece)
