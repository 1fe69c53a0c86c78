"""Kernel of the dive plane controller: depth by pitch, and pitch by the pitch moment.

theta_d = I - k_p e, e = z_d - z;  M = K_p (theta_d - theta) - K_d q + k theta_d. Diving takes the bow down, which is a
negative pitch. Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15.
"""

from cython_kernels.control.anti_windup cimport integral_rate
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.view cimport View

cdef enum:                      # parameters
    DIVE_KP = 0
    DIVE_KI = 1
    DIVE_PITCH_KP = 2
    DIVE_PITCH_KD = 3
    DIVE_STIFFNESS = 4          # k
    DIVE_PITCH_LIMIT = 5
    DIVE_LOWER = 6
    DIVE_UPPER = 7
    DIVE_TRACKING = 8           # K_t


cdef inline double dive_pitch(const View* b, double error) noexcept nogil:
    """theta_d before its limits."""
    return b.x[0] - b.p[DIVE_KP][0] * error


cdef inline double dive_pitch_limited(const View* b, double pitch) noexcept nogil:
    """theta_d."""
    return clamp(pitch, -b.p[DIVE_PITCH_LIMIT][0], b.p[DIVE_PITCH_LIMIT][0])


cdef inline double dive_moment(const View* b, double pitch) noexcept nogil:
    """M before its limits, for a theta_d."""
    return (
        b.p[DIVE_PITCH_KP][0] * (pitch - b.u[1][4]) - b.p[DIVE_PITCH_KD][0] * b.u[2][4]
        + b.p[DIVE_STIFFNESS][0] * pitch
    )


cdef inline void dive_plane_controller_outputs(const View* b, double t) noexcept nogil:
    """y: moment, pitch, error."""
    cdef double error = b.u[0][0] - b.u[1][2]
    cdef double pitch = dive_pitch_limited(b, dive_pitch(b, error))
    if b.y[0] != NULL:
        b.y[0][0] = clamp(dive_moment(b, pitch), b.p[DIVE_LOWER][0], b.p[DIVE_UPPER][0])
    if b.y[1] != NULL:
        b.y[1][0] = pitch
    if b.y[2] != NULL:
        b.y[2][0] = error


cdef inline void dive_plane_controller_derivatives(const View* b, double t) noexcept nogil:
    """dx: the integral, an angle; a moment beyond its limits counts as the pitch that it was meant to make."""
    cdef double error = b.y[2][0]
    cdef double wanted = dive_pitch(b, error)
    cdef double pitch = dive_pitch_limited(b, wanted)
    cdef double moment = dive_moment(b, pitch)
    cdef double excess = wanted - pitch
    excess += (moment - clamp(moment, b.p[DIVE_LOWER][0], b.p[DIVE_UPPER][0])) / b.p[DIVE_PITCH_KP][0]
    b.dx[0] = integral_rate(-b.p[DIVE_KI][0], error, b.p[DIVE_TRACKING][0], excess)
