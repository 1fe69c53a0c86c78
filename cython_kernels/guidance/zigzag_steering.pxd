"""Kernel of the zigzag test: a rudder that is reversed whenever the heading has changed far enough."""

from libc.math cimport round

from cython_kernels.mathematics.events cimport reached, side
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.guidance.zigzag_steering cimport ZIGZAG_STEERING_FIRST_SIDE_STARBOARD, ZigzagSteeringView


cdef inline double zigzag_side(const ZigzagSteeringView* b) noexcept nogil:
    """1 while the rudder is to starboard, -1 to port, 0 amidships."""
    cdef double number = b.z.execute[0]
    cdef bint starboard
    if number == 0.0 or b.z.finished[0] != 0.0:
        return 0.0
    starboard = (<long long>number % 2 != 0) == (b.p.first_side[0] == ZIGZAG_STEERING_FIRST_SIDE_STARBOARD)
    return 1.0 if starboard else -1.0


cdef inline double zigzag_turns(const ZigzagSteeringView* b) noexcept nogil:
    """Full turns that a heading which wraps at ±π has left out since the first execute."""
    return b.z.turns[0] + round((b.z.last_heading[0] - b.u.eta[5]) / (2.0 * KB_PI))


cdef inline double zigzag_beyond(const ZigzagSteeringView* b) noexcept nogil:
    """How far the heading is beyond the one at which the rudder is reversed, or at the end put amidships [rad]."""
    cdef double turned = b.u.eta[5] - b.z.approach_heading[0] + 2.0 * KB_PI * zigzag_turns(b)
    cdef bint last = b.z.execute[0] >= b.p.executes[0]
    return zigzag_side(b) * turned - (0.0 if last else b.p.heading_change[0])


cdef inline void zigzag_steering_outputs(const ZigzagSteeringView* b, double t) noexcept nogil:
    """y: rudder, execute, finished."""
    b.y.rudder[0] = zigzag_side(b) * b.p.rudder_angle[0]
    b.y.execute[0] = b.z.execute[0]
    b.y.finished[0] = b.z.finished[0]


cdef inline void zigzag_steering_update(const ZigzagSteeringView* b, double t) noexcept nogil:
    """The approach heading is taken over within all of the first instant, because inputs may still settle there."""
    cdef double psi = b.u.eta[5]
    if b.z.execute[0] == 0.0 and reached(t, b.p.start_time[0]):
        b.z.execute[0] = 1.0
        b.z.execute_time[0] = t
    if b.z.execute[0] == 0.0 or (b.z.execute[0] == 1.0 and t == b.z.execute_time[0]):
        b.z.approach_heading[0] = psi
        b.z.turns[0] = 0.0
    else:
        b.z.turns[0] = zigzag_turns(b)
        b.z.last_heading[0] = psi
        if b.z.finished[0] == 0.0 and zigzag_beyond(b) >= 0.0:
            if b.z.execute[0] >= b.p.executes[0]:
                b.z.finished[0] = 1.0
            else:
                b.z.execute[0] += 1.0
                b.z.execute_time[0] = t
    b.z.last_heading[0] = psi


cdef inline void zigzag_steering_crossings(const ZigzagSteeringView* b, double t) noexcept nogil:
    """g: the next execute, or the end."""
    cdef double beyond
    if b.z.finished[0] != 0.0:
        b.g.next_execute[0] = -1.0
    elif b.z.execute[0] == 0.0:
        b.g.next_execute[0] = side(reached(t, b.p.start_time[0]), t - b.p.start_time[0])
    else:
        beyond = zigzag_beyond(b)
        b.g.next_execute[0] = side(beyond >= 0.0, beyond)
