"""Kernel that puts a wrench together."""

from cython_kernels.view cimport View


cdef inline void compose_wrench_outputs(const View* b, double t) noexcept nogil:
    """y: (X, Y, Z, K, M, N)."""
    cdef int i
    for i in range(6):
        b.y[0][i] = b.u[i][0]
