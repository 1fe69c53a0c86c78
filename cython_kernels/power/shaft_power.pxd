"""Kernel of the shaft power by K_Q.

u = speed, advance_speed; p = diameter, density, K_Q ahead and astern, advance ranges ahead and astern.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.thrust.propellers cimport advance_ratio, cubic_polynomial
from cython_kernels.view cimport View


cdef inline void shaft_power_outputs(const View* b, double t) noexcept nogil:
    """torque = rho D^5 K_Q(J) |n| n, power = 2 pi n torque."""
    cdef double n, d, torque
    cdef int i, way
    for i in range(b.n[0]):
        n = b.u[0][i]
        d = b.p[0][i]
        way = 0 if n >= 0.0 else 1
        torque = (
            b.p[1][0] * d * d * d * d * d * n * fabs(n)
            * cubic_polynomial(b.p[2 + way], advance_ratio(n, b.u[1][i], d, b.p[4 + way]))
        )
        b.y[0][i] = torque
        b.y[1][i] = 2.0 * KB_PI * n * torque
