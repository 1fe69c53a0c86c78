"""Kernel of the heading autopilot."""

from cython_kernels.control.motion_control cimport (
    MOTION_ACCELERATION, MOTION_ETA, MOTION_KD, MOTION_KP, MOTION_NU, MOTION_RATE, MOTION_REFERENCE, motion_derivatives,
    motion_feedforward, motion_outputs,
)
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.view cimport View


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
