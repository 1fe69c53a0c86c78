"""Kernels of the PID controller.

Gains are three numbers, k_p, k_i and k_d (with a filter k_d N): derived constants of each quantity, or what a schedule
says they are at this instant, the same for all quantities.
"""

from cython_kernels.control.anti_windup cimport integral_rate
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.control.pid cimport (
    PID_LAW_ANTI_WINDUP_BACK_CALCULATION,
    PID_LAW_ANTI_WINDUP_NONE,
    PID_LAW_DERIVATIVE_ERROR,
    PID_LAW_DERIVATIVE_RATE,
    PIDLawView,
    PIDView,
    pid_as_pid_law,
)

ctypedef struct PIDGains:
    double kp
    double ki
    double kd                   # with a filter: k_d N


ctypedef struct PIDQuantity:    # what every call reads of a quantity, close together
    PIDGains gains
    double lower
    double upper


cdef inline double pid_difference(const PIDLawView* b, double difference) noexcept nogil:
    """A difference, of angles the short way round."""
    return wrap_angle(difference) if b.w.angles[0] != 0.0 else difference


cdef inline double pid_filtered(const PIDLawView* b, int i) noexcept nogil:
    """What is differentiated: e or -y. The filter follows it, counted from its value at the start."""
    if b.w.action[0] == PID_LAW_DERIVATIVE_ERROR:
        return pid_difference(b, b.u.reference[i] - b.u.measurement[i])
    return -b.u.measurement[i]


cdef inline double pid_ahead(const PIDLawView* b, int i) noexcept nogil:
    """How far the differentiated signal is ahead of its filter."""
    if b.p.bumpless[0] != 0.0 and b.z.started[0] == 0.0:
        return 0.0      # the filter starts with the first major step
    return pid_difference(b, pid_filtered(b, i) - b.z.filter_start[i] - b.x.filter[i])


cdef inline double pid_sum(
    const PIDLawView* b, const PIDGains* gains, int i, double error, bint filtered, double ahead, const double* rate
) noexcept nogil:
    """The output before its limits; `ahead` is pid_ahead, where the derivative is filtered, `rate` a measured one."""
    cdef double total = gains.kp * error + b.x.integral[i] + b.u.feedforward[i]
    if filtered:
        total += gains.kd * ahead
    elif b.w.action[0] == PID_LAW_DERIVATIVE_RATE:
        total -= gains.kd * rate[i]
    return total


cdef inline void pid_law_setup(const PIDLawView* b) noexcept nogil:
    """w: all but the gains, which are 0."""
    cdef int i
    cdef PIDQuantity* own = <PIDQuantity*>b.w.quantities
    b.w.angles[0] = b.p.angle[0]
    b.w.action[0] = b.p.derivative[0]
    b.w.protection[0] = b.p.anti_windup[0]
    for i in range(b.n.n):
        own[i].gains.kp = own[i].gains.ki = own[i].gains.kd = 0.0
        own[i].lower = b.p.lower[i]
        own[i].upper = b.p.upper[i]


cdef inline void pid_evaluate(
    const PIDLawView* b, bint filtered, const PIDGains* scheduled, const double* rate
) noexcept nogil:
    """y: output, error; with the gains of a schedule, or NULL for each quantity's own."""
    cdef int i
    cdef double error
    cdef double ahead = 0.0
    cdef const PIDQuantity* own = <const PIDQuantity*>b.w.quantities
    cdef const PIDGains* gains = scheduled
    for i in range(b.n.n):
        if scheduled == NULL:
            gains = &own.gains
        error = pid_difference(b, b.u.reference[i] - b.u.measurement[i])
        if b.y.output != NULL:
            if filtered:
                ahead = pid_ahead(b, i)
            b.y.output[i] = clamp(pid_sum(b, gains, i, error, filtered, ahead, rate), own.lower, own.upper)
        if b.y.error != NULL:
            b.y.error[i] = error
        own += 1


