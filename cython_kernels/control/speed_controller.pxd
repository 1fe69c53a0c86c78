"""Kernel of the speed controller: u = speed, nu, acceleration."""

from cython_kernels.control.motion_control cimport MOTION_KP, motion_derivatives, motion_feedforward, motion_outputs
from cython_kernels.view cimport View


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
