"""Kernels of the discontinuities: limits, dead zone, quantizer, rate limiter."""

from libc.math cimport fabs, round

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.basic.discontinuities cimport DeadZoneView, QuantizerView, RateLimiterView, SaturationView


cdef inline void saturation_outputs(const SaturationView* b, double t) noexcept nogil:
    """y = u within the limits."""
    cdef double u
    cdef int i
    for i in range(b.n.n):
        u = b.u.u[i]
        if u > b.p.upper[i]:
            u = b.p.upper[i]
        elif u < b.p.lower[i]:
            u = b.p.lower[i]
        b.y.y[i] = u


cdef inline void dead_zone_outputs(const DeadZoneView* b, double t) noexcept nogil:
    """y = u less the limit that it has passed."""
    cdef double u
    cdef int i
    for i in range(b.n.n):
        u = b.u.u[i]
        if u > b.p.upper[i]:
            b.y.y[i] = u - b.p.upper[i]
        elif u < b.p.lower[i]:
            b.y.y[i] = u - b.p.lower[i]
        else:
            b.y.y[i] = u * 0.0         # 0, unless u is no number


cdef inline void limits_passed(
    const double* u, const double* lower, const double* upper, int n, double* limits
) noexcept nogil:
    """Two of each element: u passes a limit."""
    cdef int i
    for i in range(n):
        limits[2 * i] = side(u[i] < lower[i], u[i] - lower[i])
        limits[2 * i + 1] = side(u[i] > upper[i], u[i] - upper[i])


cdef inline void saturation_crossings(const SaturationView* b, double t) noexcept nogil:
    limits_passed(b.u.u, b.p.lower, b.p.upper, b.n.n, b.g.limits)


cdef inline void dead_zone_crossings(const DeadZoneView* b, double t) noexcept nogil:
    limits_passed(b.u.u, b.p.lower, b.p.upper, b.n.n, b.g.limits)


cdef inline void quantizer_outputs(const QuantizerView* b, double t) noexcept nogil:
    """The level, which jumps at events only."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.z.level[i]


cdef inline double quantized(double u, double interval) noexcept nogil:
    return interval * round(u / interval)


cdef inline void quantizer_update(const QuantizerView* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n.n):
        b.z.level[i] = quantized(b.u.u[i], b.p.interval[i])


cdef inline void quantizer_crossings(const QuantizerView* b, double t) noexcept nogil:
    """The level changes."""
    cdef double distance
    cdef int i
    for i in range(b.n.n):
        distance = fabs(b.u.u[i] - b.z.level[i]) - 0.5 * b.p.interval[i]
        b.g.steps[i] = side(quantized(b.u.u[i], b.p.interval[i]) != b.z.level[i], distance)


cdef inline double rate_limiter_elapsed(const RateLimiterView* b, double t) noexcept nogil:
    """Since the last major step."""
    cdef double elapsed = t - b.z.time[0]
    return elapsed if elapsed > 0.0 else 0.0


cdef inline double rate_limited(const RateLimiterView* b, double elapsed, int i) noexcept nogil:
    return b.z.output[i] + clamp(b.u.u[i] - b.z.output[i], -b.p.falling[i] * elapsed, b.p.rising[i] * elapsed)


cdef inline void rate_limiter_start(const RateLimiterView* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n.n):
        b.z.output[i] = b.p.initial_output[i]
        b.z.lagging[i] = 0.0
    b.z.time[0] = t


cdef inline void rate_limiter_outputs(const RateLimiterView* b, double t) noexcept nogil:
    cdef double elapsed = rate_limiter_elapsed(b, t)
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = rate_limited(b, elapsed, i)


cdef inline void rate_limiter_update(const RateLimiterView* b, double t) noexcept nogil:
    """Once t has been taken over, no time has elapsed: a second call changes nothing."""
    cdef double elapsed = rate_limiter_elapsed(b, t)
    cdef int i
    for i in range(b.n.n):
        b.z.output[i] = rate_limited(b, elapsed, i)
        b.z.lagging[i] = <double>(b.u.u[i] > b.z.output[i]) - <double>(b.u.u[i] < b.z.output[i])
    b.z.time[0] = t


cdef inline void rate_limiter_crossings(const RateLimiterView* b, double t) noexcept nogil:
    """The output catches up with the input."""
    cdef double elapsed = rate_limiter_elapsed(b, t)
    cdef double gap
    cdef int i
    for i in range(b.n.n):
        gap = b.z.lagging[i] * (b.u.u[i] - rate_limited(b, elapsed, i))
        b.g.gap[i] = side(b.z.lagging[i] != 0.0 and gap <= 0.0, gap)
