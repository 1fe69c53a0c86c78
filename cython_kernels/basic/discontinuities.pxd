"""Kernels of the discontinuities: limits, dead zone, quantizer, rate limiter."""

from libc.math cimport fabs, round

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.view cimport View


# saturation and dead zone: p = lower, upper; two crossings per element

cdef inline void saturation_outputs(const View* b, double t) noexcept nogil:
    """y = u within the limits."""
    cdef double u
    cdef int i
    for i in range(b.n[0]):
        u = b.u[0][i]
        if u > b.p[1][i]:
            u = b.p[1][i]
        elif u < b.p[0][i]:
            u = b.p[0][i]
        b.y[0][i] = u


cdef inline void dead_zone_outputs(const View* b, double t) noexcept nogil:
    """y = u less the limit that it has passed."""
    cdef double u
    cdef int i
    for i in range(b.n[0]):
        u = b.u[0][i]
        if u > b.p[1][i]:
            b.y[0][i] = u - b.p[1][i]
        elif u < b.p[0][i]:
            b.y[0][i] = u - b.p[0][i]
        else:
            b.y[0][i] = u * 0.0         # 0, unless u is no number


cdef inline void limits_crossings(const View* b, double t) noexcept nogil:
    """u passes a limit."""
    cdef double u
    cdef int i
    for i in range(b.n[0]):
        u = b.u[0][i]
        b.g[2 * i] = side(u < b.p[0][i], u - b.p[0][i])
        b.g[2 * i + 1] = side(u > b.p[1][i], u - b.p[1][i])


# quantizer: p = interval; z = y

cdef inline double quantized(double u, double interval) noexcept nogil:
    return interval * round(u / interval)


cdef inline void quantizer_update(const View* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n[0]):
        b.z[i] = quantized(b.u[0][i], b.p[0][i])


cdef inline void quantizer_crossings(const View* b, double t) noexcept nogil:
    """The level changes."""
    cdef int i
    for i in range(b.n[0]):
        b.g[i] = side(quantized(b.u[0][i], b.p[0][i]) != b.z[i], fabs(b.u[0][i] - b.z[i]) - 0.5 * b.p[0][i])


# rate_limiter: p = rising, falling, initial_output
# z = output at the last major step; 1 or -1 where it lags behind a higher or lower input; time of that step

cdef inline double rate_limiter_elapsed(const View* b, double t) noexcept nogil:
    """Since the last major step."""
    cdef double elapsed = t - b.z[2 * b.n[0]]
    return elapsed if elapsed > 0.0 else 0.0


cdef inline double rate_limited(const View* b, double elapsed, int i) noexcept nogil:
    return b.z[i] + clamp(b.u[0][i] - b.z[i], -b.p[1][i] * elapsed, b.p[0][i] * elapsed)


cdef inline void rate_limiter_start(const View* b, double t) noexcept nogil:
    cdef int n = b.n[0]
    cdef int i
    for i in range(n):
        b.z[i] = b.p[2][i]
        b.z[n + i] = 0.0
    b.z[2 * n] = t


cdef inline void rate_limiter_outputs(const View* b, double t) noexcept nogil:
    cdef double elapsed = rate_limiter_elapsed(b, t)
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = rate_limited(b, elapsed, i)


cdef inline void rate_limiter_update(const View* b, double t) noexcept nogil:
    """Once t has been taken over, no time has elapsed: a second call changes nothing."""
    cdef double elapsed = rate_limiter_elapsed(b, t)
    cdef int n = b.n[0]
    cdef int i
    for i in range(n):
        b.z[i] = rate_limited(b, elapsed, i)
        b.z[n + i] = <double>(b.u[0][i] > b.z[i]) - <double>(b.u[0][i] < b.z[i])
    b.z[2 * n] = t


cdef inline void rate_limiter_crossings(const View* b, double t) noexcept nogil:
    """The output catches up with the input."""
    cdef double elapsed = rate_limiter_elapsed(b, t)
    cdef double gap
    cdef int i
    for i in range(b.n[0]):
        gap = b.z[b.n[0] + i] * (b.u[0][i] - rate_limited(b, elapsed, i))
        b.g[i] = side(b.z[b.n[0] + i] != 0.0 and gap <= 0.0, gap)
