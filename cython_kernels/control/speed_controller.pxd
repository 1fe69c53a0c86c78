"""Kernel of the speed controller."""

from cython_kernels.control.motion_control cimport limited_integral_rate, motion_load
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.control.speed_controller cimport SpeedControllerView


cdef inline double speed_total(const SpeedControllerView* b, double error) noexcept nogil:
    """The surge force before its limits."""
    cdef double rate = b.u.speed[0]
    cdef double total = b.x.integral[0] + motion_load(
        b.p.inertia[0], b.p.damping[0], b.p.quadratic_damping[0], b.u.acceleration[0], rate, rate
    )
    return total + b.p.kp[0] * error


cdef inline void speed_controller_outputs(const SpeedControllerView* b, double t) noexcept nogil:
    """y: force, error."""
    cdef double error = b.u.speed[0] - b.u.nu[0]
    if b.y.force != NULL:
        b.y.force[0] = clamp(speed_total(b, error), b.p.lower[0], b.p.upper[0])
    if b.y.error != NULL:
        b.y.error[0] = error


cdef inline void speed_controller_derivatives(const SpeedControllerView* b, double t) noexcept nogil:
    """dx: the integral."""
    cdef double error = b.y.error[0]
    cdef double total = speed_total(b, error)
    b.dx.integral[0] = limited_integral_rate(
        b.p.ki[0], error, b.p.tracking_gain[0], total, b.p.lower[0], b.p.upper[0]
    )
