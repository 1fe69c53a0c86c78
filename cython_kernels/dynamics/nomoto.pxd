"""Kernels of Nomoto's model: x = (eta, nu), six numbers each, and for the second order a state more.

delta = N / N_delta,  T dr/dt + r = K delta  or  T_1 T_2 d2r/dt2 + (T_1 + T_2) dr/dt + r = K (delta + T_3 ddelta/dt),
T_u du_r/dt + u_r = K_u X. Source: Nomoto et al. (1957), On the steering qualities of ships, Int. Shipbuilding Progress
4; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 7.2.
"""

from cython_kernels.dynamics.planar cimport (
    PlanarMotion, planar_derivatives, planar_motion_outputs, planar_needs_motion, planar_relative_velocity,
    planar_restoring_output,
)
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View

cdef enum:                      # parameters
    NOMOTO_GAIN = 0             # K
    NOMOTO_TIME_CONSTANT = 1    # T or T_1
    NOMOTO_SECOND = 2           # T_2
    NOMOTO_LEAD = 3             # T_3
    NOMOTO_RUDDER_MOMENT = 4    # N_delta
    NOMOTO_SURGE_GAIN = 5       # K_u
    NOMOTO_SURGE_TIME = 6       # T_u
    NOMOTO_ORDER = 7            # 0: first, 1: second


cdef inline void nomoto_motion(const View* b, double* c, double* s, PlanarMotion* motion) noexcept nogil:
    """cos and sin of psi, relative velocity, and the forces that keep up a steady motion."""
    sine_cosine(b.x[5], s, c)
    planar_relative_velocity(b.u[2], b.x + 6, c[0], s[0], motion)
    motion.f_c[0] = motion.f_c[1] = motion.f_c[2] = 0.0
    motion.f_d[0] = motion.nu_r[0] / b.p[NOMOTO_SURGE_GAIN][0]
    motion.f_d[1] = 0.0
    motion.f_d[2] = b.p[NOMOTO_RUDDER_MOMENT][0] * motion.nu_r[2] / b.p[NOMOTO_GAIN][0]


cdef inline double rudder_angle(const View* b) noexcept nogil:
    """delta = (N + N_d) / N_delta."""
    return (b.u[0][5] + b.u[1][5]) / b.p[NOMOTO_RUDDER_MOMENT][0]


cdef inline void nomoto_acceleration(const View* b, bint second, const PlanarMotion* m, double* nu_dot) noexcept nogil:
    """dnu/dt; what little sway there is through the water dies out as surge does."""
    cdef double rate = 1.0 / b.p[NOMOTO_SURGE_TIME][0]
    cdef double gain = b.p[NOMOTO_GAIN][0]
    cdef double t_1 = b.p[NOMOTO_TIME_CONSTANT][0]
    cdef double t_2 = b.p[NOMOTO_SECOND][0]
    cdef double r = m.nu_r[2]
    nu_dot[0] = (b.p[NOMOTO_SURGE_GAIN][0] * (b.u[0][0] + b.u[1][0]) - m.nu_r[0]) * rate + r * m.nu_c[1]
    nu_dot[1] = -m.nu_r[1] * rate - r * m.nu_c[0]
    if second:
        nu_dot[2] = b.x[12] + (gain * b.p[NOMOTO_LEAD][0] * rudder_angle(b) - (t_1 + t_2) * r) / (t_1 * t_2)
    else:
        nu_dot[2] = (gain * rudder_angle(b) - r) / t_1


cdef inline void nomoto_outputs(const View* b, bint second) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    planar_restoring_output(b)
    if planar_needs_motion(b):
        nomoto_motion(b, &c, &s, &motion)
        nu_dot[0] = nu_dot[1] = nu_dot[2] = 0.0
        if b.y[3] != NULL:
            nomoto_acceleration(b, second, &motion, nu_dot)
        planar_motion_outputs(b, &motion, nu_dot)


cdef inline void nomoto_rates(const View* b, bint second) noexcept nogil:
    """d(eta, nu)/dt."""
    cdef PlanarMotion motion
    cdef double nu_dot[3]
    cdef double s, c
    nomoto_motion(b, &c, &s, &motion)
    nomoto_acceleration(b, second, &motion, nu_dot)
    planar_derivatives(b.x + 6, c, s, nu_dot, b.dx)


cdef inline void nomoto_first_outputs(const View* b, double t) noexcept nogil:
    """First order."""
    nomoto_outputs(b, False)


cdef inline void nomoto_first_derivatives(const View* b, double t) noexcept nogil:
    """First order."""
    nomoto_rates(b, False)


cdef inline void nomoto_second_outputs(const View* b, double t) noexcept nogil:
    """Second order."""
    nomoto_outputs(b, True)


cdef inline void nomoto_second_derivatives(const View* b, double t) noexcept nogil:
    """Second order: dr/dt = q + (K T_3 delta - (T_1 + T_2) r) / (T_1 T_2), dq/dt = (K delta - r) / (T_1 T_2)."""
    nomoto_rates(b, True)
    b.dx[12] = (
        (b.p[NOMOTO_GAIN][0] * rudder_angle(b) - b.x[11]) / (b.p[NOMOTO_TIME_CONSTANT][0] * b.p[NOMOTO_SECOND][0])
    )
