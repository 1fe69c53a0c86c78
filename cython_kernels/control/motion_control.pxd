"""What the controllers of one motion share: heading, depth and speed.

total = m a_d + (d + d_q |v_d|) v_d + k_p e + k_d (v_d - v) + I: a model of the motion ahead, PID for what it leaves.
Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15.
"""

from libc.math cimport fabs

from cython_kernels.control.anti_windup cimport integral_rate
from cython_kernels.mathematics.limits cimport clamp


cdef inline double motion_load(
    double inertia, double damping, double quadratic, double acceleration, double rate, double at
) noexcept nogil:
    """m a + (d + d_q |v|) v_1: what a motion takes; v = `at` is v_1 = `rate`, or the rate that there is."""
    return inertia * acceleration + (damping + quadratic * fabs(at)) * rate


cdef inline double limited_integral_rate(
    double gain, double error, double tracking, double total, double lower, double upper
) noexcept nogil:
    """dI/dt of a force or moment that is `total` before its limits."""
    return integral_rate(gain, error, tracking, total - clamp(total, lower, upper))
