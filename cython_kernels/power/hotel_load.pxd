"""Kernel of the hotel load.

u = on; p = consumption.
"""

from cython_kernels.view cimport View


cdef inline void hotel_load_outputs(const View* b, double t) noexcept nogil:
    """power = on P_i."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.u[0][0] * b.p[0][i]
