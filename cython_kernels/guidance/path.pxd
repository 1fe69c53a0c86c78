"""What curved paths have in common: where a path is, and how it lies in the derived constants of its block.

A path is a row of pieces that join smoothly, over a parameter θ in metres, from 0 to its length. Its setup writes the
header, then θ at the ends of all pieces with one number before them, then what its kind of curve needs.
"""

from libc.math cimport floor

from cython_kernels.view cimport View

cdef enum:
    # parameters of every block that follows a path
    PATH_WAYPOINTS = 0
    PATH_RADIUS = 1
    PATH_START_ON = 2           # 0 the first leg, 1 the path
    PATH_AT_END = 3             # 0 hold, 1 loop
    PATH_LOOKAHEAD = 4
    PATH_SPEED = 5
    PATH_TAPER = 6
    PATH_TAPER_ANGLE = 7
    PATH_SIDESLIP = 8
    PATH_SIDESLIP_SPEED = 9
    PATH_GAIN = 10
    PATH_PARAMETERS = 11        # where those of one kind of curve begin

    # derived constants
    PATH_KIND = 0               # PATH_CUBIC or PATH_DUBINS
    PATH_LENGTH = 1             # θ at the end
    PATH_LEGS = 2
    PATH_PER_LEG = 3            # pieces of a leg
    PATH_KNOTS = 5              # θ at the first end

    PATH_CUBIC = 0
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


cdef inline bint path_loops(const View* b) noexcept nogil:
    """True if the path goes on from the last waypoint to the first."""
    return b.p[PATH_AT_END][0] != 0.0


cdef inline bint path_meets(const View* b) noexcept nogil:
    """True if the last waypoint is the first."""
    cdef const double* first = b.p[PATH_WAYPOINTS]
    cdef const double* last = first + 3 * (b.n[0] - 1)
    return last[0] == first[0] and last[1] == first[1]


cdef inline int path_pieces(const View* b) noexcept nogil:
    """How many pieces there are."""
    return <int>(b.w[PATH_LEGS] * b.w[PATH_PER_LEG])


cdef inline double within_lap(const View* b, double theta) noexcept nogil:
    """θ on a loop, from 0 to its length; the same on an open path."""
    cdef double length = b.w[PATH_LENGTH]
    if path_loops(b) and not 0.0 <= theta < length:
        theta -= length * floor(theta / length)
    return theta
