"""Kernels of control blocks."""

from cython_kernels.dive_plane cimport *
from cython_kernels.dynamic_positioning cimport *
from cython_kernels.gain_schedule cimport *
from cython_kernels.motion_control cimport *
from cython_kernels.pid cimport *
from cython_kernels.sliding_mode cimport *
from cython_kernels.view cimport View


cdef inline void compose_wrench_outputs(const View* b, double t) noexcept nogil:
    """y: (X, Y, Z, K, M, N)."""
    cdef int i
    for i in range(6):
        b.y[0][i] = b.u[i][0]
