"""Kernel of the heading autopilot."""

from cython_kernels.control.motion_control cimport limited_integral_rate, motion_load
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.control.heading_autopilot cimport HeadingAutopilotView


cdef inline double heading_total(const HeadingAutopilotView* b, double error) noexcept nogil:
    """The yaw moment before its limits."""
    cdef double rate = b.u.rate[0]
    cdef double total = b.x.integral[0] + motion_load(
        b.p.inertia[0], b.p.damping[0], b.p.quadratic_damping[0], b.u.acceleration[0], rate, rate
    )
    return total + b.p.kp[0] * error + b.p.kd[0] * (rate - b.u.nu[5])


cdef inline void heading_autopilot_outputs(const HeadingAutopilotView* b, double t) noexcept nogil:
    """y: moment, error."""
    cdef double error = wrap_angle(b.u.heading[0] - b.u.eta[5])
    if b.y.moment != NULL:
        b.y.moment[0] = clamp(heading_total(b, error), b.p.lower[0], b.p.upper[0])
    if b.y.error != NULL:
        b.y.error[0] = error


cdef inline void heading_autopilot_derivatives(const HeadingAutopilotView* b, double t) noexcept nogil:
    """dx: the integral."""
    cdef double error = b.y.error[0]
    cdef double total = heading_total(b, error)
    b.dx.integral[0] = limited_integral_rate(
        b.p.ki[0], error, b.p.tracking_gain[0], total, b.p.lower[0], b.p.upper[0]
    )
