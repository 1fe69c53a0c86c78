"""Kernel of the shaft power by a table.

u = speed; p = speeds, torques; n = shafts, points.
"""

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.tables cimport table_value
from cython_kernels.view cimport View


cdef inline void shaft_power_table_outputs(const View* b, double t) noexcept nogil:
    """torque from the table, power = 2 pi n torque."""
    cdef double torque
    cdef int i
    for i in range(b.n[0]):
        torque = table_value(b.p[0], b.p[1], b.n[1], b.u[0][i], True)
        b.y[0][i] = torque
        b.y[1][i] = 2.0 * KB_PI * b.u[0][i] * torque
