"""Setup of the 6-DOF vessels: the derived constants that their motion is computed from."""

from cython_kernels.dynamics.rigid_body cimport invert_mass
from cython_kernels.mathematics.matrix cimport columns_of
from cython_kernels.views.dynamics.vessel_6dof cimport RigidBody6DOFView

cdef enum:                      # their faults
    VESSEL_SINGULAR_INERTIA = 1
    VESSEL_PITCH_SINGULAR = 2


cdef inline void vessel_prepare(const RigidBody6DOFView* b, int with_damping_matrices) noexcept nogil:
    """M = M_RB + M_A and its inverse, and the matrices laid out for the loop."""
    cdef double weight = b.p.weight[0]
    cdef double buoyancy = b.p.buoyancy[0]
    cdef int i
    for i in range(36):
        b.w.mass_matrix[i] = b.p.rigid_body_inertia[i] + b.p.added_mass[i]
    if not invert_mass(b.w.mass_matrix, b.w.inverse_mass):
        b.fault[0] = VESSEL_SINGULAR_INERTIA
        return
    columns_of(b.p.rigid_body_inertia, 6, 6, b.w.rigid_body_columns)
    columns_of(b.p.added_mass, 6, 6, b.w.added_columns)
    columns_of(b.p.linear_damping, 6, 6, b.w.linear_columns)
    columns_of(b.p.quadratic_damping, 6, 6, b.w.quadratic_columns)
    columns_of(b.p.stiffness, 6, 6, b.w.stiffness_columns)
    b.w.net_weight[0] = weight - buoyancy
    for i in range(3):
        b.w.moment_arm[i] = weight * b.p.centre_of_gravity[i] - buoyancy * b.p.centre_of_buoyancy[i]
    for i in range(6):
        b.w.rest[i] = b.p.equilibrium[i]
    b.w.with_coriolis[0] = b.p.coriolis[0]
    b.w.with_stiffness[0] = b.n.stiffness_terms
    b.w.with_damping_matrices[0] = with_damping_matrices
