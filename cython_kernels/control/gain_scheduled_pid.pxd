"""Kernels of the PID controller whose gains are looked up in tables."""

from cython_kernels.control.pid cimport (
    DERIVATIVE_FROM_RATE, PID_BUMPLESS, PID_FILTER, PID_KP, PID_W_DERIVATIVE, PID_W_EACH, PID_W_KD, PID_W_KI, PID_W_KP,
    PID_W_SIZE, pid_choices, pid_differentiate, pid_evaluate,
)
from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part
from cython_kernels.view cimport View

cdef enum:
    SCHEDULE_BREAKPOINTS = PID_BUMPLESS + 1


cdef inline void scheduled_gains(const View* b, bint filtered, double* gains) noexcept nogil:
    """k_p, k_i and k_d, with a filter k_d N, at the scheduling variable; held outside its breakpoints."""
    cdef double at = b.u[4 if b.w[PID_W_DERIVATIVE] == DERIVATIVE_FROM_RATE else 3][0]
    cdef const double* points = b.p[SCHEDULE_BREAKPOINTS]
    cdef int k = table_interval(points, b.n[1], at)
    cdef double part = table_part(points, k, at, True)
    cdef int i
    for i in range(3):
        gains[i] = table_between(b.p[PID_KP + i][k], b.p[PID_KP + i][k + 1], part)
    if filtered:
        gains[PID_W_KD] *= b.p[PID_FILTER][0]


cdef inline void gain_scheduled_pid_setup(const View* b, double t) noexcept nogil:
    """w: choices and limits, and no gains."""
    cdef int _
    cdef double* own = b.w + PID_W_EACH
    pid_choices(b)
    for _ in range(b.n[0]):
        own[PID_W_KP] = own[PID_W_KI] = own[PID_W_KD] = 0.0
        own += PID_W_SIZE


cdef inline void gain_scheduled_pid_outputs(const View* b, double t) noexcept nogil:
    """With a filtered derivative."""
    cdef double gains[3]
    scheduled_gains(b, True, gains)
    pid_evaluate(b, True, gains)


cdef inline void gain_scheduled_pid_derivatives(const View* b, double t) noexcept nogil:
    """With a filtered derivative."""
    cdef double gains[3]
    scheduled_gains(b, True, gains)
    pid_differentiate(b, True, gains)


cdef inline void gain_scheduled_pid_unfiltered_outputs(const View* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    cdef double gains[3]
    scheduled_gains(b, False, gains)
    pid_evaluate(b, False, gains)


cdef inline void gain_scheduled_pid_unfiltered_derivatives(const View* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    cdef double gains[3]
    scheduled_gains(b, False, gains)
    pid_differentiate(b, False, gains)
