"""A line of straight segments at rest: the start of lines of lumped masses.

Segment j of N, counted from the lower end, holds H and V_j = V - (N - j - 1/2) w l, V the pull on the upper end with
half the weight of the last segment in it; on the floor V_j is not below 0, and friction takes mu w l from H with each
segment that lies. Its place, X and Z of its upper end, is a sum over segments, and H and V are found from it by
Newton's method from those of the catenary.
"""

from libc.math cimport fabs, sqrt

cdef extern from *:
    """
    #define CHAIN_ROUNDS 40
    #define CHAIN_HALVINGS 12
    """
    const int CHAIN_ROUNDS
    const int CHAIN_HALVINGS


ctypedef struct Chain:
    int count                   # of segments
    double part                 # l
    double stiffness
    double weight
    double friction
    bint lies                   # with a part on the floor
    double horizontal           # H and V at the upper end
    double vertical


ctypedef struct ChainSpan:
    double x
    double z
    double hanging              # the part of x that is above the floor
    double xh                   # derivatives with respect to H and V
    double xv
    double zv


cdef inline double add_segment(const Chain* c, int j, double h, ChainSpan* sum) noexcept nogil:
    """Add what segment j spans. Returns the H that is left below it."""
    cdef double least = 1e-9 * fabs(c.weight) * c.part
    cdef double v = c.vertical - (c.count - j - 0.5) * c.weight * c.part
    cdef double tension, stretched, curved
    cdef bint on_floor = c.lies and v <= 0.0
    v = 0.0 if on_floor else v
    tension = sqrt(h * h + v * v)
    tension = least if tension < least else tension
    stretched = c.part * (1.0 / tension + 1.0 / c.stiffness)
    curved = c.part / (tension * tension * tension)
    sum.x += stretched * h if not on_floor else c.part * (1.0 + h / c.stiffness)
    sum.z += stretched * v
    if not on_floor:
        sum.hanging = sum.x
    sum.xh += stretched - curved * h * h
    sum.xv -= curved * h * v
    sum.zv += 0.0 if on_floor else stretched - curved * v * v
    if on_floor:
        h -= c.friction * c.weight * c.part
        h = 0.0 if h < 0.0 else h
    return h


cdef inline void chain_span(const Chain* c, ChainSpan* out) noexcept nogil:
    """From the upper end down."""
    cdef double h = c.horizontal
    cdef int j
    out.x = out.z = out.hanging = out.xh = out.xv = out.zv = 0.0
    for j in range(c.count - 1, -1, -1):
        h = add_segment(c, j, h, out)


cdef inline void settle_chain(Chain* c, double x, double z) noexcept nogil:
    """Find H and V, which are those of the catenary before, for an upper end that is x away and z higher."""
    cdef ChainSpan span
    cdef ChainSpan tried
    cdef double old_h, old_v, off_x, off_z, error, determinant, dh, dv, share
    cdef bint slack = c.lies and c.horizontal <= 1e-9 * c.weight * c.part * c.count
    cdef double least = 1e-9 * fabs(c.weight) * c.part * c.count
    cdef int _round, _halving
    if slack:                   # a little H bends what would be a straight row of segments of a given length
        c.horizontal = 0.1 * c.weight * c.part
    elif c.horizontal < least:
        c.horizontal = least
    chain_span(c, &span)
    for _round in range(CHAIN_ROUNDS):
        off_x = 0.0 if slack else x - span.x
        off_z = z - span.z
        error = off_x * off_x + off_z * off_z
        if error <= 1e-26 * c.part * c.part:
            break
        determinant = span.xh * span.zv - span.xv * span.xv
        if slack or determinant <= 0.0:
            dh = 0.0
            dv = off_z / span.zv if span.zv > 0.0 else 0.5 * c.weight * c.part
        else:
            dh = (span.zv * off_x - span.xv * off_z) / determinant
            dv = (span.xh * off_z - span.xv * off_x) / determinant
        old_h = c.horizontal
        old_v = c.vertical
        share = 1.0
        for _halving in range(CHAIN_HALVINGS):
            c.horizontal = old_h + share * dh
            c.horizontal = least if c.horizontal < least else c.horizontal
            c.vertical = old_v + share * dv
            chain_span(c, &tried)
            off_x = 0.0 if slack else x - tried.x
            off_z = z - tried.z
            if off_x * off_x + off_z * off_z < error:
                break
            share *= 0.5
        span = tried
