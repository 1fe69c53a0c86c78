"""Kernel of the electric drive: power electronics by their efficiency.

u = load; p = rated_power, load_points, efficiency, idle_power, regeneration; n = drives, points.
"""

from cython_kernels.mathematics.tables cimport table_value
from cython_kernels.view cimport View


cdef inline void electric_drive_outputs(const View* b, double t) noexcept nogil:
    """power, loss."""
    cdef double load, power
    cdef int i
    for i in range(b.n[0]):
        load = b.u[0][i]
        if load < 0.0:
            power = load * b.p[4][i]
        else:
            power = load / table_value(b.p[1], b.p[2], b.n[1], load / b.p[0][i], True)
        power += b.p[3][i]
        b.y[0][i] = power
        b.y[1][i] = power - load
