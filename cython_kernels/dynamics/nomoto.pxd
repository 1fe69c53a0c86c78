"""Kernels of Nomoto's model of steering, of first and of second order.

delta = N / N_delta,  T dr/dt + H(r) = K delta  or  T_1 T_2 d2r/dt2 + (T_1 + T_2) dr/dt + H(r) = K (delta + T_3
ddelta/dt), H(r) = n_3 r^3 + n_2 r^2 + n_1 r + n_0, T_u du_r/dt + u_r = K_u X. Source: Nomoto et al. (1957), On the
steering qualities of ships, Int. Shipbuilding Progress 4; Norrbin (1963), On the design and analyses of the zig-zag
test on base of quasi-linear frequency response, SSPA; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion
Control, sec. 7.2.
"""

from cython_kernels.dynamics.planar cimport (
    PlanarMotion, planar_motion_outputs, planar_needs_motion, planar_rates, planar_relative_velocity,
    planar_restoring_output,
)
from cython_kernels.mathematics.limits cimport at_least
from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.dynamics.nomoto cimport NomotoVesselView, nomoto_vessel_as_planar_vessel
from cython_kernels.views.dynamics.planar cimport PlanarVesselView

cdef enum:                      # how K and T go with the speed
    SCHEDULE_SPEED = 1
    SCHEDULE_TABLE = 2

ctypedef struct NomotoSteering:
    double gain                 # K at this speed
    double t_1
    double t_2
    double lead                 # T_3
    double resistance           # H(r)


cdef inline void nomoto_steering(const NomotoVesselView* b, double speed, NomotoSteering* s) noexcept nogil:
    """K, T and H(r) at a speed through the water."""
    cdef const double* n = b.p.yaw_polynomial
    cdef double r = b.x.nu[5]
    cdef double cubic = n[3]
    cdef double part, ratio
    cdef int k
    s.gain = b.p.gain[0]
    s.t_1 = b.p.time_constant[0]
    s.t_2 = b.p.second_time_constant[0]
    s.lead = b.p.lead_time_constant[0]
    if b.n.s == SCHEDULE_SPEED:
        ratio = at_least(speed, b.p.lowest_speed[0]) / b.p.design_speed[0]
        s.gain *= ratio
        s.t_1 /= ratio
        s.t_2 /= ratio
        s.lead /= ratio
    elif b.n.s == SCHEDULE_TABLE:
        k = table_interval(b.p.speeds, b.n.k, speed)
        part = table_part(b.p.speeds, k, speed, True)
        s.gain = table_between(b.p.gains[k], b.p.gains[k + 1], part)
        s.t_1 = table_between(b.p.time_constants[k], b.p.time_constants[k + 1], part)
        cubic = table_between(b.p.cubics[k], b.p.cubics[k + 1], part)
    s.resistance = ((cubic * r + n[2]) * r + n[1]) * r + n[0]


cdef inline void nomoto_motion(const NomotoVesselView* b, double* c, double* s, PlanarMotion* motion) noexcept nogil:
    """cos and sin of psi, relative velocity, and the forces that keep up a steady motion."""
    cdef NomotoSteering steering
    sine_cosine(b.x.eta[5], s, c)
    planar_relative_velocity(b.u.current, b.x.nu, c[0], s[0], motion)
    motion.f_c[0] = motion.f_c[1] = motion.f_c[2] = 0.0
    motion.f_d[0] = motion.nu_r[0] / b.p.surge_gain[0]
    motion.f_d[1] = 0.0
    nomoto_steering(b, motion.nu_r[0], &steering)
    motion.f_d[2] = b.p.rudder_moment[0] * steering.resistance / steering.gain


cdef inline double rudder_angle(const NomotoVesselView* b) noexcept nogil:
    """delta = (N + N_d) / N_delta."""
    return (b.u.force[5] + b.u.disturbance[5]) / b.p.rudder_moment[0]


cdef inline void nomoto_acceleration(
    const NomotoVesselView* b, bint second, const PlanarMotion* m, double* nu_dot
) noexcept nogil:
    """dnu/dt; what little sway there is through the water dies out as surge does."""
    cdef double rate = 1.0 / b.p.surge_time_constant[0]
    cdef NomotoSteering steering
    cdef double r = m.nu_r[2]
    nomoto_steering(b, m.nu_r[0], &steering)
    nu_dot[0] = (b.p.surge_gain[0] * (b.u.force[0] + b.u.disturbance[0]) - m.nu_r[0]) * rate + r * m.nu_c[1]
    nu_dot[1] = -m.nu_r[1] * rate - r * m.nu_c[0]
    if second:
        nu_dot[2] = b.x.yaw_lag[0] + (
            steering.gain * steering.lead * rudder_angle(b) - (steering.t_1 + steering.t_2) * r
        ) / (steering.t_1 * steering.t_2)
    else:
        nu_dot[2] = (steering.gain * rudder_angle(b) - steering.resistance) / steering.t_1


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
    """Second order: dr/dt = q + (K T_3 delta - (T_1 + T_2) r) / (T_1 T_2), dq/dt = (K delta - H(r)) / (T_1 T_2)."""
    cdef PlanarMotion motion
    cdef NomotoSteering steering
    cdef double s = 0.0, c = 1.0
    nomoto_rates(b, True)
    if b.n.s != 0:                  # K and T go with the speed through the water
        sine_cosine(b.x.eta[5], &s, &c)
    planar_relative_velocity(b.u.current, b.x.nu, c, s, &motion)
    nomoto_steering(b, motion.nu_r[0], &steering)
    b.dx.yaw_lag[0] = (steering.gain * rudder_angle(b) - steering.resistance) / (steering.t_1 * steering.t_2)
