"""Kernel of the controller of roll and pitch: the tilt from the wanted vertical, and a PID law about two axes.

Source: Bullo, Murray and Sarti (1995), Control on the sphere and reduced attitude stabilization, IFAC Nonlinear Control
Systems Design.
"""

from libc.math cimport sqrt

from cython_kernels.control.motion_control cimport limited_integral_rate
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.control.attitude_controller cimport AttitudeControllerView


cdef inline void downwards(double roll, double pitch, double* g) noexcept nogil:
    """The third row of the rotation matrix: down, as seen from the body."""
    cdef double sphi, cphi, stheta, ctheta
    sine_cosine(roll, &sphi, &cphi)
    sine_cosine(pitch, &stheta, &ctheta)
    g[0] = -stheta
    g[1] = ctheta * sphi
    g[2] = ctheta * cphi


cdef inline void tilt_error(double roll, double pitch, const double* eta, double* error) noexcept nogil:
    """The shortest turn from the vertical that is to the wanted one: its roll and pitch parts."""
    cdef double is_[3]
    cdef double wanted[3]
    cdef double x, y, z, sine, cosine, scale
    downwards(eta[3], eta[4], is_)
    downwards(roll, pitch, wanted)
    x = wanted[1] * is_[2] - wanted[2] * is_[1]
    y = wanted[2] * is_[0] - wanted[0] * is_[2]
    z = wanted[0] * is_[1] - wanted[1] * is_[0]
    sine = sqrt(x * x + y * y + z * z)
    cosine = wanted[0] * is_[0] + wanted[1] * is_[1] + wanted[2] * is_[2]
    if sine == 0.0:
        error[0] = 0.0 if cosine > 0.0 else KB_PI   # upside down every way is as long
        error[1] = 0.0
        return
    scale = atan2(sine, cosine) / sine
    error[0] = scale * x
    error[1] = scale * y


cdef inline double tilt_moment(const AttitudeControllerView* b, int i, double error) noexcept nogil:
    """The moment about axis i before its limits."""
    cdef double total = b.x.integral[i] + b.p.kp[i] * error
    cdef double stheta, ctheta, sphi, cphi
    total += b.p.kd[i] * ((b.u.roll_rate[0] if i == 0 else b.u.pitch_rate[0]) - b.u.nu[3 + i])
    sine_cosine(b.u.pitch[0], &stheta, &ctheta)
    if i == 1:
        return total + b.p.stiffness[1] * stheta
    sine_cosine(b.u.roll[0], &sphi, &cphi)
    return total + b.p.stiffness[0] * ctheta * sphi


cdef inline void attitude_controller_outputs(const AttitudeControllerView* b, double t) noexcept nogil:
    """y: K, M, error."""
    cdef double error[2]
    tilt_error(b.u.roll[0], b.u.pitch[0], b.u.eta, error)
    if b.y.K != NULL:
        b.y.K[0] = clamp(tilt_moment(b, 0, error[0]), b.p.lower[0], b.p.upper[0])
    if b.y.M != NULL:
        b.y.M[0] = clamp(tilt_moment(b, 1, error[1]), b.p.lower[1], b.p.upper[1])
    if b.y.error != NULL:
        b.y.error[0] = error[0]
        b.y.error[1] = error[1]


cdef inline void attitude_controller_derivatives(const AttitudeControllerView* b, double t) noexcept nogil:
    """dx: the integrals."""
    cdef int i
    for i in range(2):
        b.dx.integral[i] = limited_integral_rate(
            b.p.ki[i], b.y.error[i], b.p.tracking_gain[i], tilt_moment(b, i, b.y.error[i]), b.p.lower[i], b.p.upper[i]
        )
