"""Kernel of the MMG standard method in the horizontal plane."""

from cython_kernels.dynamics.mmg_hull cimport mmg_hull_constants, mmg_hull_damping
from cython_kernels.dynamics.planar cimport (
    PlanarMotion, planar_motion_outputs, planar_needs_motion, planar_rates, planar_relative_velocity,
    planar_restoring_output,
)
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.dynamics.mmg_hull cimport MMGHullView
from cython_kernels.views.dynamics.mmg_vessel cimport MMGVesselView, mmg_vessel_as_mmg_hull, mmg_vessel_as_planar_vessel
from cython_kernels.views.dynamics.planar cimport PlanarVesselView


cdef inline void mmg_motion(const MMGVesselView* b, double* c, double* s, PlanarMotion* motion) noexcept nogil:
    """cos and sin of psi, relative velocity and forces.

    f_c is that of the method at nu_r less M dnu_c/dt, dnu_c/dt = (r v_c, -r u_c, 0): the mass then moves with nu.
    """
    cdef const double* m = b.w.mass_matrix
    cdef const double* nu_r = motion.nu_r
    cdef MMGHullView hull = mmg_vessel_as_mmg_hull(b)
    cdef double mass = b.p.density[0] * b.p.displacement[0]
    cdef double r = b.x.nu[5]
    sine_cosine(b.x.eta[5], s, c)
    planar_relative_velocity(b.u.current, b.x.nu, c[0], s[0], motion)
    motion.f_c[0] = -r * ((mass + b.w.turning[1]) * nu_r[1] + m[5] * r + m[0] * motion.nu_c[1])
    motion.f_c[1] = r * ((mass + b.w.turning[0]) * nu_r[0] + m[4] * motion.nu_c[0])
    motion.f_c[2] = r * m[5] * b.x.nu[0]
    mmg_hull_damping(&hull, nu_r, motion.f_d)


cdef inline void mmg_acceleration(const MMGVesselView* b, const PlanarMotion* motion, double* nu_dot) noexcept nogil:
    """dnu/dt = M^-1 (tau + tau_d - f_c - f_d)."""
    cdef const double* inverse = b.w.inverse_mass
    cdef double sway = b.u.force[1] + b.u.disturbance[1] - motion.f_c[1] - motion.f_d[1]
    cdef double yaw = b.u.force[5] + b.u.disturbance[5] - motion.f_c[2] - motion.f_d[2]
    nu_dot[0] = inverse[0] * (b.u.force[0] + b.u.disturbance[0] - motion.f_c[0] - motion.f_d[0])
    nu_dot[1] = inverse[4] * sway + inverse[5] * yaw
    nu_dot[2] = inverse[7] * sway + inverse[8] * yaw


cdef inline void mmg_vessel_setup(const MMGHullView* b, double t) noexcept nogil:
    mmg_hull_constants(b)


cdef inline void mmg_vessel_outputs(const MMGVesselView* b, double t) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef PlanarVesselView planar = mmg_vessel_as_planar_vessel(b)
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    planar_restoring_output(&planar)
    if planar_needs_motion(&planar):
        mmg_motion(b, &c, &s, &motion)
        nu_dot[0] = nu_dot[1] = nu_dot[2] = 0.0
        if b.y.acceleration != NULL:    # only then does force have to be there already
            mmg_acceleration(b, &motion, nu_dot)
        planar_motion_outputs(&planar, &motion, nu_dot)


cdef inline void mmg_vessel_derivatives(const MMGVesselView* b, double t) noexcept nogil:
    """d(eta, nu)/dt."""
    cdef PlanarVesselView planar = mmg_vessel_as_planar_vessel(b)
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    mmg_motion(b, &c, &s, &motion)
    mmg_acceleration(b, &motion, nu_dot)
    planar_rates(&planar, c, s, nu_dot)
