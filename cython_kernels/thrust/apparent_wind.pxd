"""The air as a point of the hull meets it."""

from cython_kernels.mathematics.frames cimport ned_to_body, rotation_from_euler
from cython_kernels.thrust.lever_arm cimport velocity_at


cdef inline void velocity_through_air(
    const double* eta, const double* nu, const double* wind, const double* r, double* out
) noexcept nogil:
    """Velocity of a point of the hull relative to the air, in body axes."""
    cdef double rotation[9]
    cdef double air[3]
    rotation_from_euler(eta + 3, rotation)
    ned_to_body(rotation, wind, air)
    velocity_at(nu, r, out)
    out[0] -= air[0]
    out[1] -= air[1]
    out[2] -= air[2]
