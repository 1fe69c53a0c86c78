"""Kernel of the zigzag test: a rudder that is reversed whenever the heading has changed far enough."""

from libc.math cimport round

from cython_kernels.mathematics.events cimport reached, side
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.view cimport View

cdef enum:
    # parameters
    ZIGZAG_RUDDER_ANGLE = 0
    ZIGZAG_HEADING_CHANGE = 1
    ZIGZAG_START_TIME = 2
    ZIGZAG_FIRST_SIDE = 3       # 0 starboard, 1 port
    ZIGZAG_EXECUTES = 4

    # discrete states
    ZIGZAG_EXECUTE = 0          # number of the last execute; 0 during the approach
    ZIGZAG_EXECUTE_TIME = 1     # when that was [s]
    ZIGZAG_FINISHED = 2
    ZIGZAG_APPROACH_HEADING = 3
    ZIGZAG_LAST_HEADING = 4     # at the last major step, as the input had it [rad]
    ZIGZAG_TURNS = 5            # full turns by which the input has jumped since the first execute


cdef inline double zigzag_side(const View* b) noexcept nogil:
    """1 while the rudder is to starboard, -1 to port, 0 amidships."""
    cdef double number = b.z[ZIGZAG_EXECUTE]
    cdef bint starboard
    if number == 0.0 or b.z[ZIGZAG_FINISHED] != 0.0:
        return 0.0
    starboard = (<long long>number % 2 != 0) == (b.p[ZIGZAG_FIRST_SIDE][0] == 0.0)
    return 1.0 if starboard else -1.0


cdef inline double zigzag_turns(const View* b) noexcept nogil:
    """Full turns that a heading which wraps at ±π has left out since the first execute."""
    return b.z[ZIGZAG_TURNS] + round((b.z[ZIGZAG_LAST_HEADING] - b.u[0][5]) / (2.0 * KB_PI))


cdef inline double zigzag_beyond(const View* b) noexcept nogil:
    """How far the heading is beyond the one at which the rudder is reversed, or at the end put amidships [rad]."""
    cdef double turned = b.u[0][5] - b.z[ZIGZAG_APPROACH_HEADING] + 2.0 * KB_PI * zigzag_turns(b)
    cdef bint last = b.z[ZIGZAG_EXECUTE] >= b.p[ZIGZAG_EXECUTES][0]
    return zigzag_side(b) * turned - (0.0 if last else b.p[ZIGZAG_HEADING_CHANGE][0])


cdef inline void zigzag_steering_outputs(const View* b, double t) noexcept nogil:
    """y = rudder, execute, finished."""
    b.y[0][0] = zigzag_side(b) * b.p[ZIGZAG_RUDDER_ANGLE][0]
    b.y[1][0] = b.z[ZIGZAG_EXECUTE]
    b.y[2][0] = b.z[ZIGZAG_FINISHED]


cdef inline void zigzag_steering_update(const View* b, double t) noexcept nogil:
    """The approach heading is taken over within all of the first instant, because inputs may still settle there."""
    cdef double psi = b.u[0][5]
    if b.z[ZIGZAG_EXECUTE] == 0.0 and reached(t, b.p[ZIGZAG_START_TIME][0]):
        b.z[ZIGZAG_EXECUTE] = 1.0
        b.z[ZIGZAG_EXECUTE_TIME] = t
    if b.z[ZIGZAG_EXECUTE] == 0.0 or (b.z[ZIGZAG_EXECUTE] == 1.0 and t == b.z[ZIGZAG_EXECUTE_TIME]):
        b.z[ZIGZAG_APPROACH_HEADING] = psi
        b.z[ZIGZAG_TURNS] = 0.0
    else:
        b.z[ZIGZAG_TURNS] = zigzag_turns(b)
        b.z[ZIGZAG_LAST_HEADING] = psi
        if b.z[ZIGZAG_FINISHED] == 0.0 and zigzag_beyond(b) >= 0.0:
            if b.z[ZIGZAG_EXECUTE] >= b.p[ZIGZAG_EXECUTES][0]:
                b.z[ZIGZAG_FINISHED] = 1.0
            else:
                b.z[ZIGZAG_EXECUTE] += 1.0
                b.z[ZIGZAG_EXECUTE_TIME] = t
    b.z[ZIGZAG_LAST_HEADING] = psi


cdef inline void zigzag_steering_crossings(const View* b, double t) noexcept nogil:
    """g: the next execute, or the end."""
    cdef double beyond
    if b.z[ZIGZAG_FINISHED] != 0.0:
        b.g[0] = -1.0
    elif b.z[ZIGZAG_EXECUTE] == 0.0:
        b.g[0] = side(reached(t, b.p[ZIGZAG_START_TIME][0]), t - b.p[ZIGZAG_START_TIME][0])
    else:
        beyond = zigzag_beyond(b)
        b.g[0] = side(beyond >= 0.0, beyond)
