"""Kernel of the vessel in the horizontal plane with full matrices."""

from libc.math cimport fabs

from cython_kernels.dynamics.cross_flow cimport Strips, divide_into_strips, strip_drag
from cython_kernels.dynamics.planar cimport (
    PlanarMotion, planar_coriolis, planar_motion_outputs, planar_needs_motion, planar_rates, planar_relative_velocity,
    planar_restoring_output,
)
from cython_kernels.mathematics.matrix cimport invert_matrix
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.dynamics.planar cimport PlanarVesselView
from cython_kernels.views.dynamics.vessel_3dof cimport Vessel3DOFView, vessel_3dof_as_planar_vessel

cdef enum:                      # its faults
    PLANAR_SINGULAR_INERTIA = 1


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


cdef inline void add_drag_of_turning(const Vessel3DOFView* b, PlanarMotion* motion) noexcept nogil:
    """f_d += (X_vv v^2 + X_vr v r + X_rr r^2, 0, 0), signs turned, and the drag across the flow if it has strips."""
    cdef const double* x = b.p.surge_in_turn
    cdef double v = motion.nu_r[1]
    cdef double r = motion.nu_r[2]
    cdef Strips strips
    cdef double across, moment
    if b.w.turning_brakes[0] != 0.0:
        motion.f_d[0] += x[0] * v * v + x[1] * v * r + x[2] * r * r
    if b.p.cross_flow_length[0] > 0.0:
        divide_into_strips(
            b.n.strips, b.p.cross_flow_length[0], b.p.cross_flow_middle[0], b.p.cross_flow_density[0], &strips
        )
        strip_drag(&strips, b.p.cross_flow_sway_coefficient, b.p.cross_flow_draught, v, r, &across, &moment)
        motion.f_d[1] += across
        motion.f_d[2] += moment


cdef inline void full_motion(const Vessel3DOFView* b, double* c, double* s, PlanarMotion* motion) noexcept nogil:
    """cos and sin of psi, relative velocity and forces for full M and D."""
    cdef const double* m = b.w.mass_matrix
    cdef const double* d = b.p.linear_damping
    cdef const double* nu_r = motion.nu_r
    cdef double momentum[2]
    cdef double du_c
    cdef double dv_c
    cdef int i
    sine_cosine(b.x.eta[5], s, c)
    planar_relative_velocity(b.u.current, b.x.nu, c[0], s[0], motion)
    for i in range(2):
        momentum[i] = m[3 * i] * nu_r[0] + m[3 * i + 1] * nu_r[1] + m[3 * i + 2] * nu_r[2]
    planar_coriolis(momentum, motion)
    du_c = nu_r[2] * motion.nu_c[1]
    dv_c = -nu_r[2] * motion.nu_c[0]
    for i in range(3):
        motion.f_c[i] -= m[3 * i] * du_c + m[3 * i + 1] * dv_c
        motion.f_d[i] = d[3 * i] * nu_r[0] + d[3 * i + 1] * nu_r[1] + d[3 * i + 2] * nu_r[2]
    add_nonlinear_damping(b.p.nonlinear_damping, motion)
    add_drag_of_turning(b, motion)


cdef inline void full_acceleration(const Vessel3DOFView* b, const PlanarMotion* motion, double* nu_dot) noexcept nogil:
    """dnu/dt = M^-1 (tau + tau_d - f_c - f_d)."""
    cdef const double* force = b.u.force
    cdef const double* disturbance = b.u.disturbance
    cdef const double* inverted = b.w.inverse_mass
    cdef double total[3]
    cdef int i
    total[0] = force[0] + disturbance[0] - motion.f_c[0] - motion.f_d[0]
    total[1] = force[1] + disturbance[1] - motion.f_c[1] - motion.f_d[1]
    total[2] = force[5] + disturbance[5] - motion.f_c[2] - motion.f_d[2]
    for i in range(3):
        nu_dot[i] = inverted[3 * i] * total[0] + inverted[3 * i + 1] * total[1] + inverted[3 * i + 2] * total[2]


cdef inline void vessel_3dof_setup(const Vessel3DOFView* b, double t) noexcept nogil:
    """M = M_RB + M_A and its inverse, M_RB from mass, centre of gravity and yaw inertia about the body origin."""
    cdef double mass = b.p.mass[0]
    cdef const double* centre = b.p.centre_of_gravity
    cdef double* m = b.w.mass_matrix
    cdef int i
    for i in range(9):
        m[i] = b.p.added_mass[i]
    m[0] += mass
    m[4] += mass
    m[8] += b.p.yaw_inertia[0]
    m[2] -= mass * centre[1]
    m[6] -= mass * centre[1]
    m[5] += mass * centre[0]
    m[7] += mass * centre[0]
    b.w.turning_brakes[0] = (
        b.p.surge_in_turn[0] != 0.0 or b.p.surge_in_turn[1] != 0.0 or b.p.surge_in_turn[2] != 0.0
    )
    if not invert_matrix(m, 3, b.w.inverse_mass):
        b.fault[0] = PLANAR_SINGULAR_INERTIA


cdef inline void vessel_3dof_outputs(const Vessel3DOFView* b, double t) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef PlanarVesselView planar = vessel_3dof_as_planar_vessel(b)
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    planar_restoring_output(&planar)
    if planar_needs_motion(&planar):
        full_motion(b, &c, &s, &motion)
        nu_dot[0] = nu_dot[1] = nu_dot[2] = 0.0
        if b.y.acceleration != NULL:    # only then does force have to be there already
            full_acceleration(b, &motion, nu_dot)
        planar_motion_outputs(&planar, &motion, nu_dot)


cdef inline void vessel_3dof_derivatives(const Vessel3DOFView* b, double t) noexcept nogil:
    """d(eta, nu)/dt."""
    cdef PlanarVesselView planar = vessel_3dof_as_planar_vessel(b)
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    full_motion(b, &c, &s, &motion)
    full_acceleration(b, &motion, nu_dot)
    planar_rates(&planar, c, s, nu_dot)
