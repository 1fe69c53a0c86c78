"""Kernels of the sources: signals that depend on time alone.

What jumps in time holds its level as a mode in z, so that a solver's step up to the jump does not see beyond it, and
tells when it next jumps, so that a step ends there.
"""

from libc.math cimport floor

from cython_kernels.mathematics.elementary.trigonometric cimport sin
from cython_kernels.mathematics.events cimport reached, side
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.views.basic.sources cimport (
    TIME_SERIES_INTERPOLATION_HOLD,
    TIME_SERIES_INTERPOLATION_LINEAR,
    ClockView,
    ConstantView,
    PulseView,
    RampView,
    SineView,
    StepView,
    TimeSeriesView,
)


cdef inline void constant_outputs(const ConstantView* b, double t) noexcept nogil:
    """y = c."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.p.value[i]


cdef inline void clock_outputs(const ClockView* b, double t) noexcept nogil:
    """y = t."""
    b.y.y[0] = t


cdef inline void step_start(const StepView* b, double t) noexcept nogil:
    b.z.passed[0] = reached(t, b.p.time[0])


cdef inline void step_update(const StepView* b, double t) noexcept nogil:
    b.z.passed[0] = reached(t, b.p.time[0])


cdef inline void step_outputs(const StepView* b, double t) noexcept nogil:
    cdef const double* level = b.p.after if b.z.passed[0] != 0.0 else b.p.before
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = level[i]


cdef inline void step_crossings(const StepView* b, double t) noexcept nogil:
    b.g.instant[0] = side(reached(t, b.p.time[0]), t - b.p.time[0])


cdef inline void step_jumps(const StepView* b, double t) noexcept nogil:
    step_crossings(b, t)


cdef inline void ramp_outputs(const RampView* b, double t) noexcept nogil:
    """y = offset + slope max(0, t - start)."""
    cdef double elapsed = t - b.p.start_time[0]
    cdef int i
    if elapsed < 0.0:
        elapsed = 0.0
    for i in range(b.n.n):
        b.y.y[i] = b.p.offset[i] + b.p.slope[i] * elapsed


cdef inline void ramp_crossings(const RampView* b, double t) noexcept nogil:
    b.g.instant[0] = side(t >= b.p.start_time[0], t - b.p.start_time[0])


cdef inline void sine_outputs(const SineView* b, double t) noexcept nogil:
    """y = offset + A sin(omega t + phi)."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.p.offset[i] + b.p.amplitude[i] * sin(b.p.frequency[i] * t + b.p.phase[i])


cdef inline double pulse_edge(const PulseView* b, double number) noexcept nogil:
    """The time of an edge: even numbers (from 0) rise, odd ones fall."""
    cdef double cycle = floor(0.5 * number)
    cdef double fraction = b.p.width[0] if number > 2.0 * cycle else 0.0
    return b.p.delay[0] + (cycle + fraction) * b.p.period[0]


cdef inline double pulse_edges(const PulseView* b, double t) noexcept nogil:
    """How many edges have passed: an odd number is "on"."""
    cdef double period = b.p.period[0]
    cdef double delay = b.p.delay[0]
    cdef double cycle = floor((t - delay) / period)
    if reached(t, delay + (cycle + 1.0) * period):      # rounding may blur which cycle it is
        cycle += 1.0
    elif not reached(t, delay + cycle * period):
        cycle -= 1.0
    if cycle < 0.0:
        return 0.0
    return 2.0 * cycle + (2.0 if reached(t, delay + (cycle + b.p.width[0]) * period) else 1.0)


cdef inline void pulse_start(const PulseView* b, double t) noexcept nogil:
    b.z.edges[0] = pulse_edges(b, t)


cdef inline void pulse_update(const PulseView* b, double t) noexcept nogil:
    b.z.edges[0] = pulse_edges(b, t)


cdef inline void pulse_outputs(const PulseView* b, double t) noexcept nogil:
    cdef bint on = b.z.edges[0] > 2.0 * floor(0.5 * b.z.edges[0])
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.p.amplitude[i] if on else 0.0


cdef inline void pulse_crossings(const PulseView* b, double t) noexcept nogil:
    cdef double edge = pulse_edge(b, b.z.edges[0])
    b.g.edge[0] = side(reached(t, edge), t - edge)


cdef inline void pulse_jumps(const PulseView* b, double t) noexcept nogil:
    pulse_crossings(b, t)


cdef inline int time_series_interval(const double* times, int rows, double t) noexcept nogil:
    """The last row whose time is reached, by bisection; -1 if none is."""
    cdef int low = -1
    cdef int high = rows
    cdef int middle
    while high - low > 1:
        middle = (low + high) // 2
        if reached(t, times[middle]):
            low = middle
        else:
            high = middle
    return low


cdef inline int time_series_reached(const TimeSeriesView* b) noexcept nogil:
    """The interval that the time is in, from -1 before the first instant on."""
    return place_in(b.z.interval[0] + 1.0, b.n.m + 1) - 1


cdef inline void time_series_start(const TimeSeriesView* b, double t) noexcept nogil:
    b.z.interval[0] = time_series_interval(b.p.times, b.n.m, t)


cdef inline void time_series_update(const TimeSeriesView* b, double t) noexcept nogil:
    b.z.interval[0] = time_series_interval(b.p.times, b.n.m, t)


cdef inline void time_series_outputs(const TimeSeriesView* b, double t) noexcept nogil:
    cdef const double* times = b.p.times
    cdef const double* row
    cdef int n = b.n.n
    cdef int last = b.n.m - 1
    cdef int k = time_series_reached(b)
    cdef int i
    cdef double part = 0.0
    if b.p.interpolation[0] == TIME_SERIES_INTERPOLATION_LINEAR:
        while k < last and t >= times[k + 1]:           # a step may pass several rows; z knows where it began
            k += 1
        if 0 <= k < last:
            part = (t - times[k]) / (times[k + 1] - times[k])
    row = b.p.data + (k if k > 0 else 0) * n
    if part > 0.0:
        for i in range(n):
            b.y.y[i] = row[i] + part * (row[n + i] - row[i])
    else:
        for i in range(n):
            b.y.y[i] = row[i]


cdef inline void time_series_crossings(const TimeSeriesView* b, double t) noexcept nogil:
    """The next row."""
    cdef int k = time_series_reached(b) + 1
    if k < b.n.m:
        b.g.instant[0] = side(reached(t, b.p.times[k]), t - b.p.times[k])
    else:
        b.g.instant[0] = -1.0


cdef inline void time_series_jumps(const TimeSeriesView* b, double t) noexcept nogil:
    """The next row, where rows are held."""
    cdef int k = time_series_reached(b) + 1
    b.g.instant[0] = 1.0
    if b.p.interpolation[0] == TIME_SERIES_INTERPOLATION_HOLD and k < b.n.m:
        b.g.instant[0] = side(reached(t, b.p.times[k]), t - b.p.times[k])
