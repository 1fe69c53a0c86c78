"""Kernel of the integral sliding mode controller of heading.

e = psi_d - psi, r_v = r_d + 2 lambda e + I, dI/dt = lambda^2 e, sigma = r - r_v,
N = m dr_v/dt + (d + d_q |r|) r_v - k_d sigma - K h(sigma / Phi). Source: Fossen (2021), Handbook of Marine Craft
Hydrodynamics and Motion Control, 2nd ed., ch. 16.
"""

from cython_kernels.control.motion_control cimport motion_load
from cython_kernels.mathematics.elementary.hyperbolic cimport tanh
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.control.integral_sliding_mode cimport (
    INTEGRAL_SLIDING_MODE_BOUNDARY_TANH,
    IntegralSlidingModeView,
)


cdef inline double sliding_reference(const IntegralSlidingModeView* b, double error) noexcept nogil:
    """r_v, the yaw rate that takes the error away."""
    return b.u.rate[0] + 2.0 * b.p.bandwidth[0] * error + b.x.integral[0]


cdef inline double sliding_total(const IntegralSlidingModeView* b, double error) noexcept nogil:
    """The yaw moment before its limits."""
    cdef double bandwidth = b.p.bandwidth[0]
    cdef double r = b.u.nu[5]
    cdef double reference = sliding_reference(b, error)
    cdef double acceleration = (
        b.u.acceleration[0] + 2.0 * bandwidth * (b.u.rate[0] - r) + bandwidth * bandwidth * error
    )
    cdef double sigma = r - reference
    cdef double part = sigma / b.p.boundary_layer[0]
    cdef bint smooth = b.p.boundary[0] == INTEGRAL_SLIDING_MODE_BOUNDARY_TANH
    cdef double switched = tanh(part) if smooth else clamp(part, -1.0, 1.0)
    cdef double total = motion_load(
        b.p.inertia[0], b.p.damping[0], b.p.quadratic_damping[0], acceleration, reference, r
    )
    return total - b.p.kd[0] * sigma - b.p.switching_gain[0] * switched


cdef inline void integral_sliding_mode_outputs(const IntegralSlidingModeView* b, double t) noexcept nogil:
    """y: moment, error, sliding."""
    cdef double error = wrap_angle(b.u.heading[0] - b.u.eta[5])
    if b.y.moment != NULL:
        b.y.moment[0] = clamp(sliding_total(b, error), b.p.lower[0], b.p.upper[0])
    if b.y.error != NULL:
        b.y.error[0] = error
    if b.y.sliding != NULL:
        b.y.sliding[0] = b.u.nu[5] - sliding_reference(b, error)


cdef inline void integral_sliding_mode_derivatives(const IntegralSlidingModeView* b, double t) noexcept nogil:
    """dx: the integral, a yaw rate; a moment beyond its limits counts as the rate that it was meant to make."""
    cdef double bandwidth = b.p.bandwidth[0]
    cdef double error = b.y.error[0]
    cdef double total = sliding_total(b, error)
    cdef double excess = total - clamp(total, b.p.lower[0], b.p.upper[0])
    cdef double slope = b.p.damping[0] + b.p.kd[0] + b.p.switching_gain[0] / b.p.boundary_layer[0]
    b.dx.integral[0] = bandwidth * bandwidth * error - b.p.tracking_gain[0] * excess / slope
