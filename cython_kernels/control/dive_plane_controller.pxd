"""Kernel of the dive plane controller: depth by pitch, and pitch by the pitch moment.

theta_d = I - k_p e, e = z_d - z;  M = K_p (theta_d - theta) - K_d q + k theta_d. Diving takes the bow down, which is a
negative pitch. Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15.
"""

from cython_kernels.control.anti_windup cimport integral_rate
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.control.dive_plane_controller cimport DivePlaneControllerView


cdef inline double dive_pitch(const DivePlaneControllerView* b, double error) noexcept nogil:
    """theta_d before its limits."""
    return b.x.integral[0] - b.p.kp[0] * error


cdef inline double dive_pitch_limited(const DivePlaneControllerView* b, double pitch) noexcept nogil:
    """theta_d."""
    return clamp(pitch, -b.p.pitch_limit[0], b.p.pitch_limit[0])


cdef inline double dive_moment(const DivePlaneControllerView* b, double pitch) noexcept nogil:
    """M before its limits, for a theta_d."""
    return b.p.pitch_kp[0] * (pitch - b.u.eta[4]) - b.p.pitch_kd[0] * b.u.nu[4] + b.p.stiffness[0] * pitch


cdef inline void dive_plane_controller_outputs(const DivePlaneControllerView* b, double t) noexcept nogil:
    """y: moment, pitch, error."""
    cdef double error = b.u.depth[0] - b.u.eta[2]
    cdef double pitch = dive_pitch_limited(b, dive_pitch(b, error))
    if b.y.moment != NULL:
        b.y.moment[0] = clamp(dive_moment(b, pitch), b.p.lower[0], b.p.upper[0])
    if b.y.pitch != NULL:
        b.y.pitch[0] = pitch
    if b.y.error != NULL:
        b.y.error[0] = error


cdef inline void dive_plane_controller_derivatives(const DivePlaneControllerView* b, double t) noexcept nogil:
    """dx: the integral, an angle; a moment beyond its limits counts as the pitch that it was meant to make."""
    cdef double error = b.y.error[0]
    cdef double wanted = dive_pitch(b, error)
    cdef double pitch = dive_pitch_limited(b, wanted)
    cdef double moment = dive_moment(b, pitch)
    cdef double excess = wanted - pitch
    excess += (moment - clamp(moment, b.p.lower[0], b.p.upper[0])) / b.p.pitch_kp[0]
    b.dx.integral[0] = integral_rate(-b.p.ki[0], error, b.p.tracking_gain[0], excess)
