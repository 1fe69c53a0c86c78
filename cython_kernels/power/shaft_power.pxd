"""Kernel of the shaft power by K_Q."""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.thrust.propellers cimport advance_ratio, cubic_polynomial
from cython_kernels.views.power.shaft_power cimport ShaftPowerView


cdef inline void shaft_power_outputs(const ShaftPowerView* b, double t) noexcept nogil:
    """torque = rho D^5 K_Q(J) |n| n, power = 2 pi n torque."""
    cdef double n, d, torque
    cdef const double* coefficient
    cdef const double* advance_range
    cdef int i
    for i in range(b.n.n):
        n = b.u.speed[i]
        d = b.p.diameter[i]
        coefficient = b.p.torque_coefficient_forward if n >= 0.0 else b.p.torque_coefficient_reverse
        advance_range = b.p.advance_range_forward if n >= 0.0 else b.p.advance_range_reverse
        torque = (
            b.p.density[0] * d * d * d * d * d * n * fabs(n)
            * cubic_polynomial(coefficient, advance_ratio(n, b.u.advance_speed[i], d, advance_range))
        )
        b.y.torque[i] = torque
        b.y.power[i] = 2.0 * KB_PI * n * torque
