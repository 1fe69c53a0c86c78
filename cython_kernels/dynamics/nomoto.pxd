"""Kernels of Nomoto's model of steering, of first and of second order.

delta = N / N_delta,  T dr/dt + r = K delta  or  T_1 T_2 d2r/dt2 + (T_1 + T_2) dr/dt + r = K (delta + T_3 ddelta/dt),
T_u du_r/dt + u_r = K_u X. Source: Nomoto et al. (1957), On the steering qualities of ships, Int. Shipbuilding Progress
4; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 7.2.
"""

from cython_kernels.dynamics.planar cimport (
    PlanarMotion, planar_motion_outputs, planar_needs_motion, planar_rates, planar_relative_velocity,
    planar_restoring_output,
)
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.dynamics.nomoto cimport NomotoVesselView, nomoto_vessel_as_planar_vessel
from cython_kernels.views.dynamics.planar cimport PlanarVesselView


cdef inline void nomoto_motion(const NomotoVesselView* b, double* c, double* s, PlanarMotion* motion) noexcept nogil:
    """cos and sin of psi, relative velocity, and the forces that keep up a steady motion."""
    sine_cosine(b.x.eta[5], s, c)
    planar_relative_velocity(b.u.current, b.x.nu, c[0], s[0], motion)
    motion.f_c[0] = motion.f_c[1] = motion.f_c[2] = 0.0
    motion.f_d[0] = motion.nu_r[0] / b.p.surge_gain[0]
    motion.f_d[1] = 0.0
    motion.f_d[2] = b.p.rudder_moment[0] * motion.nu_r[2] / b.p.gain[0]


cdef inline double rudder_angle(const NomotoVesselView* b) noexcept nogil:
    """delta = (N + N_d) / N_delta."""
    return (b.u.force[5] + b.u.disturbance[5]) / b.p.rudder_moment[0]


cdef inline void nomoto_acceleration(
    const NomotoVesselView* b, bint second, const PlanarMotion* m, double* nu_dot
) noexcept nogil:
    """dnu/dt; what little sway there is through the water dies out as surge does."""
    cdef double rate = 1.0 / b.p.surge_time_constant[0]
    cdef double gain = b.p.gain[0]
    cdef double t_1 = b.p.time_constant[0]
    cdef double t_2 = b.p.second_time_constant[0]
    cdef double lead = b.p.lead_time_constant[0]
    cdef double r = m.nu_r[2]
    nu_dot[0] = (b.p.surge_gain[0] * (b.u.force[0] + b.u.disturbance[0]) - m.nu_r[0]) * rate + r * m.nu_c[1]
    nu_dot[1] = -m.nu_r[1] * rate - r * m.nu_c[0]
    if second:
        nu_dot[2] = b.x.yaw_lag[0] + (gain * lead * rudder_angle(b) - (t_1 + t_2) * r) / (t_1 * t_2)
    else:
        nu_dot[2] = (gain * rudder_angle(b) - r) / t_1


cdef inline void nomoto_evaluate(const NomotoVesselView* b, bint second) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef PlanarVesselView planar = nomoto_vessel_as_planar_vessel(b)
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    planar_restoring_output(&planar)
    if planar_needs_motion(&planar):
        nomoto_motion(b, &c, &s, &motion)
        nu_dot[0] = nu_dot[1] = nu_dot[2] = 0.0
        if b.y.acceleration != NULL:
            nomoto_acceleration(b, second, &motion, nu_dot)
        planar_motion_outputs(&planar, &motion, nu_dot)


cdef inline void nomoto_rates(const NomotoVesselView* b, bint second) noexcept nogil:
    """d(eta, nu)/dt."""
    cdef PlanarVesselView planar = nomoto_vessel_as_planar_vessel(b)
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    nomoto_motion(b, &c, &s, &motion)
    nomoto_acceleration(b, second, &motion, nu_dot)
    planar_rates(&planar, c, s, nu_dot)


cdef inline void nomoto_first_outputs(const NomotoVesselView* b, double t) noexcept nogil:
    """First order."""
    nomoto_evaluate(b, False)


cdef inline void nomoto_first_derivatives(const NomotoVesselView* b, double t) noexcept nogil:
    """First order."""
    nomoto_rates(b, False)


cdef inline void nomoto_second_outputs(const NomotoVesselView* b, double t) noexcept nogil:
    """Second order."""
    nomoto_evaluate(b, True)


cdef inline void nomoto_second_derivatives(const NomotoVesselView* b, double t) noexcept nogil:
    """Second order: dr/dt = q + (K T_3 delta - (T_1 + T_2) r) / (T_1 T_2), dq/dt = (K delta - r) / (T_1 T_2)."""
    nomoto_rates(b, True)
    b.dx.yaw_lag[0] = (
        (b.p.gain[0] * rudder_angle(b) - b.x.nu[5]) / (b.p.time_constant[0] * b.p.second_time_constant[0])
    )
