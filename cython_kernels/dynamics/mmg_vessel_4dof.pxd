"""Kernel of the MMG standard method with roll. Axes turn with the heading and do not roll."""

from libc.math cimport fabs, sqrt

from cython_kernels.dynamics.mmg_hull cimport mmg_hull_constants, mmg_hull_damping
from cython_kernels.dynamics.planar cimport PlanarMotion, planar_relative_velocity
from cython_kernels.mathematics.elementary.trigonometric cimport sin
from cython_kernels.mathematics.matrix cimport invert_matrix
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.dynamics.mmg_hull cimport MMGHullView
from cython_kernels.views.dynamics.mmg_vessel_4dof cimport MMGVessel4DOFView, mmg_vessel_4dof_as_mmg_hull

cdef enum:                          # faults, after those of the hull
    MMG_SINGULAR_INERTIA = 3


ctypedef struct RollingConstants:
    double mass
    double mass_depth               # m z_G
    double surge_mass               # m_x
    double sway_mass                # m_y
    double sway_depth               # m_y z_m
    double damping                  # B
    double stiffness                # m g GM
    double heel_sway                # 1/2 rho L d Y_phi'
    double heel_yaw                 # 1/2 rho L^2 d N_phi'


ctypedef struct RollingMotion:
    double nu_r[4]                  # u, v, p, r
    double f_c[4]
    double f_d[4]


cdef inline void rolling_motion(
    const MMGVessel4DOFView* b, double* c, double* s, RollingMotion* motion
) noexcept nogil:
    """cos and sin of psi, relative velocity and forces."""
    cdef const RollingConstants* w = <const RollingConstants*>b.w.rolling
    cdef MMGHullView hull = mmg_vessel_4dof_as_mmg_hull(b)
    cdef PlanarMotion planar
    cdef const double* nu = b.x.nu
    cdef double p = nu[3]
    cdef double r = nu[5]
    cdef double z_m = b.p.added_mass_depth[0]
    cdef double x_g = b.p.centre_of_gravity[0]
    cdef double phi = b.x.eta[3]
    cdef double u, v, square, side
    sine_cosine(b.x.eta[5], s, c)
    planar_relative_velocity(b.u.current, nu, c[0], s[0], &planar)
    u = planar.nu_r[0]
    v = planar.nu_r[1]
    motion.nu_r[0] = u
    motion.nu_r[1] = v
    motion.nu_r[2] = p
    motion.nu_r[3] = r
    motion.f_c[0] = -r * (
        w.mass * (nu[1] + x_g * r) - w.mass_depth * p + b.w.turning[1] * v - w.sway_depth * p
        + w.surge_mass * planar.nu_c[1]
    )
    motion.f_c[1] = r * (w.mass * nu[0] + b.w.turning[0] * u + w.sway_mass * planar.nu_c[0])
    motion.f_c[2] = -r * (w.mass_depth * nu[0] + b.w.turning[0] * z_m * u + w.sway_depth * planar.nu_c[0])
    motion.f_c[3] = r * w.mass * x_g * nu[0]
    mmg_hull_damping(&hull, planar.nu_r, planar.f_d)
    square = u * u + v * v
    side = planar.f_d[1] - w.heel_sway * square * phi
    motion.f_d[0] = planar.f_d[0]
    motion.f_d[1] = side
    motion.f_d[2] = (w.damping + b.p.quadratic_roll_damping[0] * fabs(p)) * p - b.p.hull_force_depth[0] * side
    motion.f_d[3] = planar.f_d[2] - w.heel_yaw * square * phi


cdef inline void rolling_acceleration(
    const MMGVessel4DOFView* b, const RollingMotion* motion, double* nu_dot
) noexcept nogil:
    """d(u, v, p, r)/dt."""
    cdef const RollingConstants* w = <const RollingConstants*>b.w.rolling
    cdef const double* tau = b.u.force
    cdef const double* tau_d = b.u.disturbance
    cdef const double* inverse = b.w.inverse_lateral
    cdef double total[3]
    cdef int i
    nu_dot[0] = b.w.inverse_mass[0] * (tau[0] + tau_d[0] - motion.f_c[0] - motion.f_d[0])
    total[0] = tau[1] + tau_d[1] - motion.f_c[1] - motion.f_d[1]
    total[1] = tau[3] + tau_d[3] - motion.f_c[2] - motion.f_d[2] - w.stiffness * sin(b.x.eta[3])
    total[2] = tau[5] + tau_d[5] - motion.f_c[3] - motion.f_d[3]
    for i in range(3):
        nu_dot[1 + i] = inverse[3 * i] * total[0] + inverse[3 * i + 1] * total[1] + inverse[3 * i + 2] * total[2]


