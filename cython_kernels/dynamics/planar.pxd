"""What the models of motion in the horizontal plane share. Heave, roll and pitch rest.

Vessels with matrices write the equation of motion in the velocity through the water,

    M dnu_r/dt + C(nu_r) nu_r + D nu_r = tau,    dnu/dt = dnu_r/dt + dnu_c/dt,    dnu_c/dt = (r v_c, -r u_c, 0),

which for a steady irrotational current says the same as C_RB(nu) nu + C_A(nu_r) nu_r but does not need M_RB and M_A
apart. Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 6.5 and 10.3.
"""

from cython_kernels.views.dynamics.planar cimport PlanarVesselView

ctypedef struct PlanarMotion:
    double nu_c[2]              # the water's velocity in body axes, u_c and v_c
    double nu_r[3]              # the vessel's velocity through the water
    double f_c[3]               # C(nu_r) nu_r - M dnu_c/dt
    double f_d[3]               # D nu_r + D_n(nu_r) nu_r


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


cdef inline bint planar_needs_motion(const PlanarVesselView* b) noexcept nogil:
    """True if an output that depends on the current is wanted in this call."""
    return b.y.nu_r != NULL or b.y.acceleration != NULL or b.y.damping_force != NULL or b.y.coriolis_force != NULL


cdef inline void planar_restoring_output(const PlanarVesselView* b) noexcept nogil:
    """The restoring force, which is zero; eta and nu are states."""
    if b.y.restoring_force != NULL:
        six_from_planar(0.0, 0.0, 0.0, b.y.restoring_force)


cdef inline void planar_motion_outputs(
    const PlanarVesselView* b, const PlanarMotion* m, const double* nu_dot
) noexcept nogil:
    """nu_r, acceleration, damping_force, coriolis_force."""
    if b.y.nu_r != NULL:
        six_from_planar(m.nu_r[0], m.nu_r[1], m.nu_r[2], b.y.nu_r)
    if b.y.acceleration != NULL:
        six_from_planar(nu_dot[0], nu_dot[1], nu_dot[2], b.y.acceleration)
    if b.y.damping_force != NULL:
        six_from_planar(m.f_d[0], m.f_d[1], m.f_d[2], b.y.damping_force)
    if b.y.coriolis_force != NULL:
        six_from_planar(m.f_c[0], m.f_c[1], m.f_c[2], b.y.coriolis_force)


cdef inline void planar_rates(const PlanarVesselView* b, double c, double s, const double* nu_dot) noexcept nogil:
    """d(x, y, psi)/dt = R(psi) nu, R a proper rotation, and dnu/dt."""
    cdef const double* nu = b.x.nu
    six_from_planar(nu[0] * c - nu[1] * s, nu[0] * s + nu[1] * c, nu[5], b.dx.eta)
    six_from_planar(nu_dot[0], nu_dot[1], nu_dot[2], b.dx.nu)
