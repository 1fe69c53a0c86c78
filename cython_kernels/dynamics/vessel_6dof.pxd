"""Kernels of the 6-DOF vessel: one for each way to hold the attitude, sharing everything but the kinematics.

The vessel with six damping matrices shares them too; without these `matrices` is NULL.
"""

from cython_kernels.dynamics.cross_flow cimport Strips, divide_into_strips, strip_drag
from cython_kernels.dynamics.rigid_body cimport (
    add_coriolis, crossed_damping_force, damping_force, relative_velocity, restoring_force,
)
from cython_kernels.dynamics.vessel_6dof_setup cimport VESSEL_PITCH_SINGULAR, vessel_prepare
from cython_kernels.mathematics.frames cimport (
    body_to_ned, cross_product, euler_from_rotation, euler_rates, length_of, quaternion_from_euler, quaternion_rates,
    rotation_from_euler, rotation_from_quaternion, wrap_angle,
)
from cython_kernels.mathematics.matrix cimport columns6_times
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.dynamics.vessel_6dof cimport RigidBody6DOFView, Vessel6DOFView


cdef inline void vessel_damping(
    const RigidBody6DOFView* b, const double* matrices, const double* nu_r, double* force
) noexcept nogil:
    """f_d from linear and quadratic damping, or from six matrices, and across the flow if there are strips for that."""
    cdef Strips strips
    cdef double across, moment
    if b.w.with_damping_matrices[0] == 0.0:
        damping_force(b.w.linear_columns, b.w.quadratic_columns, nu_r, force)
    else:
        crossed_damping_force(b.w.linear_columns, matrices, <int>b.w.with_damping_matrices[0], nu_r, force)
    if b.p.cross_flow_length[0] > 0.0:
        divide_into_strips(
            b.n.strips, b.p.cross_flow_length[0], b.p.cross_flow_middle[0], b.p.cross_flow_density[0], &strips
        )
        strip_drag(
            &strips, b.p.cross_flow_sway_coefficient, b.p.cross_flow_draught, nu_r[1], nu_r[5], &across, &moment
        )
        force[1] += across
        force[5] += moment
        strip_drag(
            &strips, b.p.cross_flow_heave_coefficient, b.p.cross_flow_breadth, nu_r[2], -nu_r[4], &across, &moment
        )
        force[2] += across
        force[4] -= moment


cdef inline void vessel_restoring(
    const RigidBody6DOFView* b, const double* rotation, const double* position, const double* angles, double* force
) noexcept nogil:
    """f_h from weight and buoyancy, and G e if there is a stiffness. `angles` may be NULL: they are found then.

    e = (R(psi)' (x, y), z, phi, theta, psi), each less its value at equilibrium: vessel-parallel coordinates.
    """
    cdef const double* rest = b.w.rest
    cdef double found[3]
    cdef double offset[6]
    cdef double second[6]
    cdef double x, y, s, c, level
    cdef int i
    restoring_force(rotation, b.w.net_weight[0], b.w.moment_arm, force)
    if b.w.with_stiffness[0] == 0.0:
        return
    if angles == NULL:
        euler_from_rotation(rotation, found)
        level = length_of(rotation[0], rotation[3])
        c = rotation[0] / level if level > 0.0 else 1.0
        s = rotation[3] / level if level > 0.0 else 0.0
    else:
        for i in range(3):
            found[i] = angles[i]
        sine_cosine(found[2], &s, &c)
    x = position[0] - rest[0]
    y = position[1] - rest[1]
    offset[0] = c * x + s * y
    offset[1] = c * y - s * x
    offset[2] = position[2] - rest[2]
    offset[3] = found[0] - rest[3]
    offset[4] = found[1] - rest[4]
    offset[5] = wrap_angle(found[2] - rest[5])
    columns6_times(b.w.stiffness_columns, offset, second)
    for i in range(6):
        force[i] += second[i]


cdef inline void vessel_coriolis(
    const RigidBody6DOFView* b, const double* nu, const double* nu_r, const double* current_body, double* force
) noexcept nogil:
    """f_c = C_RB(nu) nu + C_A(nu_r) nu_r - M_A dnu_c/dt, with dnu_c/dt = (-omega x v_c, 0) in body axes.

    The last term belongs here: added mass acts on the acceleration relative to the water, and a steady current turns
    in turning body axes.
    """
    cdef const double* added = b.w.added_columns
    cdef double turned[3]
    cdef int i
    for i in range(6):
        force[i] = 0.0
    if b.w.with_coriolis[0] == 0.0:
        return
    cross_product(nu + 3, current_body, turned)
    for i in range(6):
        force[i] = added[i] * turned[0] + added[6 + i] * turned[1] + added[12 + i] * turned[2]
    add_coriolis(b.w.rigid_body_columns, nu, force)
    add_coriolis(added, nu_r, force)