cdef inline void six_from_rolling(const double* four, double* six) noexcept nogil:
    """(u, v, 0, p, 0, r)."""
    six[0] = four[0]
    six[1] = four[1]
    six[2] = 0.0
    six[3] = four[2]
    six[4] = 0.0
    six[5] = four[3]


cdef inline void mmg_vessel_4dof_setup(const MMGVessel4DOFView* b, double t) noexcept nogil:
    """w: those of the hull, M in sway, roll and yaw inverted, and what rolling takes."""
    cdef MMGHullView hull = mmg_vessel_4dof_as_mmg_hull(b)
    cdef RollingConstants* w = <RollingConstants*>b.w.rolling
    cdef double length = b.p.length[0]
    cdef double area = 0.5 * b.p.density[0] * length * b.p.draught[0]
    cdef double z_g = b.p.centre_of_gravity_depth[0]
    cdef double z_m = b.p.added_mass_depth[0]
    cdef double radius = b.p.roll_gyration[0] * b.p.roll_gyration[0]
    cdef double lateral[9]
    mmg_hull_constants(&hull)
    w.mass = b.p.density[0] * b.p.displacement[0]
    w.mass_depth = w.mass * z_g
    w.surge_mass = area * length * b.p.added_mass[0]
    w.sway_mass = area * length * b.p.added_mass[1]
    w.sway_depth = w.sway_mass * z_m
    w.stiffness = w.mass * b.p.gravity[0] * b.p.metacentric_height[0]
    w.heel_sway = area * b.p.heel_derivatives[0]
    w.heel_yaw = area * length * b.p.heel_derivatives[1]
    lateral[0] = b.w.mass_matrix[4]
    lateral[1] = lateral[3] = -(w.mass_depth + w.sway_depth)
    lateral[2] = lateral[6] = b.w.mass_matrix[5]
    lateral[4] = w.mass * (radius * (1.0 + b.p.added_roll_inertia[0]) + z_g * z_g) + w.sway_depth * z_m
    lateral[5] = lateral[7] = -w.mass_depth * b.p.centre_of_gravity[0]
    lateral[8] = b.w.mass_matrix[8]
    w.damping = 2.0 * b.p.roll_damping[0] * sqrt(w.stiffness * lateral[4])
    if not invert_matrix(lateral, 3, b.w.inverse_lateral):
        b.fault[0] = MMG_SINGULAR_INERTIA


cdef inline void mmg_vessel_4dof_outputs(const MMGVessel4DOFView* b, double t) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef const RollingConstants* w = <const RollingConstants*>b.w.rolling
    cdef RollingMotion motion
    cdef double four[4]
    cdef double s, c
    if b.y.restoring_force != NULL:
        four[0] = four[1] = four[3] = 0.0
        four[2] = w.stiffness * sin(b.x.eta[3])
        six_from_rolling(four, b.y.restoring_force)
    if b.y.nu_r == NULL and b.y.acceleration == NULL and b.y.damping_force == NULL and b.y.coriolis_force == NULL:
        return
    rolling_motion(b, &c, &s, &motion)
    if b.y.nu_r != NULL:
        six_from_rolling(motion.nu_r, b.y.nu_r)
    if b.y.damping_force != NULL:
        six_from_rolling(motion.f_d, b.y.damping_force)
    if b.y.coriolis_force != NULL:
        six_from_rolling(motion.f_c, b.y.coriolis_force)
    if b.y.acceleration != NULL:        # only then does force have to be there already
        rolling_acceleration(b, &motion, four)
        six_from_rolling(four, b.y.acceleration)


cdef inline void mmg_vessel_4dof_derivatives(const MMGVessel4DOFView* b, double t) noexcept nogil:
    """d(eta, nu)/dt."""
    cdef RollingMotion motion
    cdef double four[4]
    cdef double s, c
    rolling_motion(b, &c, &s, &motion)
    rolling_acceleration(b, &motion, four)
    six_from_rolling(four, b.dx.nu)
    b.dx.eta[0] = b.x.nu[0] * c - b.x.nu[1] * s
    b.dx.eta[1] = b.x.nu[0] * s + b.x.nu[1] * c
    b.dx.eta[2] = b.dx.eta[4] = 0.0
    b.dx.eta[3] = b.x.nu[3]
    b.dx.eta[5] = b.x.nu[5]
