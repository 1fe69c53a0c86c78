"""Kernel of the 6-DOF vessel with six damping matrices: what it has beyond that of the 6-DOF vessel."""

from cython_kernels.dynamics.vessel_6dof cimport vessel_quaternion_start
from cython_kernels.dynamics.vessel_6dof_setup cimport (
    VESSEL_W_CROSSED, VESSEL_W_MATRICES, VESSEL_W_QUADRATIC, vessel_6dof_setup,
)
from cython_kernels.mathematics.matrix cimport columns_of
from cython_kernels.view cimport View

cdef enum:                      # further ones of the vessel with six damping matrices
    VESSEL_DAMPING_MATRICES = 13
    VESSEL_COMPLEX_INITIAL_ETA = 14
    VESSEL_COMPLEX_INITIAL_NU = 15


cdef inline void vessel_6dof_complex_setup(const View* b, double t) noexcept nogil:
    """Also D_i, with column i of D_q in column i: (sum |nu_i| D_i) nu then has D_q (|nu| o nu) in it at no cost."""
    cdef double* matrices = b.w + VESSEL_W_MATRICES
    cdef int i, j
    vessel_6dof_setup(b, t)
    b.w[VESSEL_W_CROSSED] = 1.0
    for i in range(6):
        columns_of(b.p[VESSEL_DAMPING_MATRICES] + 36 * i, 6, 6, matrices + 36 * i)
        for j in range(6):
            matrices[36 * i + 6 * i + j] += b.w[VESSEL_W_QUADRATIC + 6 * i + j]


cdef inline void vessel_6dof_complex_quaternion_start(const View* b, double t) noexcept nogil:
    """Where its initial values are with damping matrices."""
    vessel_quaternion_start(b, b.p[VESSEL_COMPLEX_INITIAL_ETA], b.p[VESSEL_COMPLEX_INITIAL_NU])
