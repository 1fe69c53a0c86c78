"""Kernels of the vessels in the horizontal plane: x = (eta, nu), six numbers each; heave, roll and pitch rest.

Both write the equation of motion in the velocity through the water,

    M dnu_r/dt + C(nu_r) nu_r + D nu_r = tau,    dnu/dt = dnu_r/dt + dnu_c/dt,    dnu_c/dt = (r v_c, -r u_c, 0),

which for a steady irrotational current says the same as C_RB(nu) nu + C_A(nu_r) nu_r but does not need M_RB and M_A
apart. Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 6.5 and 10.3.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.matrix cimport invert_matrix
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View

ctypedef struct PlanarMotion:
    double nu_c[2]              # the water's velocity in body axes, u_c and v_c
    double nu_r[3]              # the vessel's velocity through the water
    double f_c[3]               # C(nu_r) nu_r - M dnu_c/dt
    double f_d[3]               # D nu_r + D_n(nu_r) nu_r

cdef enum:                      # derived constants of the vessel with full matrices, row by row
    PLANAR_W_MASS = 0           # M = M_RB + M_A
    PLANAR_W_INVERSE = 9

cdef enum:                      # its faults
    PLANAR_SINGULAR_INERTIA = 1


cdef inline void planar_relative_velocity(
    const double* current, const double* nu, double c, double s, PlanarMotion* motion
) noexcept nogil:
    """nu_c = R(psi)' v_c and nu_r = nu - nu_c; c and s are cos and sin of psi; nu has six elements."""
    motion.nu_c[0] = c * current[0] + s * current[1]
    motion.nu_c[1] = c * current[1] - s * current[0]
    motion.nu_r[0] = nu[0] - motion.nu_c[0]
    motion.nu_r[1] = nu[1] - motion.nu_c[1]
    motion.nu_r[2] = nu[5]


cdef inline void planar_coriolis(const double* momentum, PlanarMotion* motion) noexcept nogil:
    """C(nu_r) nu_r = (-r a_2, r a_1, u a_2 - v a_1), a = M nu_r, for any 3x3 M."""
    motion.f_c[0] = -motion.nu_r[2] * momentum[1]
    motion.f_c[1] = motion.nu_r[2] * momentum[0]
    motion.f_c[2] = motion.nu_r[0] * momentum[1] - motion.nu_r[1] * momentum[0]


cdef inline void six_from_planar(double first, double second, double last, double* six) noexcept nogil:
    """(first, second, 0, 0, 0, last)."""
    six[0] = first
    six[1] = second
    six[2] = 0.0
    six[3] = 0.0
    six[4] = 0.0
    six[5] = last


cdef inline void planar_restoring_output(const View* b) noexcept nogil:
    """The restoring force, which is zero; eta and nu are states."""
    if b.y[4] != NULL:
        six_from_planar(0.0, 0.0, 0.0, b.y[4])


cdef inline bint planar_needs_motion(const View* b) noexcept nogil:
    """True if an output that depends on the current is wanted in this call."""
    return b.y[2] != NULL or b.y[3] != NULL or b.y[5] != NULL or b.y[6] != NULL


cdef inline void planar_motion_outputs(const View* b, const PlanarMotion* m, const double* nu_dot) noexcept nogil:
    """nu_r, acceleration, damping_force, coriolis_force."""
    if b.y[2] != NULL:
        six_from_planar(m.nu_r[0], m.nu_r[1], m.nu_r[2], b.y[2])
    if b.y[3] != NULL:
        six_from_planar(nu_dot[0], nu_dot[1], nu_dot[2], b.y[3])
    if b.y[5] != NULL:
        six_from_planar(m.f_d[0], m.f_d[1], m.f_d[2], b.y[5])
    if b.y[6] != NULL:
        six_from_planar(m.f_c[0], m.f_c[1], m.f_c[2], b.y[6])


