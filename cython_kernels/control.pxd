"""Kernels of control blocks."""

from cython_kernels.frames cimport wrap_angle
from cython_kernels.view cimport View

cdef enum:
    # parameters of pid
    PID_KP = 0
    PID_KI = 1
    PID_KD = 2
    PID_FILTER = 3
    PID_LOWER = 4
    PID_UPPER = 5
    PID_ANTI_WINDUP = 6
    PID_TRACKING = 7
    PID_DERIVATIVE = 8
    PID_ANGLE = 9
    PID_BUMPLESS = 10

    ANTI_WINDUP_BACK_CALCULATION = 0
    ANTI_WINDUP_CLAMPING = 1
    ANTI_WINDUP_NONE = 2

    DERIVATIVE_OF_ERROR = 0
    DERIVATIVE_OF_MEASUREMENT = 1
    DERIVATIVE_FROM_RATE = 2
    DERIVATIVE_NONE = 3


cdef inline double limited(double value, double lower, double upper) noexcept nogil:
    """`value` within its limits; not a number stays what it is, so that the run stops."""
    return lower if value < lower else upper if value > upper else value


cdef inline double pid_error(const View* b, int i) noexcept nogil:
    """e = r - y, of angles the short way round."""
    cdef double error = b.u[0][i] - b.u[1][i]
    return wrap_angle(error) if b.p[PID_ANGLE][0] != 0.0 else error


cdef inline bint pid_has_filter(const View* b) noexcept nogil:
    return b.p[PID_DERIVATIVE][0] < DERIVATIVE_FROM_RATE


cdef inline double pid_filtered(const View* b, int i) noexcept nogil:
    """What is differentiated: e or -y. x[n + i] follows it, counted from its value z[i] at the start."""
    return pid_error(b, i) if b.p[PID_DERIVATIVE][0] == DERIVATIVE_OF_ERROR else -b.u[1][i]


cdef inline double pid_ahead(const View* b, int i) noexcept nogil:
    """How far the differentiated signal is ahead of its filter."""
    cdef int n = b.n[0]
    cdef double ahead
    if b.p[PID_BUMPLESS][0] != 0.0 and b.z[n] == 0.0:
        return 0.0      # the filter starts with the first major step
    ahead = pid_filtered(b, i) - b.z[i] - b.x[n + i]
    return wrap_angle(ahead) if b.p[PID_ANGLE][0] != 0.0 else ahead


cdef inline double pid_sum(const View* b, int i, double error) noexcept nogil:
    """The output before its limits."""
    cdef double total = b.p[PID_KP][i] * error + b.x[i] + b.u[2][i]
    if pid_has_filter(b):
        total += b.p[PID_KD][i] * b.p[PID_FILTER][0] * pid_ahead(b, i)
    elif b.p[PID_DERIVATIVE][0] == DERIVATIVE_FROM_RATE:
        total -= b.p[PID_KD][i] * b.u[3][i]
    return total


cdef inline void pid_outputs(const View* b, double t) noexcept nogil:
    """y: output, error."""
    cdef int i
    cdef double error
    for i in range(b.n[0]):
        error = pid_error(b, i)
        if b.y[0] != NULL:
            b.y[0][i] = limited(pid_sum(b, i, error), b.p[PID_LOWER][i], b.p[PID_UPPER][i])
        if b.y[1] != NULL:
            b.y[1][i] = error


cdef inline void pid_derivatives(const View* b, double t) noexcept nogil:
    """dx: integral terms, then where the derivative is filtered the filters."""
    cdef int n = b.n[0]
    cdef int i
    cdef double error, rate, total, excess
    for i in range(n):
        error = pid_error(b, i)
        rate = b.p[PID_KI][i] * error
        if b.p[PID_ANTI_WINDUP][0] != ANTI_WINDUP_NONE:
            total = pid_sum(b, i, error)
            excess = total - limited(total, b.p[PID_LOWER][i], b.p[PID_UPPER][i])
            if b.p[PID_ANTI_WINDUP][0] == ANTI_WINDUP_BACK_CALCULATION:
                rate -= b.p[PID_TRACKING][0] * excess
            elif excess * rate > 0.0:
                rate = 0.0
        b.dx[i] = rate
        if pid_has_filter(b):
            b.dx[n + i] = b.p[PID_FILTER][0] * pid_ahead(b, i)


cdef inline void pid_update(const View* b, double t) noexcept nogil:
    """Take the differentiated signal at the first instant as the one that the filter starts from.

    Repeated within that instant, because inputs may still settle there. z: the signal at the start, whether it has
    been taken, and when.
    """
    cdef int n = b.n[0]
    cdef int i
    if not pid_has_filter(b) or b.p[PID_BUMPLESS][0] == 0.0:
        return
    if b.z[n] == 0.0:
        b.z[n] = 1.0
        b.z[n + 1] = t
    if t == b.z[n + 1]:
        for i in range(n):
            b.z[i] = pid_filtered(b, i)


cdef inline void compose_wrench_outputs(const View* b, double t) noexcept nogil:
    """y: (X, Y, Z, K, M, N)."""
    cdef int i
    for i in range(6):
        b.y[0][i] = b.u[i][0]
