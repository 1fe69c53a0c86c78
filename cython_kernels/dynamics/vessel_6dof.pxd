"""Kernels of the 6-DOF vessel: one for each way to hold the attitude, sharing everything but the kinematics.

Whatever fills the derived constants of `vessel_6dof_setup` can use them; besides them only ports and states are read.
"""

from cython_kernels.dynamics.rigid_body cimport (
    add_coriolis, crossed_damping_force, damping_force, relative_velocity, restoring_force,
)
from cython_kernels.dynamics.vessel_6dof_setup cimport (
    VESSEL_INITIAL_ETA, VESSEL_INITIAL_NU, VESSEL_PITCH_SINGULAR, VESSEL_W_ADDED, VESSEL_W_ARM, VESSEL_W_CORIOLIS,
    VESSEL_W_CROSSED, VESSEL_W_EQUILIBRIUM, VESSEL_W_INVERSE, VESSEL_W_LINEAR, VESSEL_W_MATRICES, VESSEL_W_NET_WEIGHT,
    VESSEL_W_QUADRATIC, VESSEL_W_RIGID_BODY, VESSEL_W_STIFF, VESSEL_W_STIFFNESS,
)
from cython_kernels.mathematics.frames cimport (
    body_to_ned, cross_product, euler_from_rotation, euler_rates, length_of, quaternion_from_euler, quaternion_rates,
    rotation_from_euler, rotation_from_quaternion, wrap_angle,
)
from cython_kernels.mathematics.matrix cimport columns6_times
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View


cdef inline void vessel_damping(const View* b, const double* nu_r, double* force) noexcept nogil:
    """f_d from linear and quadratic damping, or from six matrices."""
    if b.w[VESSEL_W_CROSSED] == 0.0:
        damping_force(b.w + VESSEL_W_LINEAR, b.w + VESSEL_W_QUADRATIC, nu_r, force)
    else:
        crossed_damping_force(b.w + VESSEL_W_LINEAR, b.w + VESSEL_W_MATRICES, nu_r, force)


cdef inline void vessel_restoring(
    const View* b, const double* rotation, const double* position, const double* angles, double* force
) noexcept nogil:
    """f_h from weight and buoyancy, and G e if there is a stiffness. `angles` may be NULL: they are found then.

    e = (R(psi)' (x, y), z, phi, theta, psi), each less its value at equilibrium: vessel-parallel coordinates.
    """
    cdef const double* stiffness = b.w + VESSEL_W_STIFFNESS
    cdef const double* rest = b.w + VESSEL_W_EQUILIBRIUM
    cdef double found[3]
    cdef double offset[6]
    cdef double second[6]
    cdef double x, y, s, c, level
    cdef int i
    restoring_force(rotation, b.w[VESSEL_W_NET_WEIGHT], b.w + VESSEL_W_ARM, force)
    if b.w[VESSEL_W_STIFF] == 0.0:
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
    columns6_times(stiffness, offset, second)
    for i in range(6):
        force[i] += second[i]


cdef inline void vessel_coriolis(
    const View* b, const double* nu, const double* nu_r, const double* current_body, double* force
) noexcept nogil:
    """f_c = C_RB(nu) nu + C_A(nu_r) nu_r - M_A dnu_c/dt, with dnu_c/dt = (-omega x v_c, 0) in body axes.

    The last term belongs here: added mass acts on the acceleration relative to the water, and a steady current turns
    in turning body axes.
    """
    cdef const double* added = b.w + VESSEL_W_ADDED
    cdef double turned[3]
    cdef int i
    for i in range(6):
        force[i] = 0.0
    if b.w[VESSEL_W_CORIOLIS] == 0.0:
        return
    cross_product(nu + 3, current_body, turned)
    for i in range(6):
        force[i] = added[i] * turned[0] + added[6 + i] * turned[1] + added[12 + i] * turned[2]
    add_coriolis(b.w + VESSEL_W_RIGID_BODY, nu, force)
    add_coriolis(added, nu_r, force)


cdef inline void vessel_solve(
    const View* b, const double* f_c, const double* f_d, const double* f_h, double* acceleration
) noexcept nogil:
    """dnu/dt = (M_RB + M_A)^-1 (tau + tau_d - f_c - f_d - f_h)."""
    cdef const double* force = b.u[0]
    cdef const double* disturbance = b.u[1]
    cdef double total[6]
    cdef int i
    for i in range(6):
        total[i] = force[i] + disturbance[i] - f_c[i] - f_d[i] - f_h[i]
    columns6_times(b.w + VESSEL_W_INVERSE, total, acceleration)


cdef inline void vessel_acceleration(
    const View* b, const double* rotation, const double* position, const double* angles, const double* nu,
    double* acceleration,
) noexcept nogil:
    """dnu/dt at this position, attitude and velocity."""
    cdef double current_body[3]
    cdef double nu_r[6]
    cdef double f_c[6]
    cdef double f_d[6]
    cdef double f_h[6]
    relative_velocity(rotation, nu, b.u[2], current_body, nu_r)
    vessel_coriolis(b, nu, nu_r, current_body, f_c)
    vessel_damping(b, nu_r, f_d)
    vessel_restoring(b, rotation, position, angles, f_h)
    vessel_solve(b, f_c, f_d, f_h, acceleration)


