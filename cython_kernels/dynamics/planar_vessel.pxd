"""The equation of motion of the vessels in the horizontal plane, with diagonal and with full matrices.

Both write it in the velocity through the water,

    M dnu_r/dt + C(nu_r) nu_r + D nu_r = tau,    dnu/dt = dnu_r/dt + dnu_c/dt,    dnu_c/dt = (r v_c, -r u_c, 0),

which for a steady irrotational current says the same as C_RB(nu) nu + C_A(nu_r) nu_r but does not need M_RB and M_A
apart. Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 6.5 and 10.3.
"""

from libc.math cimport fabs

from cython_kernels.dynamics.planar cimport (
    PlanarMotion, planar_coriolis, planar_derivatives, planar_motion_outputs, planar_needs_motion,
    planar_relative_velocity, planar_restoring_output,
)
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View

cdef enum:                      # derived constants of the vessel with full matrices, row by row
    PLANAR_W_MASS = 0           # M = M_RB + M_A
    PLANAR_W_INVERSE = 9


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
