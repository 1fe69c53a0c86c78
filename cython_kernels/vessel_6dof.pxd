"""Kernels of the 6-DOF vessel: one for each way to hold the attitude, sharing everything but the kinematics."""

from cython_kernels.frames cimport (
    body_to_ned, cross_product, euler_from_rotation, euler_rates, quaternion_from_euler, quaternion_rates,
    rotation_from_euler, rotation_from_quaternion,
)
from cython_kernels.matrix cimport columns6_times, columns_of, invert_matrix
from cython_kernels.rigid_body cimport add_coriolis, damping_force, relative_velocity, restoring_force
from cython_kernels.view cimport View

cdef enum:                      # parameters of the 6-DOF vessel
    VESSEL_RIGID_BODY_INERTIA = 0
    VESSEL_ADDED_MASS = 1
    VESSEL_LINEAR_DAMPING = 2
    VESSEL_QUADRATIC_DAMPING = 3
    VESSEL_WEIGHT = 4
    VESSEL_BUOYANCY = 5
    VESSEL_CENTRE_OF_GRAVITY = 6
    VESSEL_CENTRE_OF_BUOYANCY = 7
    VESSEL_CORIOLIS = 8
    VESSEL_ATTITUDE = 9
    VESSEL_INITIAL_ETA = 10
    VESSEL_INITIAL_NU = 11

cdef enum:                      # its derived constants; matrices column by column
    VESSEL_W_INVERSE = 0
    VESSEL_W_RIGID_BODY = 36
    VESSEL_W_ADDED = 72
    VESSEL_W_LINEAR = 108
    VESSEL_W_QUADRATIC = 144
    VESSEL_W_NET_WEIGHT = 180   # W - B
    VESSEL_W_ARM = 181          # W r_g - B r_b
    VESSEL_W_MASS = 184         # M, row by row, for those who ask for it
    VESSEL_W_SIZE = 220

cdef enum:                      # its faults
    VESSEL_SINGULAR_INERTIA = 1
    VESSEL_PITCH_SINGULAR = 2


cdef inline void vessel_6dof_setup(const View* b, double t) noexcept nogil:
    """M = M_RB + M_A and its inverse, and the matrices laid out for the loop."""
    cdef double* mass = b.w + VESSEL_W_MASS
    cdef double inverted[36]
    cdef double weight = b.p[VESSEL_WEIGHT][0]
    cdef double buoyancy = b.p[VESSEL_BUOYANCY][0]
    cdef int i
    for i in range(36):
        mass[i] = b.p[VESSEL_RIGID_BODY_INERTIA][i] + b.p[VESSEL_ADDED_MASS][i]
    if not invert_matrix(mass, 6, inverted):
        b.fault[0] = VESSEL_SINGULAR_INERTIA
        return
    columns_of(inverted, 6, 6, b.w + VESSEL_W_INVERSE)
    columns_of(b.p[VESSEL_RIGID_BODY_INERTIA], 6, 6, b.w + VESSEL_W_RIGID_BODY)
    columns_of(b.p[VESSEL_ADDED_MASS], 6, 6, b.w + VESSEL_W_ADDED)
    columns_of(b.p[VESSEL_LINEAR_DAMPING], 6, 6, b.w + VESSEL_W_LINEAR)
    columns_of(b.p[VESSEL_QUADRATIC_DAMPING], 6, 6, b.w + VESSEL_W_QUADRATIC)
    b.w[VESSEL_W_NET_WEIGHT] = weight - buoyancy
    for i in range(3):
        b.w[VESSEL_W_ARM + i] = (
            weight * b.p[VESSEL_CENTRE_OF_GRAVITY][i] - buoyancy * b.p[VESSEL_CENTRE_OF_BUOYANCY][i]
        )


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
    if b.p[VESSEL_CORIOLIS][0] == 0.0:
        return
    cross_product(nu + 3, current_body, turned)
    for i in range(6):
        force[i] = added[i] * turned[0] + added[6 + i] * turned[1] + added[12 + i] * turned[2]
    add_coriolis(b.w + VESSEL_W_RIGID_BODY, nu, force)
    add_coriolis(added, nu_r, force)


