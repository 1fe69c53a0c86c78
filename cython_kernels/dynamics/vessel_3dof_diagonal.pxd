"""Kernel of the vessel in the horizontal plane with diagonal matrices: p = m, d."""

from cython_kernels.dynamics.planar_vessel cimport planar_outputs, planar_rates
from cython_kernels.view cimport View


cdef inline void vessel_3dof_diagonal_setup(const View* b, double t) noexcept nogil:
    """1 / m."""
    cdef int i
    for i in range(3):
        b.w[i] = 1.0 / b.p[0][i]


cdef inline void vessel_3dof_diagonal_outputs(const View* b, double t) noexcept nogil:
    """With diagonal M and D."""
    planar_outputs(b, True)


cdef inline void vessel_3dof_diagonal_derivatives(const View* b, double t) noexcept nogil:
    """With diagonal M and D."""
    planar_rates(b, True)