cdef inline void pid_differentiate(
    const PIDLawView* b, bint filtered, const PIDGains* scheduled, const double* rate
) noexcept nogil:
    """dx: integral terms, then where the derivative is filtered the filters."""
    cdef int i
    cdef double error, slope, total, excess
    cdef double ahead = 0.0
    cdef const PIDQuantity* own = <const PIDQuantity*>b.w.quantities
    cdef const PIDGains* gains = scheduled
    for i in range(b.n.n):
        if scheduled == NULL:
            gains = &own.gains
        error = b.y.error[i]
        slope = gains.ki * error
        if filtered:
            ahead = pid_ahead(b, i)
            b.dx.filter[i] = b.p.filter_coefficient[0] * ahead
        if b.w.protection[0] != PID_LAW_ANTI_WINDUP_NONE:
            total = pid_sum(b, gains, i, error, filtered, ahead, rate)
            excess = total - clamp(total, own.lower, own.upper)
            if b.w.protection[0] == PID_LAW_ANTI_WINDUP_BACK_CALCULATION:
                slope = integral_rate(gains.ki, error, b.p.tracking_gain[0], excess)
            elif excess * slope > 0.0:
                slope = 0.0
        b.dx.integral[i] = slope
        own += 1


cdef inline void pid_begin_filter(const PIDLawView* b, double t) noexcept nogil:
    """Take the differentiated signal at the first instant as the one that the filter starts from.

    Repeated within that instant, because inputs may still settle there.
    """
    cdef int i
    if b.p.bumpless[0] == 0.0:
        return
    if b.z.started[0] == 0.0:
        b.z.started[0] = 1.0
        b.z.start_time[0] = t
    if t == b.z.start_time[0]:
        for i in range(b.n.n):
            b.z.filter_start[i] = pid_filtered(b, i)


cdef inline const double* pid_rate(const PIDView* b) noexcept nogil:
    """The measured rate, which is there if the derivative acts on it."""
    return b.u.rate if b.w.action[0] == PID_LAW_DERIVATIVE_RATE else NULL


cdef inline void pid_own_setup(const PIDView* b) noexcept nogil:
    """w: with each quantity's own gains."""
    cdef PIDLawView law = pid_as_pid_law(b)
    cdef PIDQuantity* own = <PIDQuantity*>b.w.quantities
    cdef double per_kd = b.p.filter_coefficient[0] if b.p.derivative[0] < PID_LAW_DERIVATIVE_RATE else 1.0
    cdef int i
    pid_law_setup(&law)
    for i in range(b.n.n):
        own[i].gains.kp = b.p.kp[i]
        own[i].gains.ki = b.p.ki[i]
        own[i].gains.kd = b.p.kd[i] * per_kd


cdef inline void pid_setup(const PIDView* b, double t) noexcept nogil:
    """With a filtered derivative."""
    pid_own_setup(b)


cdef inline void pid_outputs(const PIDLawView* b, double t) noexcept nogil:
    """With a filtered derivative."""
    pid_evaluate(b, True, NULL, NULL)


cdef inline void pid_derivatives(const PIDLawView* b, double t) noexcept nogil:
    """With a filtered derivative."""
    pid_differentiate(b, True, NULL, NULL)


cdef inline void pid_update(const PIDLawView* b, double t) noexcept nogil:
    """With a filtered derivative."""
    pid_begin_filter(b, t)


cdef inline void pid_unfiltered_setup(const PIDView* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    pid_own_setup(b)


cdef inline void pid_unfiltered_outputs(const PIDView* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    cdef PIDLawView law = pid_as_pid_law(b)
    pid_evaluate(&law, False, NULL, pid_rate(b))


cdef inline void pid_unfiltered_derivatives(const PIDView* b, double t) noexcept nogil:
    """With a measured rate, or without derivative action."""
    cdef PIDLawView law = pid_as_pid_law(b)
    pid_differentiate(&law, False, NULL, pid_rate(b))
