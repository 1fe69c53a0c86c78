"""Kernels of the sampled blocks: outputs and update run at sample hits only."""

from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.view cimport View


cdef inline void sample_update(const View* b, double t) noexcept nogil:
    """z = u."""
    cdef int i
    for i in range(b.n[0]):
        b.z[i] = b.u[0][i]


cdef inline void zero_order_hold_outputs(const View* b, double t) noexcept nogil:
    """y = u; the engine holds y until the next hit."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.u[0][i]


# delay: p = samples, initial; n = width, samples; z = ring of `samples` rows, then the number of the oldest row

cdef inline void delay_start(const View* b, double t) noexcept nogil:
    cdef int i, k
    for k in range(b.n[1]):
        for i in range(b.n[0]):
            b.z[k * b.n[0] + i] = b.p[1][i]
    b.z[b.n[1] * b.n[0]] = 0.0


cdef inline void delay_outputs(const View* b, double t) noexcept nogil:
    """y = the oldest row."""
    cdef const double* oldest = b.z + place_in(b.z[b.n[1] * b.n[0]], b.n[1]) * b.n[0]
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = oldest[i]


cdef inline void delay_update(const View* b, double t) noexcept nogil:
    """The newest row takes the place of the oldest."""
    cdef int place = place_in(b.z[b.n[1] * b.n[0]], b.n[1])
    cdef int i
    for i in range(b.n[0]):
        b.z[place * b.n[0] + i] = b.u[0][i]
    b.z[b.n[1] * b.n[0]] = place + 1 if place + 1 < b.n[1] else 0


# discrete_integrator: p = method (0 forward, 1 trapezoidal, 2 backward), period, offset; z = the sum so far

cdef inline double discrete_integrator_share(const View* b) noexcept nogil:
    """By how much u[k] is weighted in y[k]: 0, T/2 or T."""
    return 0.5 * b.p[0][0] * b.p[1][0]


cdef inline void discrete_integrator_outputs(const View* b, double t) noexcept nogil:
    cdef double share = discrete_integrator_share(b)
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.z[i]
        if share != 0.0:                # the forward form has no feedthrough
            b.y[0][i] += share * b.u[0][i]


cdef inline void discrete_integrator_update(const View* b, double t) noexcept nogil:
    """z + T u, whatever the method: it only decides how much of the newest term y has already."""
    cdef int i
    for i in range(b.n[0]):
        b.z[i] += b.p[1][0] * b.u[0][i]
