"""Kernels of the controllers of one motion: heading, depth and speed.

total = m a_d + (d + d_q |v_d|) v_d + k_p e + k_d (v_d - v) + I: a model of the motion ahead, PID for what it leaves.
Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15.
"""

from libc.math cimport fabs

from cython_kernels.control.anti_windup cimport integral_rate
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View

cdef enum:                      # parameters
    MOTION_KP = 0
    MOTION_KI = 1
    MOTION_INERTIA = 2          # m
    MOTION_DAMPING = 3          # d
    MOTION_QUADRATIC = 4        # d_q
    MOTION_LOWER = 5
    MOTION_UPPER = 6
    MOTION_TRACKING = 7         # K_t
    MOTION_KD = 8               # not of the speed controller

    # inputs of heading_autopilot and depth_controller
    MOTION_REFERENCE = 0
    MOTION_ETA = 1
    MOTION_NU = 2
    MOTION_RATE = 3
    MOTION_ACCELERATION = 4


cdef inline double motion_load(
    double inertia, double damping, double quadratic, double acceleration, double rate, double at
) noexcept nogil:
    """m a + (d + d_q |v|) v_1: what a motion takes; v = `at` is v_1 = `rate`, or the rate that there is."""
    return inertia * acceleration + (damping + quadratic * fabs(at)) * rate


cdef inline double motion_feedforward(const View* b, double rate, double acceleration) noexcept nogil:
    """What the motion that is wanted takes, by the model, and the integral."""
    return b.x[0] + motion_load(
        b.p[MOTION_INERTIA][0], b.p[MOTION_DAMPING][0], b.p[MOTION_QUADRATIC][0], acceleration, rate, rate
    )


cdef inline void motion_outputs(const View* b, double total, double error) noexcept nogil:
    """y: the force or moment within its limits, error."""
    if b.y[0] != NULL:
        b.y[0][0] = clamp(total, b.p[MOTION_LOWER][0], b.p[MOTION_UPPER][0])
    if b.y[1] != NULL:
        b.y[1][0] = error


cdef inline void motion_derivatives(const View* b, double total, double error) noexcept nogil:
    """dx: the integral."""
    cdef double excess = total - clamp(total, b.p[MOTION_LOWER][0], b.p[MOTION_UPPER][0])
    b.dx[0] = integral_rate(b.p[MOTION_KI][0], error, b.p[MOTION_TRACKING][0], excess)


# heading


cdef inline double heading_error(const View* b) noexcept nogil:
    """psi_d - psi the short way round."""
    return wrap_angle(b.u[MOTION_REFERENCE][0] - b.u[MOTION_ETA][5])


cdef inline double heading_total(const View* b, double error) noexcept nogil:
    """The yaw moment before its limits."""
    cdef double rate = b.u[MOTION_RATE][0]
    cdef double total = motion_feedforward(b, rate, b.u[MOTION_ACCELERATION][0])
    return total + b.p[MOTION_KP][0] * error + b.p[MOTION_KD][0] * (rate - b.u[MOTION_NU][5])


cdef inline void heading_autopilot_outputs(const View* b, double t) noexcept nogil:
    """y: moment, error."""
    cdef double error = heading_error(b)
    motion_outputs(b, heading_total(b, error) if b.y[0] != NULL else 0.0, error)


cdef inline void heading_autopilot_derivatives(const View* b, double t) noexcept nogil:
    """dx: the integral."""
    cdef double error = b.y[1][0]
    motion_derivatives(b, heading_total(b, error), error)


# depth


cdef inline double depth_rate(const double* eta, const double* nu) noexcept nogil:
    """dz/dt, downwards."""
    cdef double sphi, cphi, stheta, ctheta
    sine_cosine(eta[3], &sphi, &cphi)
    sine_cosine(eta[4], &stheta, &ctheta)
    return ctheta * (sphi * nu[1] + cphi * nu[2]) - stheta * nu[0]


cdef inline double depth_error(const View* b) noexcept nogil:
    """z_d - z."""
    return b.u[MOTION_REFERENCE][0] - b.u[MOTION_ETA][2]


cdef inline double depth_total(const View* b, double error) noexcept nogil:
    """The heave force before its limits."""
    cdef double rate = b.u[MOTION_RATE][0]
    cdef double total = motion_feedforward(b, rate, b.u[MOTION_ACCELERATION][0])
    return total + b.p[MOTION_KP][0] * error + b.p[MOTION_KD][0] * (rate - depth_rate(b.u[MOTION_ETA], b.u[MOTION_NU]))


cdef inline void depth_controller_outputs(const View* b, double t) noexcept nogil:
    """y: force, error."""
    cdef double error = depth_error(b)
    motion_outputs(b, depth_total(b, error) if b.y[0] != NULL else 0.0, error)


cdef inline void depth_controller_derivatives(const View* b, double t) noexcept nogil:
    """dx: the integral."""
    cdef double error = b.y[1][0]
    motion_derivatives(b, depth_total(b, error), error)


# speed: u = speed, nu, acceleration


cdef inline double speed_total(const View* b, double error) noexcept nogil:
    """The surge force before its limits."""
    return motion_feedforward(b, b.u[0][0], b.u[2][0]) + b.p[MOTION_KP][0] * error


cdef inline void speed_controller_outputs(const View* b, double t) noexcept nogil:
    """y: force, error."""
    cdef double error = b.u[0][0] - b.u[1][0]
    motion_outputs(b, speed_total(b, error) if b.y[0] != NULL else 0.0, error)


cdef inline void speed_controller_derivatives(const View* b, double t) noexcept nogil:
    """dx: the integral."""
    cdef double error = b.y[1][0]
    motion_derivatives(b, speed_total(b, error), error)