cdef inline void planar_derivatives(
    const double* nu, double c, double s, const double* nu_dot, double* dx
) noexcept nogil:
    """d(x, y, psi)/dt = R(psi) nu in six elements, R a proper rotation, and dnu/dt."""
    dx[0] = nu[0] * c - nu[1] * s
    dx[1] = nu[0] * s + nu[1] * c
    dx[2] = 0.0
    dx[3] = 0.0
    dx[4] = 0.0
    dx[5] = nu[5]
    six_from_planar(nu_dot[0], nu_dot[1], nu_dot[2], dx + 6)


# Diagonal M and D: p = m, d

cdef inline void vessel_3dof_diagonal_setup(const View* b, double t) noexcept nogil:
    """1 / m."""
    cdef int i
    for i in range(3):
        b.w[i] = 1.0 / b.p[0][i]


cdef inline void diagonal_motion(const View* b, double c, double s, PlanarMotion* motion) noexcept nogil:
    """Relative velocity and forces for M = diag(m), D = diag(d)."""
    cdef const double* m = b.p[0]
    cdef const double* d = b.p[1]
    cdef double momentum[2]
    planar_relative_velocity(b.u[2], b.x + 6, c, s, motion)
    momentum[0] = m[0] * motion.nu_r[0]
    momentum[1] = m[1] * motion.nu_r[1]
    planar_coriolis(momentum, motion)
    motion.f_c[0] -= m[0] * (motion.nu_r[2] * motion.nu_c[1])
    motion.f_c[1] += m[1] * (motion.nu_r[2] * motion.nu_c[0])
    motion.f_d[0] = d[0] * motion.nu_r[0]
    motion.f_d[1] = d[1] * motion.nu_r[1]
    motion.f_d[2] = d[2] * motion.nu_r[2]


cdef inline void diagonal_acceleration(const View* b, const PlanarMotion* motion, double* nu_dot) noexcept nogil:
    """dnu/dt = (tau + tau_d - f_c - f_d) / m."""
    cdef const double* force = b.u[0]
    cdef const double* disturbance = b.u[1]
    nu_dot[0] = (force[0] + disturbance[0] - motion.f_c[0] - motion.f_d[0]) * b.w[0]
    nu_dot[1] = (force[1] + disturbance[1] - motion.f_c[1] - motion.f_d[1]) * b.w[1]
    nu_dot[2] = (force[5] + disturbance[5] - motion.f_c[2] - motion.f_d[2]) * b.w[2]


# Full M and D: p = mass, yaw_inertia, centre_of_gravity, added_mass, linear_damping, nonlinear_damping

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


cdef inline void add_nonlinear_damping(const double* d, PlanarMotion* motion) noexcept nogil:
    """f_d += D_n nu_r; d = X_|u|u, X_uuu, Y_|v|v, Y_|r|v, Y_|v|r, Y_|r|r, N_|v|v, N_|r|v, N_|v|r, N_|r|r, positive."""
    cdef double u = motion.nu_r[0]
    cdef double v = motion.nu_r[1]
    cdef double r = motion.nu_r[2]
    cdef double sway = fabs(v)
    cdef double yaw = fabs(r)
    motion.f_d[0] += (d[0] * fabs(u) + d[1] * u * u) * u
    motion.f_d[1] += (d[2] * sway + d[3] * yaw) * v + (d[4] * sway + d[5] * yaw) * r
    motion.f_d[2] += (d[6] * sway + d[7] * yaw) * v + (d[8] * sway + d[9] * yaw) * r


