"""Kernel of the vessel in the horizontal plane with diagonal matrices."""

from cython_kernels.dynamics.planar cimport (
    PlanarMotion, planar_coriolis, planar_motion_outputs, planar_needs_motion, planar_rates, planar_relative_velocity,
    planar_restoring_output,
)
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.dynamics.planar cimport PlanarVesselView
from cython_kernels.views.dynamics.vessel_3dof_diagonal cimport (
    DiagonalVessel3DOFView, diagonal_vessel_3dof_as_planar_vessel,
)


cdef inline void diagonal_motion(
    const DiagonalVessel3DOFView* b, double* c, double* s, PlanarMotion* motion
) noexcept nogil:
    """cos and sin of psi, relative velocity and forces for M = diag(m), D = diag(d)."""
    cdef const double* m = b.p.inertia
    cdef const double* d = b.p.linear_damping
    cdef double momentum[2]
    sine_cosine(b.x.eta[5], s, c)
    planar_relative_velocity(b.u.current, b.x.nu, c[0], s[0], motion)
    momentum[0] = m[0] * motion.nu_r[0]
    momentum[1] = m[1] * motion.nu_r[1]
    planar_coriolis(momentum, motion)
    motion.f_c[0] -= m[0] * (motion.nu_r[2] * motion.nu_c[1])
    motion.f_c[1] += m[1] * (motion.nu_r[2] * motion.nu_c[0])
    motion.f_d[0] = d[0] * motion.nu_r[0]
    motion.f_d[1] = d[1] * motion.nu_r[1]
    motion.f_d[2] = d[2] * motion.nu_r[2]


cdef inline void diagonal_acceleration(
    const DiagonalVessel3DOFView* b, const PlanarMotion* motion, double* nu_dot
) noexcept nogil:
    """dnu/dt = (tau + tau_d - f_c - f_d) / m."""
    cdef const double* force = b.u.force
    cdef const double* disturbance = b.u.disturbance
    nu_dot[0] = (force[0] + disturbance[0] - motion.f_c[0] - motion.f_d[0]) * b.w.inverse_inertia[0]
    nu_dot[1] = (force[1] + disturbance[1] - motion.f_c[1] - motion.f_d[1]) * b.w.inverse_inertia[1]
    nu_dot[2] = (force[5] + disturbance[5] - motion.f_c[2] - motion.f_d[2]) * b.w.inverse_inertia[2]


cdef inline void vessel_3dof_diagonal_setup(const DiagonalVessel3DOFView* b, double t) noexcept nogil:
    """1 / m."""
    cdef int i
    for i in range(3):
        b.w.inverse_inertia[i] = 1.0 / b.p.inertia[i]


cdef inline void vessel_3dof_diagonal_outputs(const DiagonalVessel3DOFView* b, double t) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef PlanarVesselView planar = diagonal_vessel_3dof_as_planar_vessel(b)
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    planar_restoring_output(&planar)
    if planar_needs_motion(&planar):
        diagonal_motion(b, &c, &s, &motion)
        nu_dot[0] = nu_dot[1] = nu_dot[2] = 0.0
        if b.y.acceleration != NULL:    # only then does force have to be there already
            diagonal_acceleration(b, &motion, nu_dot)
        planar_motion_outputs(&planar, &motion, nu_dot)


cdef inline void vessel_3dof_diagonal_derivatives(const DiagonalVessel3DOFView* b, double t) noexcept nogil:
    """d(eta, nu)/dt."""
    cdef PlanarVesselView planar = diagonal_vessel_3dof_as_planar_vessel(b)
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    diagonal_motion(b, &c, &s, &motion)
    diagonal_acceleration(b, &motion, nu_dot)
    planar_rates(&planar, c, s, nu_dot)