cdef inline void vessel_solve(
    const RigidBody6DOFView* b, const double* f_c, const double* f_d, const double* f_h, double* acceleration
) noexcept nogil:
    """dnu/dt = (M_RB + M_A)^-1 (tau + tau_d - f_c - f_d - f_h)."""
    cdef double total[6]
    cdef int i
    for i in range(6):
        total[i] = b.u.force[i] + b.u.disturbance[i] - f_c[i] - f_d[i] - f_h[i]
    columns6_times(b.w.inverse_mass, total, acceleration)


cdef inline void vessel_acceleration(
    const RigidBody6DOFView* b, const double* matrices, const double* rotation, const double* position,
    const double* angles, const double* nu, double* acceleration,
) noexcept nogil:
    """dnu/dt at this position, attitude and velocity."""
    cdef double current_body[3]
    cdef double nu_r[6]
    cdef double f_c[6]
    cdef double f_d[6]
    cdef double f_h[6]
    relative_velocity(rotation, nu, b.u.current, current_body, nu_r)
    vessel_coriolis(b, nu, nu_r, current_body, f_c)
    vessel_damping(b, matrices, nu_r, f_d)
    vessel_restoring(b, rotation, position, angles, f_h)
    vessel_solve(b, f_c, f_d, f_h, acceleration)


cdef inline void vessel_force_outputs(
    const RigidBody6DOFView* b, const double* matrices, const double* rotation, const double* position,
    const double* angles, const double* nu,
) noexcept nogil:
    """nu_r, acceleration and the forces, those of them that are wanted; nu is a state."""
    cdef double current_body[3]
    cdef double own[24]         # for what is needed, but not wanted
    cdef double* nu_r = b.y.nu_r if b.y.nu_r != NULL else own
    cdef double* f_h = b.y.restoring_force if b.y.restoring_force != NULL else own + 6
    cdef double* f_d = b.y.damping_force if b.y.damping_force != NULL else own + 12
    cdef double* f_c = b.y.coriolis_force if b.y.coriolis_force != NULL else own + 18
    cdef bint accelerates = b.y.acceleration != NULL      # only then does force have to be there already
    if accelerates or b.y.restoring_force != NULL:
        vessel_restoring(b, rotation, position, angles, f_h)
    if not (accelerates or b.y.nu_r != NULL or b.y.damping_force != NULL or b.y.coriolis_force != NULL):
        return
    relative_velocity(rotation, nu, b.u.current, current_body, nu_r)
    if accelerates or b.y.damping_force != NULL:
        vessel_damping(b, matrices, nu_r, f_d)
    if accelerates or b.y.coriolis_force != NULL:
        vessel_coriolis(b, nu, nu_r, current_body, f_c)
    if accelerates:
        vessel_solve(b, f_c, f_d, f_h, b.y.acceleration)


cdef inline bint vessel_needs_rotation(const RigidBody6DOFView* b) noexcept nogil:
    """True if one of them is wanted in this call."""
    return (
        b.y.nu_r != NULL or b.y.acceleration != NULL or b.y.restoring_force != NULL or b.y.damping_force != NULL
        or b.y.coriolis_force != NULL
    )


# Attitude as Euler angles: x = eta, nu

cdef inline void vessel_euler_outputs(const RigidBody6DOFView* b, const double* matrices) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef const double* eta = b.x
    cdef const double* nu = b.x + 6
    cdef double rotation[9]
    if vessel_needs_rotation(b):
        rotation_from_euler(eta + 3, rotation)
        vessel_force_outputs(b, matrices, rotation, eta, eta + 3, nu)


cdef inline void vessel_euler_derivatives(const RigidBody6DOFView* b, const double* matrices) noexcept nogil:
    """deta/dt = (R v, T(Theta) omega) and dnu/dt. Pitch at or beyond +-90 degrees is a fault."""
    cdef const double* eta = b.x
    cdef const double* nu = b.x + 6
    cdef double rotation[9]
    cdef double cos_theta = rotation_from_euler(eta + 3, rotation)
    if cos_theta <= 1e-6:
        b.fault[0] = VESSEL_PITCH_SINGULAR
        return
    body_to_ned(rotation, nu, b.dx)
    euler_rates(rotation, cos_theta, nu + 3, b.dx + 3)
    vessel_acceleration(b, matrices, rotation, eta, eta + 3, nu, b.dx + 6)


