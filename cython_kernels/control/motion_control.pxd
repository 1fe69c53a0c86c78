"""What the controllers of one motion share: heading, depth and speed.

total = m a_d + (d + d_q |v_d|) v_d + k_p e + k_d (v_d - v) + I: a model of the motion ahead, PID for what it leaves.
Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15.
"""

from libc.math cimport fabs

from cython_kernels.control.anti_windup cimport integral_rate
from cython_kernels.mathematics.limits cimport clamp
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
