"""Kernel of the integral sliding mode controller of heading.

e = psi_d - psi, r_v = r_d + 2 lambda e + I, dI/dt = lambda^2 e, sigma = r - r_v,
N = m dr_v/dt + (d + d_q |r|) r_v - k_d sigma - K h(sigma / Phi). Source: Fossen (2021), Handbook of Marine Craft
Hydrodynamics and Motion Control, 2nd ed., ch. 16.
"""

from libc.math cimport tanh

from cython_kernels.control.motion_control cimport motion_load
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.view cimport View

cdef enum:                      # parameters
    SLIDING_BANDWIDTH = 0       # lambda
    SLIDING_KD = 1
    SLIDING_SWITCHING = 2       # K
    SLIDING_LAYER = 3           # Phi
    SLIDING_BOUNDARY = 4        # 0: tanh, 1: saturation
    SLIDING_INERTIA = 5
    SLIDING_DAMPING = 6
    SLIDING_QUADRATIC = 7
    SLIDING_LOWER = 8
    SLIDING_UPPER = 9
    SLIDING_TRACKING = 10       # K_t

    # inputs
    SLIDING_HEADING = 0
    SLIDING_ETA = 1
    SLIDING_NU = 2
    SLIDING_RATE = 3
    SLIDING_ACCELERATION = 4


cdef inline double sliding_reference(const View* b, double error) noexcept nogil:
    """r_v, the yaw rate that takes the error away."""
    return b.u[SLIDING_RATE][0] + 2.0 * b.p[SLIDING_BANDWIDTH][0] * error + b.x[0]


cdef inline double sliding_total(const View* b, double error) noexcept nogil:
    """The yaw moment before its limits."""
    cdef double bandwidth = b.p[SLIDING_BANDWIDTH][0]
    cdef double r = b.u[SLIDING_NU][5]
    cdef double reference = sliding_reference(b, error)
    cdef double acceleration = (
        b.u[SLIDING_ACCELERATION][0] + 2.0 * bandwidth * (b.u[SLIDING_RATE][0] - r) + bandwidth * bandwidth * error
    )
    cdef double sigma = r - reference
    cdef double part = sigma / b.p[SLIDING_LAYER][0]
    cdef double switched = tanh(part) if b.p[SLIDING_BOUNDARY][0] == 0.0 else clamp(part, -1.0, 1.0)
    cdef double total = motion_load(
        b.p[SLIDING_INERTIA][0], b.p[SLIDING_DAMPING][0], b.p[SLIDING_QUADRATIC][0], acceleration, reference, r
    )
    return total - b.p[SLIDING_KD][0] * sigma - b.p[SLIDING_SWITCHING][0] * switched


cdef inline void integral_sliding_mode_outputs(const View* b, double t) noexcept nogil:
    """y: moment, error, sliding."""
    cdef double error = wrap_angle(b.u[SLIDING_HEADING][0] - b.u[SLIDING_ETA][5])
    if b.y[0] != NULL:
        b.y[0][0] = clamp(sliding_total(b, error), b.p[SLIDING_LOWER][0], b.p[SLIDING_UPPER][0])
    if b.y[1] != NULL:
        b.y[1][0] = error
    if b.y[2] != NULL:
        b.y[2][0] = b.u[SLIDING_NU][5] - sliding_reference(b, error)


cdef inline void integral_sliding_mode_derivatives(const View* b, double t) noexcept nogil:
    """dx: the integral, a yaw rate; a moment beyond its limits counts as the rate that it was meant to make."""
    cdef double bandwidth = b.p[SLIDING_BANDWIDTH][0]
    cdef double error = b.y[1][0]
    cdef double total = sliding_total(b, error)
    cdef double excess = total - clamp(total, b.p[SLIDING_LOWER][0], b.p[SLIDING_UPPER][0])
    cdef double slope = (
        b.p[SLIDING_DAMPING][0] + b.p[SLIDING_KD][0] + b.p[SLIDING_SWITCHING][0] / b.p[SLIDING_LAYER][0]
    )
    b.dx[0] = bandwidth * bandwidth * error - b.p[SLIDING_TRACKING][0] * excess / slope
