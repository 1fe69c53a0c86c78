"""Kernels of the PID controller whose gains are looked up in tables."""

from cython_kernels.control.pid cimport PIDGains, pid_differentiate, pid_evaluate, pid_law_setup, pid_begin_filter
from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part
from cython_kernels.views.control.gain_scheduled_pid cimport GainScheduledPIDView, gain_scheduled_pid_as_pid_law
from cython_kernels.views.control.pid cimport PID_LAW_DERIVATIVE_RATE, PIDLawView


cdef inline PIDGains scheduled_gains(const GainScheduledPIDView* b, bint filtered) noexcept nogil:
    """k_p, k_i and k_d, with a filter k_d N, at the scheduling variable; held outside its breakpoints."""
    cdef PIDGains gains
    cdef double at = b.u.scheduling[0]
    cdef int k = table_interval(b.p.breakpoints, b.n.m, at)
    cdef double part = table_part(b.p.breakpoints, k, at, True)
    gains.kp = table_between(b.p.kp[k], b.p.kp[k + 1], part)
    gains.ki = table_between(b.p.ki[k], b.p.ki[k + 1], part)
    gains.kd = table_between(b.p.kd[k], b.p.kd[k + 1], part)
    if filtered:
        gains.kd *= b.p.filter_coefficient[0]
    return gains


cdef inline const double* scheduled_rate(const GainScheduledPIDView* b) noexcept nogil:
    """The measured rate, which is there if the derivative acts on it."""
    return b.u.rate if b.w.action[0] == PID_LAW_DERIVATIVE_RATE else NULL


cdef inline void gain_scheduled_pid_setup(const PIDLawView* b, double t) noexcept nogil:
    """With a filtered derivative. w: no gains."""
    pid_law_setup(b)


cdef inline void gain_scheduled_pid_outputs(const GainScheduledPIDView* b, double t) noexcept nogil:
    """With a filtered derivative."""
    cdef PIDLawView law = gain_scheduled_pid_as_pid_law(b)
    cdef PIDGains gains = scheduled_gains(b, True)
    pid_evaluate(&law, True, &gains, NULL)


cdef inline void gain_scheduled_pid_derivatives(const GainScheduledPIDView* b, double t) noexcept nogil:
    """With a filtered derivative."""
    cdef PIDLawView law = gain_scheduled_pid_as_pid_law(b)
    cdef PIDGains gains = scheduled_gains(b, True)
    pid_differentiate(&law, True, &gains, NULL)


cdef inline void gain_scheduled_pid_update(const PIDLawView* b, double t) noexcept nogil:
    """With a filtered derivative."""
    pid_begin_filter(b, t)


cdef inline void gain_scheduled_pid_unfiltered_setup(const PIDLawView* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action. w: no gains."""
    pid_law_setup(b)


cdef inline void gain_scheduled_pid_unfiltered_outputs(const GainScheduledPIDView* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    cdef PIDLawView law = gain_scheduled_pid_as_pid_law(b)
    cdef PIDGains gains = scheduled_gains(b, False)
    pid_evaluate(&law, False, &gains, scheduled_rate(b))


cdef inline void gain_scheduled_pid_unfiltered_derivatives(const GainScheduledPIDView* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    cdef PIDLawView law = gain_scheduled_pid_as_pid_law(b)
    cdef PIDGains gains = scheduled_gains(b, False)
    pid_differentiate(&law, False, &gains, scheduled_rate(b))
