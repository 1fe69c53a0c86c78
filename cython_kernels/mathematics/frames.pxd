"""Frames and angles: wrapping, rotation between body axes and NED, attitude as Euler angles or unit quaternion.

Attitude is zyx Euler angles (phi, theta, psi) or a scalar-first quaternion (eta, eps1, eps2, eps3). Rotation matrices
take body components to NED components and are stored row by row. Source of all of it: Fossen (2021), Handbook of
Marine Craft Hydrodynamics and Motion Control, ch. 2.
"""

from libc.math cimport floor, sqrt

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.trigonometry cimport sine_cosine

cdef extern from *:
    """
    #define KB_PI 3.14159265358979323846
    """
    const double KB_PI


cdef inline double wrap_angle(double angle) noexcept nogil:
    """The same direction within [-pi, pi)."""
    if -KB_PI <= angle < KB_PI:     # most are, and floor costs a call
        return angle
    return angle - 2.0 * KB_PI * floor((angle + KB_PI) / (2.0 * KB_PI))


cdef inline double length_of(double a, double b) noexcept nogil:
    """sqrt(a^2 + b^2) for metres and metres per second; libraries' hypot also bears 1e200, and costs more."""
    return sqrt(a * a + b * b)


cdef inline void cross_product(const double* a, const double* b, double* out) noexcept nogil:
    """out = a x b."""
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


cdef inline double rotation_from_euler(const double* angles, double* r) noexcept nogil:
    """R = R_z(psi) R_y(theta) R_x(phi). Returns cos(theta), which `euler_rates` wants."""
    cdef double sphi, cphi, stheta, ctheta, spsi, cpsi
    sine_cosine(angles[0], &sphi, &cphi)
    sine_cosine(angles[1], &stheta, &ctheta)
    sine_cosine(angles[2], &spsi, &cpsi)
    r[0] = cpsi * ctheta
    r[1] = cpsi * stheta * sphi - spsi * cphi
    r[2] = cpsi * stheta * cphi + spsi * sphi
    r[3] = spsi * ctheta
    r[4] = spsi * stheta * sphi + cpsi * cphi
    r[5] = spsi * stheta * cphi - cpsi * sphi
    r[6] = -stheta
    r[7] = ctheta * sphi
    r[8] = ctheta * cphi
    return ctheta


cdef inline void rotation_from_quaternion(const double* q, double* r) noexcept nogil:
    """R(q / |q|): a quaternion that has drifted off the unit sphere still gives a proper rotation."""
    cdef double s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    r[0] = 1.0 - s * (q[2] * q[2] + q[3] * q[3])
    r[1] = s * (q[1] * q[2] - q[3] * q[0])
    r[2] = s * (q[1] * q[3] + q[2] * q[0])
    r[3] = s * (q[1] * q[2] + q[3] * q[0])
    r[4] = 1.0 - s * (q[1] * q[1] + q[3] * q[3])
    r[5] = s * (q[2] * q[3] - q[1] * q[0])
    r[6] = s * (q[1] * q[3] - q[2] * q[0])
    r[7] = s * (q[2] * q[3] + q[1] * q[0])
    r[8] = 1.0 - s * (q[1] * q[1] + q[2] * q[2])


cdef inline void body_to_ned(const double* r, const double* v, double* out) noexcept nogil:
    """out = R v."""
    out[0] = r[0] * v[0] + r[1] * v[1] + r[2] * v[2]
    out[1] = r[3] * v[0] + r[4] * v[1] + r[5] * v[2]
    out[2] = r[6] * v[0] + r[7] * v[1] + r[8] * v[2]


cdef inline void ned_to_body(const double* r, const double* v, double* out) noexcept nogil:
    """out = R' v."""
    out[0] = r[0] * v[0] + r[3] * v[1] + r[6] * v[2]
    out[1] = r[1] * v[0] + r[4] * v[1] + r[7] * v[2]
    out[2] = r[2] * v[0] + r[5] * v[1] + r[8] * v[2]


cdef inline void euler_rates(const double* r, double cos_theta, const double* omega, double* out) noexcept nogil:
    """dphi/dt, dtheta/dt, dpsi/dt from the rotation and cos(theta) of these angles; singular at cos(theta) = 0."""
    cdef double psi_rate = (omega[1] * r[7] + omega[2] * r[8]) / (cos_theta * cos_theta)
    out[0] = omega[0] - r[6] * psi_rate
    out[1] = (omega[1] * r[8] - omega[2] * r[7]) / cos_theta
    out[2] = psi_rate


cdef inline void quaternion_rates(const double* q, const double* omega, double* out) noexcept nogil:
    """dq/dt = T(q) omega + (1 - q'q) q / 2 1/s, the second term holding |q| at one against rounding.

    It acts along q only, so it does not turn the body, and its time constant of 1 s makes no solver take smaller steps.
    """
    cdef double k = 0.5 * (1.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]))
    out[0] = 0.5 * (-q[1] * omega[0] - q[2] * omega[1] - q[3] * omega[2]) + k * q[0]
    out[1] = 0.5 * (q[0] * omega[0] - q[3] * omega[1] + q[2] * omega[2]) + k * q[1]
    out[2] = 0.5 * (q[3] * omega[0] + q[0] * omega[1] - q[1] * omega[2]) + k * q[2]
    out[3] = 0.5 * (-q[2] * omega[0] + q[1] * omega[1] + q[0] * omega[2]) + k * q[3]


cdef inline void quaternion_from_euler(const double* angles, double* q) noexcept nogil:
    """The unit quaternion of zyx Euler angles."""
    cdef double sphi, cphi, stheta, ctheta, spsi, cpsi
    sine_cosine(0.5 * angles[0], &sphi, &cphi)
    sine_cosine(0.5 * angles[1], &stheta, &ctheta)
    sine_cosine(0.5 * angles[2], &spsi, &cpsi)
    q[0] = cphi * ctheta * cpsi + sphi * stheta * spsi
    q[1] = sphi * ctheta * cpsi - cphi * stheta * spsi
    q[2] = cphi * stheta * cpsi + sphi * ctheta * spsi
    q[3] = cphi * ctheta * spsi - sphi * stheta * cpsi


cdef inline void euler_from_rotation(const double* r, double* angles) noexcept nogil:
    """zyx Euler angles of a rotation: phi and psi within [-pi, pi], theta within [-pi/2, pi/2]."""
    angles[0] = atan2(r[7], r[8])
    angles[1] = atan2(-r[6], sqrt(r[7] * r[7] + r[8] * r[8]))  # exact at +-pi/2 too, where an arcsine is not
    angles[2] = atan2(r[3], r[0])
