"""Kernels of the PID controller.

Gains are three numbers, k_p, k_i and k_d (with a filter k_d N): derived constants of each quantity, or what a schedule
says they are at this instant, the same for all quantities.
"""

from cython_kernels.control.anti_windup cimport integral_rate
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
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

    # derived constants of pid: what every call reads, close together; first for all quantities, then for each
    PID_W_ANGLE = 0
    PID_W_DERIVATIVE = 1
    PID_W_ANTI_WINDUP = 2
    PID_W_EACH = 3
    PID_W_KP = 0
    PID_W_KI = 1
    PID_W_KD = 2                # with a filter: k_d N
    PID_W_LOWER = 3
    PID_W_UPPER = 4
    PID_W_SIZE = 5

    ANTI_WINDUP_BACK_CALCULATION = 0
    ANTI_WINDUP_CLAMPING = 1
    ANTI_WINDUP_NONE = 2

    DERIVATIVE_OF_ERROR = 0
    DERIVATIVE_OF_MEASUREMENT = 1
    DERIVATIVE_FROM_RATE = 2
    DERIVATIVE_NONE = 3


cdef inline double pid_difference(const View* b, double difference) noexcept nogil:
    """A difference, of angles the short way round."""
    return wrap_angle(difference) if b.w[PID_W_ANGLE] != 0.0 else difference


cdef inline double pid_filtered(const View* b, int i) noexcept nogil:
    """What is differentiated: e or -y. x[n + i] follows it, counted from its value z[i] at the start."""
    if b.w[PID_W_DERIVATIVE] == DERIVATIVE_OF_ERROR:
        return pid_difference(b, b.u[0][i] - b.u[1][i])
    return -b.u[1][i]


cdef inline double pid_ahead(const View* b, int i) noexcept nogil:
    """How far the differentiated signal is ahead of its filter."""
    cdef int n = b.n[0]
    if b.p[PID_BUMPLESS][0] != 0.0 and b.z[n] == 0.0:
        return 0.0      # the filter starts with the first major step
    return pid_difference(b, pid_filtered(b, i) - b.z[i] - b.x[n + i])


cdef inline double pid_sum(
    const View* b, const double* gains, int i, double error, bint filtered, double ahead
) noexcept nogil:
    """The output before its limits; `ahead` is pid_ahead, where the derivative is filtered."""
    cdef double total = gains[PID_W_KP] * error + b.x[i] + b.u[2][i]
    if filtered:
        total += gains[PID_W_KD] * ahead
    elif b.w[PID_W_DERIVATIVE] == DERIVATIVE_FROM_RATE:
        total -= gains[PID_W_KD] * b.u[3][i]
    return total


cdef inline void pid_choices(const View* b) noexcept nogil:
    """w: choices and limits."""
    cdef int i
    cdef double* own = b.w + PID_W_EACH
    b.w[PID_W_ANGLE] = b.p[PID_ANGLE][0]
    b.w[PID_W_DERIVATIVE] = b.p[PID_DERIVATIVE][0]
    b.w[PID_W_ANTI_WINDUP] = b.p[PID_ANTI_WINDUP][0]
    for i in range(b.n[0]):
        own[PID_W_LOWER] = b.p[PID_LOWER][i]
        own[PID_W_UPPER] = b.p[PID_UPPER][i]
        own += PID_W_SIZE


cdef inline void pid_setup(const View* b, double t) noexcept nogil:
    """w: see PID_W_…"""
    cdef int i
    cdef double* own = b.w + PID_W_EACH
    cdef double per_kd = b.p[PID_FILTER][0] if b.p[PID_DERIVATIVE][0] < DERIVATIVE_FROM_RATE else 1.0
    pid_choices(b)
    for i in range(b.n[0]):
        own[PID_W_KP] = b.p[PID_KP][i]
        own[PID_W_KI] = b.p[PID_KI][i]
        own[PID_W_KD] = b.p[PID_KD][i] * per_kd
        own += PID_W_SIZE


cdef inline void pid_evaluate(const View* b, bint filtered, const double* scheduled) noexcept nogil:
    """y: output, error; with the gains of a schedule, or NULL for each quantity's own."""
    cdef int i
    cdef double error
    cdef double ahead = 0.0
    cdef const double* own = b.w + PID_W_EACH
    cdef const double* gains = scheduled
    for i in range(b.n[0]):
        if scheduled == NULL:
            gains = own
        error = pid_difference(b, b.u[0][i] - b.u[1][i])
        if b.y[0] != NULL:
            if filtered:
                ahead = pid_ahead(b, i)
            b.y[0][i] = clamp(pid_sum(b, gains, i, error, filtered, ahead), own[PID_W_LOWER], own[PID_W_UPPER])
        if b.y[1] != NULL:
            b.y[1][i] = error
        own += PID_W_SIZE


cdef inline void pid_differentiate(const View* b, bint filtered, const double* scheduled) noexcept nogil:
    """dx: integral terms, then where the derivative is filtered the filters."""
    cdef int n = b.n[0]
    cdef int i
    cdef double error, rate, total, excess
    cdef double ahead = 0.0
    cdef const double* own = b.w + PID_W_EACH
    cdef const double* gains = scheduled
    for i in range(n):
        if scheduled == NULL:
            gains = own
        error = b.y[1][i]
        rate = gains[PID_W_KI] * error
        if filtered:
            ahead = pid_ahead(b, i)
            b.dx[n + i] = b.p[PID_FILTER][0] * ahead
        if b.w[PID_W_ANTI_WINDUP] != ANTI_WINDUP_NONE:
            total = pid_sum(b, gains, i, error, filtered, ahead)
            excess = total - clamp(total, own[PID_W_LOWER], own[PID_W_UPPER])
            if b.w[PID_W_ANTI_WINDUP] == ANTI_WINDUP_BACK_CALCULATION:
                rate = integral_rate(gains[PID_W_KI], error, b.p[PID_TRACKING][0], excess)
            elif excess * rate > 0.0:
                rate = 0.0
        b.dx[i] = rate
        own += PID_W_SIZE


cdef inline void pid_outputs(const View* b, double t) noexcept nogil:
    """With a filtered derivative."""
    pid_evaluate(b, True, NULL)


cdef inline void pid_derivatives(const View* b, double t) noexcept nogil:
    """With a filtered derivative."""
    pid_differentiate(b, True, NULL)


cdef inline void pid_unfiltered_outputs(const View* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    pid_evaluate(b, False, NULL)


cdef inline void pid_unfiltered_derivatives(const View* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    pid_differentiate(b, False, NULL)


cdef inline void pid_update(const View* b, double t) noexcept nogil:
    """Take the differentiated signal at the first instant as the one that the filter starts from.

    Repeated within that instant, because inputs may still settle there. z: the signal at the start, whether it has
    been taken, and when.
    """
    cdef int n = b.n[0]
    cdef int i
    if b.p[PID_BUMPLESS][0] == 0.0:
        return
    if b.z[n] == 0.0:
        b.z[n] = 1.0
        b.z[n + 1] = t
    if t == b.z[n + 1]:
        for i in range(n):
            b.z[i] = pid_filtered(b, i)
