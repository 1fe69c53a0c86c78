"""Kernels of the 6-DOF vessel with six damping matrices: what they have beyond those of the 6-DOF vessel."""

from cython_kernels.dynamics.vessel_6dof cimport (
    vessel_euler_derivatives, vessel_euler_outputs, vessel_quaternion_derivatives, vessel_quaternion_outputs,
    vessel_quaternion_start, vessel_velocity_derivatives, vessel_velocity_outputs,
)
from cython_kernels.dynamics.vessel_6dof_setup cimport vessel_prepare
from cython_kernels.mathematics.matrix cimport columns_of
from cython_kernels.views.dynamics.vessel_6dof cimport (
    ComplexVessel6DOFView, RigidBody6DOFView, complex_vessel_6dof_as_rigid_body_6dof,
)


cdef inline void complex_vessel_prepare(const ComplexVessel6DOFView* b) noexcept nogil:
    """Also D_i, with column i of D_q in column i: (sum |nu_i| D_i) nu then has D_q (|nu| o nu) in it at no cost."""
    cdef RigidBody6DOFView body = complex_vessel_6dof_as_rigid_body_6dof(b)
    cdef double* columns = b.w.damping_columns
    cdef int i, j
    vessel_prepare(&body, 1 + 2 * b.n.derivative_terms + 4 * b.n.fading_terms)
    for i in range(6):
        columns_of(b.p.damping_matrices + 36 * i, 6, 6, columns + 36 * i)
        for j in range(6):
            columns[36 * i + 6 * i + j] += b.w.quadratic_columns[6 * i + j]
        columns[342 + i] = b.p.linear_fading[i]
    columns_of(b.p.derivatives, 6, 21, columns + 216)
    for i in range(216, 342):
        columns[i] = -columns[i]


cdef inline void vessel_6dof_complex_euler_setup(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Attitude as Euler angles."""
    complex_vessel_prepare(b)


cdef inline void vessel_6dof_complex_euler_outputs(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Attitude as Euler angles."""
    cdef RigidBody6DOFView body = complex_vessel_6dof_as_rigid_body_6dof(b)
    vessel_euler_outputs(&body, b.w.damping_columns)


cdef inline void vessel_6dof_complex_euler_derivatives(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Attitude as Euler angles."""
    cdef RigidBody6DOFView body = complex_vessel_6dof_as_rigid_body_6dof(b)
    vessel_euler_derivatives(&body, b.w.damping_columns)


cdef inline void vessel_6dof_complex_quaternion_setup(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    complex_vessel_prepare(b)


cdef inline void vessel_6dof_complex_quaternion_start(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    vessel_quaternion_start(<double*>b.x, b.p.initial_eta, b.p.initial_nu)


cdef inline void vessel_6dof_complex_quaternion_outputs(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    cdef RigidBody6DOFView body = complex_vessel_6dof_as_rigid_body_6dof(b)
    vessel_quaternion_outputs(&body, b.w.damping_columns)


cdef inline void vessel_6dof_complex_quaternion_derivatives(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    cdef RigidBody6DOFView body = complex_vessel_6dof_as_rigid_body_6dof(b)
    vessel_quaternion_derivatives(&body, b.w.damping_columns)


cdef inline void vessel_6dof_complex_velocity_setup(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Pose as an input."""
    complex_vessel_prepare(b)


cdef inline void vessel_6dof_complex_velocity_outputs(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Pose as an input."""
    cdef RigidBody6DOFView body = complex_vessel_6dof_as_rigid_body_6dof(b)
    vessel_velocity_outputs(&body, b.w.damping_columns)


cdef inline void vessel_6dof_complex_velocity_derivatives(const ComplexVessel6DOFView* b, double t) noexcept nogil:
    """Pose as an input."""
    cdef RigidBody6DOFView body = complex_vessel_6dof_as_rigid_body_6dof(b)
    vessel_velocity_derivatives(&body, b.w.damping_columns)
