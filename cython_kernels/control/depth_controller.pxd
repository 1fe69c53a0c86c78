"""Kernel of the depth controller."""

from cython_kernels.control.motion_control cimport (
    MOTION_ACCELERATION, MOTION_ETA, MOTION_KD, MOTION_KP, MOTION_NU, MOTION_RATE, MOTION_REFERENCE, motion_derivatives,
    motion_feedforward, motion_outputs,
)
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View


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