# Attitude as a quaternion: x = position, quaternion, nu

cdef inline void vessel_quaternion_start(double* x, const double* eta, const double* nu) noexcept nogil:
    """Position, quaternion and velocity from the initial values of eta and nu."""
    cdef int i
    for i in range(3):
        x[i] = eta[i]
    quaternion_from_euler(eta + 3, x + 3)
    for i in range(6):
        x[7 + i] = nu[i]


cdef inline void vessel_quaternion_outputs(const RigidBody6DOFView* b, const double* matrices) noexcept nogil:
    """eta with the Euler angles of the quaternion, then as for Euler angles."""
    cdef const double* position = b.x
    cdef const double* quaternion = b.x + 3
    cdef const double* nu = b.x + 7
    cdef double rotation[9]
    cdef int i
    if b.y.eta == NULL and not vessel_needs_rotation(b):
        return
    rotation_from_quaternion(quaternion, rotation)
    if b.y.eta != NULL:
        for i in range(3):
            b.y.eta[i] = position[i]
        euler_from_rotation(rotation, b.y.eta + 3)
    vessel_force_outputs(b, matrices, rotation, position, NULL, nu)


cdef inline void vessel_quaternion_derivatives(const RigidBody6DOFView* b, const double* matrices) noexcept nogil:
    """dp/dt = R v, dq/dt = T(q) omega and dnu/dt."""
    cdef const double* position = b.x
    cdef const double* quaternion = b.x + 3
    cdef const double* nu = b.x + 7
    cdef double rotation[9]
    rotation_from_quaternion(quaternion, rotation)
    body_to_ned(rotation, nu, b.dx)
    quaternion_rates(quaternion, nu + 3, b.dx + 3)
    vessel_acceleration(b, matrices, rotation, position, NULL, nu, b.dx + 7)


# Pose as an input: x = nu

cdef inline void vessel_velocity_outputs(const RigidBody6DOFView* b, const double* matrices) noexcept nogil:
    """eta as it comes in, then as for Euler angles."""
    cdef const double* pose = b.u.pose
    cdef double rotation[9]
    cdef int i
    if b.y.eta != NULL:
        for i in range(6):
            b.y.eta[i] = pose[i]
    if vessel_needs_rotation(b):
        rotation_from_euler(pose + 3, rotation)
        vessel_force_outputs(b, matrices, rotation, pose, pose + 3, b.x)


cdef inline void vessel_velocity_derivatives(const RigidBody6DOFView* b, const double* matrices) noexcept nogil:
    """dnu/dt."""
    cdef const double* pose = b.u.pose
    cdef double rotation[9]
    rotation_from_euler(pose + 3, rotation)
    vessel_acceleration(b, matrices, rotation, pose, pose + 3, b.x, b.dx)


# The kernels without damping matrices

cdef inline void vessel_6dof_euler_setup(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Attitude as Euler angles."""
    vessel_prepare(b, False)


cdef inline void vessel_6dof_euler_outputs(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Attitude as Euler angles."""
    vessel_euler_outputs(b, NULL)


cdef inline void vessel_6dof_euler_derivatives(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Attitude as Euler angles."""
    vessel_euler_derivatives(b, NULL)


cdef inline void vessel_6dof_quaternion_setup(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    vessel_prepare(b, False)


cdef inline void vessel_6dof_quaternion_start(const Vessel6DOFView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    vessel_quaternion_start(<double*>b.x, b.p.initial_eta, b.p.initial_nu)


cdef inline void vessel_6dof_quaternion_outputs(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    vessel_quaternion_outputs(b, NULL)


cdef inline void vessel_6dof_quaternion_derivatives(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Attitude as a quaternion."""
    vessel_quaternion_derivatives(b, NULL)


cdef inline void vessel_6dof_velocity_setup(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Pose as an input."""
    vessel_prepare(b, False)


cdef inline void vessel_6dof_velocity_outputs(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Pose as an input."""
    vessel_velocity_outputs(b, NULL)


cdef inline void vessel_6dof_velocity_derivatives(const RigidBody6DOFView* b, double t) noexcept nogil:
    """Pose as an input."""
    vessel_velocity_derivatives(b, NULL)
