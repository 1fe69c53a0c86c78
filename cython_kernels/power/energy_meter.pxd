"""Kernel of the energy meter."""

from cython_kernels.view cimport View


cdef inline void energy_meter_outputs(const View* b, double t) noexcept nogil:
    """Sum of the powers, and the energy so far."""
    cdef double total = 0.0
    cdef int i
    if b.y[0] != NULL:
        for i in range(b.n[0]):
            total += b.u[0][i]
        b.y[0][0] = total
    if b.y[1] != NULL:
        b.y[1][0] = b.x[0]


cdef inline void energy_meter_derivatives(const View* b, double t) noexcept nogil:
    """dE/dt = sum of the powers."""
    cdef double total = 0.0
    cdef int i
    for i in range(b.n[0]):
        total += b.u[0][i]
    b.dx[0] = total
