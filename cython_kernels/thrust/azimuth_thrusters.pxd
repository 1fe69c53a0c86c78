"""Kernels of thrusters that turn about a vertical axis, or stand at an angle to the hull."""

from libc.math cimport copysign, fabs

from cython_kernels.mathematics.frames cimport KB_PI, wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.actuator cimport actuator_rate
from cython_kernels.thrust.azimuths cimport odd_thrust_curve
from cython_kernels.thrust.propellers cimport disc_power
from cython_kernels.views.thrust.azimuth_thrusters cimport (
    AZIMUTH_THRUSTERS_FULL_TURN_ENDLESS, AZIMUTH_THRUSTERS_POWER_MODEL_CUBIC, AZIMUTH_THRUSTERS_RESPONSE_RATE_LIMITED,
    AzimuthThrustersView,
)


cdef inline double azimuth_commanded_speed(const AzimuthThrustersView* b, int i) noexcept nogil:
    """The commanded speed of thruster i within its limits."""
    return clamp(b.u.command[i], -b.p.speed_limit_reverse[i], b.p.speed_limit_forward[i])


cdef inline bint azimuth_is_endless(const AzimuthThrustersView* b, int i) noexcept nogil:
    """True if thruster i turns on and on; a range that was given in few digits is a full turn still."""
    return (
        b.p.full_turn[0] == AZIMUTH_THRUSTERS_FULL_TURN_ENDLESS
        and b.p.angle_max[i] - b.p.angle_min[i] >= 2.0 * KB_PI - 1e-4
    )


cdef inline double azimuth_commanded_angle(const AzimuthThrustersView* b, int i) noexcept nogil:
    """The commanded angle of thruster i within its range."""
    if azimuth_is_endless(b, i):
        return b.u.angle[i]
    return clamp(b.u.angle[i], b.p.angle_min[i], b.p.angle_max[i])


cdef inline void thrust_of_azimuths(const AzimuthThrustersView* b, bint instant) noexcept nogil:
    """y, at the commanded speeds and angles or at those that are reached."""
    cdef const double* nu_r = b.u.nu_r
    cdef const double* r
    cdef bint cubic = b.p.power_model[0] == AZIMUTH_THRUSTERS_POWER_MODEL_CUBIC
    cdef bint pushes = b.y.force != NULL or b.y.thrust != NULL or (b.y.power != NULL and not cubic)
    cdef double n, angle, s, c, v_a, thrust, x_force, y_force
    cdef int i
    if b.y.force != NULL:
        for i in range(6):
            b.y.force[i] = 0.0
    for i in range(b.n.n):
        n = azimuth_commanded_speed(b, i) if instant else b.x.speed[i]
        angle = azimuth_commanded_angle(b, i) if instant else b.x.azimuth[i]
        if b.y.speed != NULL:
            b.y.speed[i] = n
        if b.y.power != NULL and cubic:
            b.y.power[i] = b.p.power_coefficient[i] * n * n * fabs(n)
        if b.y.azimuth != NULL:
            b.y.azimuth[i] = angle
        if not pushes:
            continue
        r = b.p.positions + 3 * i
        sine_cosine(angle, &s, &c)
        v_a = c * (nu_r[0] + nu_r[4] * r[2] - nu_r[5] * r[1]) + s * (nu_r[1] + nu_r[5] * r[0] - nu_r[3] * r[2])
        thrust = (
            odd_thrust_curve(b.p.thrust_coefficient + 3 * i, n) - b.p.inflow_coefficient[i] * fabs(n) * v_a
        )
        if b.y.thrust != NULL:
            b.y.thrust[i] = thrust
        if b.y.power != NULL and not cubic:
            b.y.power[i] = disc_power(
                copysign(1.0, n) * thrust, copysign(1.0, n) * v_a, b.p.diameter[i],
                b.p.density[0], b.p.figure_of_merit[0],
            )
        if b.y.force != NULL:
            x_force = c * thrust
            y_force = s * thrust
            b.y.force[0] += x_force
            b.y.force[1] += y_force
            b.y.force[3] -= r[2] * y_force
            b.y.force[4] += r[2] * x_force
            b.y.force[5] += r[0] * y_force - r[1] * x_force


cdef inline void azimuth_thrusters_outputs(const AzimuthThrustersView* b, double t) noexcept nogil:
    thrust_of_azimuths(b, True)


cdef inline void azimuth_thrusters_lag_start(const AzimuthThrustersView* b, double t) noexcept nogil:
    """Angles begin within their ranges."""
    cdef int i
    for i in range(b.n.n):
        (<double*>b.x.speed)[i] = b.p.initial_speed[i]
        (<double*>b.x.azimuth)[i] = clamp(b.p.initial_azimuth[i], b.p.angle_min[i], b.p.angle_max[i])


cdef inline void azimuth_thrusters_lag_outputs(const AzimuthThrustersView* b, double t) noexcept nogil:
    thrust_of_azimuths(b, False)


cdef inline void azimuth_thrusters_lag_derivatives(const AzimuthThrustersView* b, double t) noexcept nogil:
    """dn/dt = (n_c - n) / T_n and dalpha/dt = (alpha_c - alpha) / T_alpha, within +-rate if rate-limited."""
    cdef bint limited = b.p.response[0] == AZIMUTH_THRUSTERS_RESPONSE_RATE_LIMITED
    cdef double turn
    cdef int i
    for i in range(b.n.n):
        b.dx.speed[i] = actuator_rate(
            azimuth_commanded_speed(b, i) - b.x.speed[i], b.p.time_constant[i], limited, b.p.rate_limit[i]
        )
        turn = azimuth_commanded_angle(b, i) - b.x.azimuth[i]
        b.dx.azimuth[i] = actuator_rate(
            wrap_angle(turn) if azimuth_is_endless(b, i) else turn, b.p.angle_time_constant[i], limited,
            b.p.angle_rate_limit[i],
        )
