"""Kernel of the depth controller."""

from cython_kernels.control.motion_control cimport limited_integral_rate, motion_load
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.control.depth_controller cimport DepthControllerView


cdef inline double depth_rate(const double* eta, const double* nu) noexcept nogil:
    """dz/dt, downwards."""
    cdef double sphi, cphi, stheta, ctheta
    sine_cosine(eta[3], &sphi, &cphi)
    sine_cosine(eta[4], &stheta, &ctheta)
    return ctheta * (sphi * nu[1] + cphi * nu[2]) - stheta * nu[0]


cdef inline double depth_total(const DepthControllerView* b, double error) noexcept nogil:
    """The heave force before its limits."""
    cdef double rate = b.u.rate[0]
    cdef double total = b.x.integral[0] + motion_load(
        b.p.inertia[0], b.p.damping[0], b.p.quadratic_damping[0], b.u.acceleration[0], rate, rate
    )
    return total + b.p.kp[0] * error + b.p.kd[0] * (rate - depth_rate(b.u.eta, b.u.nu))


cdef inline void depth_controller_outputs(const DepthControllerView* b, double t) noexcept nogil:
    """y: force, error."""
    cdef double error = b.u.depth[0] - b.u.eta[2]
    if b.y.force != NULL:
        b.y.force[0] = clamp(depth_total(b, error), b.p.lower[0], b.p.upper[0])
    if b.y.error != NULL:
        b.y.error[0] = error


cdef inline void depth_controller_derivatives(const DepthControllerView* b, double t) noexcept nogil:
    """dx: the integral."""
    cdef double error = b.y.error[0]
    cdef double total = depth_total(b, error)
    b.dx.integral[0] = limited_integral_rate(
        b.p.ki[0], error, b.p.tracking_gain[0], total, b.p.lower[0], b.p.upper[0]
    )
