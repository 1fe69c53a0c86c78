"""Kernel of dynamic positioning: nonlinear PID of position and attitude, in body axes.

e = (R' (p_d - p), T^-1 (Theta_d - Theta)),  tau = K_p e + K_d (nu_d - nu) + diag(R', R') z + M a_d + D nu_d,
dz/dt = diag(R, R) (K_i e - K_t (tau - limited tau)). With three degrees of freedom R turns about the vertical alone.
Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15.
"""

from cython_kernels.control.anti_windup cimport integral_rate
from cython_kernels.mathematics.frames cimport body_to_ned, ned_to_body, rotation_from_euler, wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.control.dynamic_positioning cimport DynamicPositioningView

cdef enum:
    POSITIONING_MOST = 6        # degrees of freedom


cdef inline int positioning_place(int n, int i) noexcept nogil:
    """Which of the six a degree of freedom is: surge, sway and yaw of three."""
    return 5 if n == 3 and i == 2 else i


cdef inline void positioning_held(const DynamicPositioningView* b, const double* r, double* held) noexcept nogil:
    """The integral in body axes, an element per degree of freedom."""
    if b.n.n == 3:
        held[0] = r[0] * b.x.integral[0] + r[3] * b.x.integral[1]
        held[1] = r[1] * b.x.integral[0] + r[4] * b.x.integral[1]
        held[2] = b.x.integral[5]
        return
    ned_to_body(r, b.x.integral, held)
    ned_to_body(r, b.x.integral + 3, held + 3)


cdef inline void positioning_hold(const DynamicPositioningView* b, const double* r, const double* rate) noexcept nogil:
    """dx from the rate of the integral in body axes, an element per degree of freedom."""
    if b.n.n == 3:
        b.dx.integral[0] = r[0] * rate[0] + r[1] * rate[1]
        b.dx.integral[1] = r[3] * rate[0] + r[4] * rate[1]
        b.dx.integral[2] = b.dx.integral[3] = b.dx.integral[4] = 0.0
        b.dx.integral[5] = rate[2]
        return
    body_to_ned(r, rate, b.dx.integral)
    body_to_ned(r, rate + 3, b.dx.integral + 3)


cdef inline void positioning_error(const DynamicPositioningView* b, double* r, double* e) noexcept nogil:
    """The rotation R and the error in body axes, an element per degree of freedom."""
    cdef const double* wanted = b.u.pose
    cdef const double* eta = b.u.eta
    cdef double apart[POSITIONING_MOST]
    cdef double s, c
    cdef int i
    if b.n.n == 3:
        sine_cosine(eta[5], &s, &c)
        r[0] = r[4] = c
        r[1] = -s
        r[3] = s
        r[2] = r[5] = r[6] = r[7] = 0.0
        r[8] = 1.0
        apart[0] = wanted[0] - eta[0]
        apart[1] = wanted[1] - eta[1]
        e[0] = c * apart[0] + s * apart[1]
        e[1] = c * apart[1] - s * apart[0]
        e[2] = wrap_angle(wanted[5] - eta[5])
        return
    rotation_from_euler(eta + 3, r)
    for i in range(3):
        apart[i] = wanted[i] - eta[i]
        apart[3 + i] = wrap_angle(wanted[3 + i] - eta[3 + i])
    ned_to_body(r, apart, e)
    sine_cosine(eta[3], &s, &c)
    e[3] = apart[3] + r[6] * apart[5]
    e[4] = c * apart[4] + r[7] * apart[5]
    e[5] = r[8] * apart[5] - s * apart[4]


cdef inline void positioning_total(
    const DynamicPositioningView* b, const double* r, const double* e, double* total
) noexcept nogil:
    """Forces and moments before their limits, an element per degree of freedom."""
    cdef const double* kp = b.p.kp
    cdef const double* kd = b.p.kd
    cdef const double* mass = b.p.mass_matrix
    cdef const double* damping = b.p.damping
    cdef double velocity[POSITIONING_MOST]
    cdef double behind[POSITIONING_MOST]
    cdef double acceleration[POSITIONING_MOST]
    cdef int n = b.n.n
    cdef int i, j, k
    positioning_held(b, r, total)
    for i in range(n):
        k = positioning_place(n, i)
        velocity[i] = b.u.velocity[k]
        behind[i] = velocity[i] - b.u.nu[k]
        acceleration[i] = b.u.acceleration[k]
    for i in range(n):
        for j in range(n):
            k = i * n + j
            total[i] += kp[k] * e[j] + kd[k] * behind[j] + mass[k] * acceleration[j] + damping[k] * velocity[j]


cdef inline void dynamic_positioning_setup(const DynamicPositioningView* b, double t) noexcept nogil:
    """w: 1 for each degree of freedom that has an integral gain."""
    cdef int n = b.n.n
    cdef int i, j
    for i in range(n):
        b.w.acts[i] = 0.0
        for j in range(n):
            if b.p.ki[i * n + j] != 0.0:
                b.w.acts[i] = 1.0


cdef inline void dynamic_positioning_outputs(const DynamicPositioningView* b, double t) noexcept nogil:
    """y: force, error."""
    cdef double r[9]
    cdef double e[POSITIONING_MOST]
    cdef double total[POSITIONING_MOST]
    cdef int n = b.n.n
    cdef int i
    positioning_error(b, r, e)
    if b.y.force != NULL:
        positioning_total(b, r, e, total)
        for i in range(6):
            b.y.force[i] = 0.0
        for i in range(n):
            b.y.force[positioning_place(n, i)] = clamp(total[i], b.p.lower[i], b.p.upper[i])
    if b.y.error != NULL:
        for i in range(6):
            b.y.error[i] = 0.0
        for i in range(n):
            b.y.error[positioning_place(n, i)] = e[i]


cdef inline void dynamic_positioning_derivatives(const DynamicPositioningView* b, double t) noexcept nogil:
    """dx: the integral, in NED axes, so that it holds against a steady current while the vessel turns."""
    cdef double r[9]
    cdef double e[POSITIONING_MOST]
    cdef double total[POSITIONING_MOST]
    cdef double rate[POSITIONING_MOST]
    cdef double driven, excess
    cdef int n = b.n.n
    cdef int i, j
    positioning_error(b, r, e)
    positioning_total(b, r, e, total)
    for i in range(n):
        driven = 0.0
        for j in range(n):
            driven += b.p.ki[i * n + j] * e[j]
        excess = total[i] - clamp(total[i], b.p.lower[i], b.p.upper[i])
        rate[i] = integral_rate(b.w.acts[i], driven, b.p.tracking_gain[i], excess)
    positioning_hold(b, r, rate)
