"""Kernels of the sampled blocks: outputs and update run at sample hits only."""

from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.views.basic.discrete cimport DelayView, DiscreteIntegratorView, UnitDelayView, ZeroOrderHoldView


cdef inline void unit_delay_outputs(const UnitDelayView* b, double t) noexcept nogil:
    """y = the sample before."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.z.x[i]


cdef inline void unit_delay_update(const UnitDelayView* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n.n):
        b.z.x[i] = b.u.u[i]


cdef inline void zero_order_hold_outputs(const ZeroOrderHoldView* b, double t) noexcept nogil:
    """y = u; the engine holds y until the next hit."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.u.u[i]


cdef inline void delay_start(const DelayView* b, double t) noexcept nogil:
    cdef int i, k
    for k in range(b.n.samples):
        for i in range(b.n.n):
            b.z.ring[k * b.n.n + i] = b.p.initial[i]
    b.z.oldest[0] = 0.0


cdef inline void delay_outputs(const DelayView* b, double t) noexcept nogil:
    """y = the oldest row."""
    cdef const double* oldest = b.z.ring + place_in(b.z.oldest[0], b.n.samples) * b.n.n
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = oldest[i]


cdef inline void delay_update(const DelayView* b, double t) noexcept nogil:
    """The newest row takes the place of the oldest."""
    cdef int place = place_in(b.z.oldest[0], b.n.samples)
    cdef int i
    for i in range(b.n.n):
        b.z.ring[place * b.n.n + i] = b.u.u[i]
    b.z.oldest[0] = place + 1 if place + 1 < b.n.samples else 0


cdef inline double discrete_integrator_share(const DiscreteIntegratorView* b) noexcept nogil:
    """By how much u[k] is weighted in y[k]: 0, T/2 or T."""
    return 0.5 * b.p.method[0] * b.p.period[0]


cdef inline void discrete_integrator_outputs(const DiscreteIntegratorView* b, double t) noexcept nogil:
    cdef double share = discrete_integrator_share(b)
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.z.x[i]
        if share != 0.0:                # the forward form has no feedthrough
            b.y.y[i] += share * b.u.u[i]


cdef inline void discrete_integrator_update(const DiscreteIntegratorView* b, double t) noexcept nogil:
    """z + T u, whatever the method: it only decides how much of the newest term y has already."""
    cdef int i
    for i in range(b.n.n):
        b.z.x[i] += b.p.period[0] * b.u.u[i]