cdef inline void vessel_acceleration(
    const View* b, const double* rotation, const double* nu, double* acceleration
) noexcept nogil:
    """dnu/dt = (M_RB + M_A)^-1 (tau + tau_d - f_c - f_d - f_h)."""
    cdef const double* force = b.u[0]
    cdef const double* disturbance = b.u[1]
    cdef const double* current = b.u[2]
    cdef double current_body[3]
    cdef double nu_r[6]
    cdef double f_c[6]
    cdef double f_d[6]
    cdef double f_h[6]
    cdef int i
    relative_velocity(rotation, nu, current, current_body, nu_r)
    vessel_coriolis(b, nu, nu_r, current_body, f_c)
    damping_force(b.w + VESSEL_W_LINEAR, b.w + VESSEL_W_QUADRATIC, nu_r, f_d)
    restoring_force(rotation, b.w[VESSEL_W_NET_WEIGHT], b.w + VESSEL_W_ARM, f_h)
    for i in range(6):
        f_h[i] = force[i] + disturbance[i] - f_c[i] - f_d[i] - f_h[i]
    columns6_times(b.w + VESSEL_W_INVERSE, f_h, acceleration)


cdef inline void vessel_force_outputs(const View* b, const double* rotation, const double* nu) noexcept nogil:
    """nu_r, acceleration and the forces, those of them that are wanted; nu is a state."""
    cdef double current_body[3]
    cdef double nu_r[6]
    cdef int i
    if b.y[2] != NULL or b.y[5] != NULL or b.y[6] != NULL:
        relative_velocity(rotation, nu, b.u[2], current_body, nu_r)
        if b.y[2] != NULL:
            for i in range(6):
                b.y[2][i] = nu_r[i]
        if b.y[5] != NULL:
            damping_force(b.w + VESSEL_W_LINEAR, b.w + VESSEL_W_QUADRATIC, nu_r, b.y[5])
        if b.y[6] != NULL:
            vessel_coriolis(b, nu, nu_r, current_body, b.y[6])
    if b.y[3] != NULL:
        vessel_acceleration(b, rotation, nu, b.y[3])
    if b.y[4] != NULL:
        restoring_force(rotation, b.w[VESSEL_W_NET_WEIGHT], b.w + VESSEL_W_ARM, b.y[4])


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
        vessel_force_outputs(b, rotation, nu)


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
    vessel_acceleration(b, rotation, nu, b.dx + 6)


# Attitude as a quaternion: x = position, quaternion, nu

cdef inline void vessel_6dof_quaternion_start(const View* b, double t) noexcept nogil:
    """Position, quaternion and velocity from initial_eta and initial_nu."""
    cdef const double* eta = b.p[VESSEL_INITIAL_ETA]
    cdef const double* nu = b.p[VESSEL_INITIAL_NU]
    cdef double* x = <double*>b.x
    cdef int i
    for i in range(3):
        x[i] = eta[i]
    quaternion_from_euler(eta + 3, x + 3)
    for i in range(6):
        x[7 + i] = nu[i]


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
    vessel_force_outputs(b, rotation, nu)


cdef inline void vessel_6dof_quaternion_derivatives(const View* b, double t) noexcept nogil:
    """dp/dt = R v, dq/dt = T(q) omega and dnu/dt."""
    cdef const double* quaternion = b.x + 3
    cdef const double* nu = b.x + 7
    cdef double rotation[9]
    rotation_from_quaternion(quaternion, rotation)
    body_to_ned(rotation, nu, b.dx)
    quaternion_rates(quaternion, nu + 3, b.dx + 3)
    vessel_acceleration(b, rotation, nu, b.dx + 7)