cdef inline void vessel_force_outputs(
    const View* b, const double* rotation, const double* position, const double* angles, const double* nu
) noexcept nogil:
    """nu_r, acceleration and the forces, those of them that are wanted; nu is a state."""
    cdef double current_body[3]
    cdef double own[24]         # for what is needed, but not wanted
    cdef double* nu_r = b.y[2] if b.y[2] != NULL else own
    cdef double* f_h = b.y[4] if b.y[4] != NULL else own + 6
    cdef double* f_d = b.y[5] if b.y[5] != NULL else own + 12
    cdef double* f_c = b.y[6] if b.y[6] != NULL else own + 18
    cdef bint accelerates = b.y[3] != NULL      # only then does force have to be there already
    if accelerates or b.y[4] != NULL:
        vessel_restoring(b, rotation, position, angles, f_h)
    if not (accelerates or b.y[2] != NULL or b.y[5] != NULL or b.y[6] != NULL):
        return
    relative_velocity(rotation, nu, b.u[2], current_body, nu_r)
    if accelerates or b.y[5] != NULL:
        vessel_damping(b, nu_r, f_d)
    if accelerates or b.y[6] != NULL:
        vessel_coriolis(b, nu, nu_r, current_body, f_c)
    if accelerates:
        vessel_solve(b, f_c, f_d, f_h, b.y[3])


cdef inline bint vessel_needs_rotation(const View* b) noexcept nogil:
    """True if one of them is wanted in this call."""
    return b.y[2] != NULL or b.y[3] != NULL or b.y[4] != NULL or b.y[5] != NULL or b.y[6] != NULL


# Attitude as Euler angles: x = eta, nu

cdef inline void vessel_6dof_euler_outputs(const View* b, double t) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef const double* eta = b.x
    cdef const double* nu = b.x + 6
    cdef double rotation[9]
    if vessel_needs_rotation(b):
        rotation_from_euler(eta + 3, rotation)
        vessel_force_outputs(b, rotation, eta, eta + 3, nu)


cdef inline void vessel_6dof_euler_derivatives(const View* b, double t) noexcept nogil:
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
    vessel_acceleration(b, rotation, eta, eta + 3, nu, b.dx + 6)


# Attitude as a quaternion: x = position, quaternion, nu

cdef inline void vessel_quaternion_start(const View* b, const double* eta, const double* nu) noexcept nogil:
    """Position, quaternion and velocity from the initial values of eta and nu."""
    cdef double* x = <double*>b.x
    cdef int i
    for i in range(3):
        x[i] = eta[i]
    quaternion_from_euler(eta + 3, x + 3)
    for i in range(6):
        x[7 + i] = nu[i]


cdef inline void vessel_6dof_quaternion_start(const View* b, double t) noexcept nogil:
    """Where its initial values are without damping matrices."""
    vessel_quaternion_start(b, b.p[VESSEL_INITIAL_ETA], b.p[VESSEL_INITIAL_NU])


cdef inline void vessel_6dof_quaternion_outputs(const View* b, double t) noexcept nogil:
    """eta with the Euler angles of the quaternion, then as for Euler angles."""
    cdef const double* position = b.x
    cdef const double* quaternion = b.x + 3
    cdef const double* nu = b.x + 7
    cdef double rotation[9]
    cdef int i
    if b.y[0] == NULL and not vessel_needs_rotation(b):
        return
    rotation_from_quaternion(quaternion, rotation)
    if b.y[0] != NULL:
        for i in range(3):
            b.y[0][i] = position[i]
        euler_from_rotation(rotation, b.y[0] + 3)
    vessel_force_outputs(b, rotation, position, NULL, nu)


cdef inline void vessel_6dof_quaternion_derivatives(const View* b, double t) noexcept nogil:
    """dp/dt = R v, dq/dt = T(q) omega and dnu/dt."""
    cdef const double* position = b.x
    cdef const double* quaternion = b.x + 3
    cdef const double* nu = b.x + 7
    cdef double rotation[9]
    rotation_from_quaternion(quaternion, rotation)
    body_to_ned(rotation, nu, b.dx)
    quaternion_rates(quaternion, nu + 3, b.dx + 3)
    vessel_acceleration(b, rotation, position, NULL, nu, b.dx + 7)


# Pose as an input: x = nu

cdef inline void vessel_6dof_velocity_outputs(const View* b, double t) noexcept nogil:
    """eta as it comes in, then as for Euler angles."""
    cdef const double* pose = b.u[3]
    cdef double rotation[9]
    cdef int i
    if b.y[0] != NULL:
        for i in range(6):
            b.y[0][i] = pose[i]
    if vessel_needs_rotation(b):
        rotation_from_euler(pose + 3, rotation)
        vessel_force_outputs(b, rotation, pose, pose + 3, b.x)


cdef inline void vessel_6dof_velocity_derivatives(const View* b, double t) noexcept nogil:
    """dnu/dt."""
    cdef const double* pose = b.u[3]
    cdef double rotation[9]
    rotation_from_euler(pose + 3, rotation)
    vessel_acceleration(b, rotation, pose, pose + 3, b.x, b.dx)
