"""Kernel of the electric motor and its losses.

u = torque, speed; p = k_c, k_i, k_w, C.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.view cimport View


cdef inline void electric_motor_outputs(const View* b, double t) noexcept nogil:
    """power, copper_loss, idle_loss."""
    cdef double torque, omega, size, copper, idle
    cdef int i
    for i in range(b.n[0]):
        torque = b.u[0][i]
        omega = 2.0 * KB_PI * b.u[1][i]
        size = fabs(omega)
        copper = b.p[0][i] * torque * torque
        idle = b.p[1][i] * size + b.p[2][i] * size * size * size + b.p[3][i]
        if b.y[0] != NULL:
            b.y[0][i] = torque * omega + copper + idle
        if b.y[1] != NULL:
            b.y[1][i] = copper
        if b.y[2] != NULL:
            b.y[2][i] = idle
