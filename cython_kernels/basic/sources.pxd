"""Kernels of the sources: signals that depend on time alone.

What jumps in time holds its level as a mode in z, so that a solver's step up to the jump does not see beyond it, and
tells when it next jumps, so that a step ends there.
"""

from libc.math cimport floor, sin

from cython_kernels.mathematics.events cimport reached, side
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.view cimport View


cdef inline void constant_outputs(const View* b, double t) noexcept nogil:
    """y = c."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.p[0][i]


cdef inline void clock_outputs(const View* b, double t) noexcept nogil:
    """y = t."""
    b.y[0][0] = t


# step: p = time, before, after; z = 1 once the time is reached

cdef inline void step_update(const View* b, double t) noexcept nogil:
    """Also the start."""
    b.z[0] = reached(t, b.p[0][0])


cdef inline void step_outputs(const View* b, double t) noexcept nogil:
    cdef const double* level = b.p[2] if b.z[0] != 0.0 else b.p[1]
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = level[i]


cdef inline void step_crossings(const View* b, double t) noexcept nogil:
    b.g[0] = side(reached(t, b.p[0][0]), t - b.p[0][0])


# ramp: p = slope, start_time, offset

cdef inline void ramp_outputs(const View* b, double t) noexcept nogil:
    """y = offset + slope max(0, t - start)."""
    cdef double elapsed = t - b.p[1][0]
    cdef int i
    if elapsed < 0.0:
        elapsed = 0.0
    for i in range(b.n[0]):
        b.y[0][i] = b.p[2][i] + b.p[0][i] * elapsed


cdef inline void ramp_crossings(const View* b, double t) noexcept nogil:
    b.g[0] = side(t >= b.p[1][0], t - b.p[1][0])


cdef inline void sine_outputs(const View* b, double t) noexcept nogil:
    """y = offset + A sin(omega t + phi); p = amplitude, frequency, phase, offset."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.p[3][i] + b.p[0][i] * sin(b.p[1][i] * t + b.p[2][i])


# pulse: p = amplitude, period, width, delay; z = how many edges have passed, so an odd number is "on"

cdef inline double pulse_edge(const View* b, double number) noexcept nogil:
    """The time of an edge: even numbers (from 0) rise, odd ones fall."""
    cdef double cycle = floor(0.5 * number)
    cdef double fraction = b.p[2][0] if number > 2.0 * cycle else 0.0
    return b.p[3][0] + (cycle + fraction) * b.p[1][0]


cdef inline void pulse_update(const View* b, double t) noexcept nogil:
    """Also the start."""
    cdef double period = b.p[1][0]
    cdef double delay = b.p[3][0]
    cdef double cycle = floor((t - delay) / period)
    if reached(t, delay + (cycle + 1.0) * period):      # rounding may blur which cycle it is
        cycle += 1.0
    elif not reached(t, delay + cycle * period):
        cycle -= 1.0
    if cycle < 0.0:
        b.z[0] = 0.0
    else:
        b.z[0] = 2.0 * cycle + (2.0 if reached(t, delay + (cycle + b.p[2][0]) * period) else 1.0)


cdef inline void pulse_outputs(const View* b, double t) noexcept nogil:
    cdef bint on = b.z[0] > 2.0 * floor(0.5 * b.z[0])
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.p[0][i] if on else 0.0


cdef inline void pulse_crossings(const View* b, double t) noexcept nogil:
    cdef double edge = pulse_edge(b, b.z[0])
    b.g[0] = side(reached(t, edge), t - edge)


# time_series: p = times, values, interpolation (0 linear, 1 hold); n = width, rows; z = the interval that t is in, from
# -1 before the first time to rows - 1 from the last one on

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


cdef inline int time_series_reached(const View* b) noexcept nogil:
    """The interval in z."""
    return place_in(b.z[0] + 1.0, b.n[1] + 1) - 1


cdef inline void time_series_update(const View* b, double t) noexcept nogil:
    """Also the start."""
    b.z[0] = time_series_interval(b.p[0], b.n[1], t)


cdef inline void time_series_outputs(const View* b, double t) noexcept nogil:
    cdef const double* times = b.p[0]
    cdef const double* row
    cdef int n = b.n[0]
    cdef int last = b.n[1] - 1
    cdef int k = time_series_reached(b)
    cdef int i
    cdef double part = 0.0
    if b.p[2][0] == 0.0:
        while k < last and t >= times[k + 1]:           # a step may pass several rows; z knows where it began
            k += 1
        if 0 <= k < last:
            part = (t - times[k]) / (times[k + 1] - times[k])
    row = b.p[1] + (k if k > 0 else 0) * n
    if part > 0.0:
        for i in range(n):
            b.y[0][i] = row[i] + part * (row[n + i] - row[i])
    else:
        for i in range(n):
            b.y[0][i] = row[i]


cdef inline void time_series_crossings(const View* b, double t) noexcept nogil:
    """The next row."""
    cdef int k = time_series_reached(b) + 1
    if k < b.n[1]:
        b.g[0] = side(reached(t, b.p[0][k]), t - b.p[0][k])
    else:
        b.g[0] = -1.0


cdef inline void time_series_jumps(const View* b, double t) noexcept nogil:
    """The next row, where rows are held."""
    cdef int k = time_series_reached(b) + 1
    b.g[0] = 1.0
    if b.p[2][0] != 0.0 and k < b.n[1]:
        b.g[0] = side(reached(t, b.p[0][k]), t - b.p[0][k])