cdef inline void planar_motion(const View* b, double c, double s, PlanarMotion* motion) noexcept nogil:
    """Relative velocity and forces for full M and D."""
    cdef const double* m = b.w + PLANAR_W_MASS
    cdef const double* d = b.p[4]
    cdef const double* nu_r = motion.nu_r
    cdef double momentum[2]
    cdef double du_c
    cdef double dv_c
    cdef int i
    planar_relative_velocity(b.u[2], b.x + 6, c, s, motion)
    for i in range(2):
        momentum[i] = m[3 * i] * nu_r[0] + m[3 * i + 1] * nu_r[1] + m[3 * i + 2] * nu_r[2]
    planar_coriolis(momentum, motion)
    du_c = nu_r[2] * motion.nu_c[1]
    dv_c = -nu_r[2] * motion.nu_c[0]
    for i in range(3):
        motion.f_c[i] -= m[3 * i] * du_c + m[3 * i + 1] * dv_c
        motion.f_d[i] = d[3 * i] * nu_r[0] + d[3 * i + 1] * nu_r[1] + d[3 * i + 2] * nu_r[2]
    add_nonlinear_damping(b.p[5], motion)


cdef inline void planar_acceleration(const View* b, const PlanarMotion* motion, double* nu_dot) noexcept nogil:
    """dnu/dt = M^-1 (tau + tau_d - f_c - f_d)."""
    cdef const double* force = b.u[0]
    cdef const double* disturbance = b.u[1]
    cdef const double* inverted = b.w + PLANAR_W_INVERSE
    cdef double total[3]
    cdef int i
    total[0] = force[0] + disturbance[0] - motion.f_c[0] - motion.f_d[0]
    total[1] = force[1] + disturbance[1] - motion.f_c[1] - motion.f_d[1]
    total[2] = force[5] + disturbance[5] - motion.f_c[2] - motion.f_d[2]
    for i in range(3):
        nu_dot[i] = inverted[3 * i] * total[0] + inverted[3 * i + 1] * total[1] + inverted[3 * i + 2] * total[2]


# Outputs and derivatives of both; `diagonal` is known when the wrappers below are compiled

cdef inline void find_motion(const View* b, bint diagonal, double* c, double* s, PlanarMotion* motion) noexcept nogil:
    """cos and sin of psi, relative velocity and forces."""
    sine_cosine(b.x[5], s, c)
    if diagonal:
        diagonal_motion(b, c[0], s[0], motion)
    else:
        planar_motion(b, c[0], s[0], motion)


cdef inline void find_acceleration(
    const View* b, bint diagonal, const PlanarMotion* motion, double* nu_dot
) noexcept nogil:
    """dnu/dt."""
    if diagonal:
        diagonal_acceleration(b, motion, nu_dot)
    else:
        planar_acceleration(b, motion, nu_dot)


cdef inline void planar_outputs(const View* b, bint diagonal) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    planar_restoring_output(b)
    if planar_needs_motion(b):
        find_motion(b, diagonal, &c, &s, &motion)
        nu_dot[0] = nu_dot[1] = nu_dot[2] = 0.0
        if b.y[3] != NULL:  # only then does force have to be there already
            find_acceleration(b, diagonal, &motion, nu_dot)
        planar_motion_outputs(b, &motion, nu_dot)


cdef inline void planar_rates(const View* b, bint diagonal) noexcept nogil:
    """d(eta, nu)/dt."""
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    find_motion(b, diagonal, &c, &s, &motion)
    find_acceleration(b, diagonal, &motion, nu_dot)
    planar_derivatives(b.x + 6, c, s, nu_dot, b.dx)


cdef inline void vessel_3dof_diagonal_outputs(const View* b, double t) noexcept nogil:
    """With diagonal M and D."""
    planar_outputs(b, True)


cdef inline void vessel_3dof_diagonal_derivatives(const View* b, double t) noexcept nogil:
    """With diagonal M and D."""
    planar_rates(b, True)


cdef inline void vessel_3dof_outputs(const View* b, double t) noexcept nogil:
    """With full M and D."""
    planar_outputs(b, False)


cdef inline void vessel_3dof_derivatives(const View* b, double t) noexcept nogil:
    """With full M and D."""
    planar_rates(b, False)
