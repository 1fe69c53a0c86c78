"""Kernel of the end stops."""

from cython_kernels.mathematics.events cimport side
from wave_energy.views.end_stops cimport EndStopsView


cdef inline double push_of(const EndStopsView* b, double upward) noexcept nogil:
    """Of the upper (1) or the lower (-1) stop against the float, were there no end to it."""
    return b.p.stiffness[0] * (upward * b.u.position[0] - b.p.stroke[0]) + b.p.damping[0] * upward * b.u.velocity[0]


cdef inline void end_stops_outputs(const EndStopsView* b, double t) noexcept nogil:
    """A push where the float is beyond its stroke."""
    cdef double upward = 1.0 if b.u.position[0] > 0.0 else -1.0
    cdef double push = push_of(b, upward)
    if upward * b.u.position[0] > b.p.stroke[0] and push > 0.0:
        b.y.force[0] = -upward * push
    else:
        b.y.force[0] = push * 0.0       # 0, unless the position is no number


cdef inline void end_stops_crossings(const EndStopsView* b, double t) noexcept nogil:
    """The float comes to a stop or leaves it, and a damper would begin to pull."""
    cdef double upper = b.u.position[0] - b.p.stroke[0]
    cdef double lower = -b.u.position[0] - b.p.stroke[0]
    b.g.ends[0] = side(upper > 0.0, upper)
    b.g.ends[1] = side(lower > 0.0, lower)
    b.g.pushes[0] = side(push_of(b, 1.0) > 0.0, push_of(b, 1.0))
    b.g.pushes[1] = side(push_of(b, -1.0) > 0.0, push_of(b, -1.0))
