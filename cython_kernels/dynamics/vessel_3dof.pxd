"""Kernel of the vessel in the horizontal plane with full matrices.

p = mass, yaw_inertia, centre_of_gravity, added_mass, linear_damping, nonlinear_damping.
"""

from cython_kernels.dynamics.planar_vessel cimport PLANAR_W_INVERSE, PLANAR_W_MASS, planar_outputs, planar_rates
from cython_kernels.mathematics.matrix cimport invert_matrix
from cython_kernels.view cimport View

cdef enum:                      # its faults
    PLANAR_SINGULAR_INERTIA = 1


cdef inline void vessel_3dof_setup(const View* b, double t) noexcept nogil:
    """M = M_RB + M_A and its inverse, M_RB from mass, centre of gravity and yaw inertia about the body origin."""
    cdef double mass = b.p[0][0]
    cdef double yaw_inertia = b.p[1][0]
    cdef const double* centre = b.p[2]
    cdef const double* added = b.p[3]
    cdef double* m = b.w + PLANAR_W_MASS
    cdef int i
    for i in range(9):
        m[i] = added[i]
    m[0] += mass
    m[4] += mass
    m[8] += yaw_inertia
    m[2] -= mass * centre[1]
    m[6] -= mass * centre[1]
    m[5] += mass * centre[0]
    m[7] += mass * centre[0]
    if not invert_matrix(m, 3, b.w + PLANAR_W_INVERSE):
        b.fault[0] = PLANAR_SINGULAR_INERTIA


cdef inline void vessel_3dof_outputs(const View* b, double t) noexcept nogil:
    """With full M and D."""
    planar_outputs(b, False)


cdef inline void vessel_3dof_derivatives(const View* b, double t) noexcept nogil:
    """With full M and D."""
    planar_rates(b, False)
