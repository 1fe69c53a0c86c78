"""Kernels of thrusters that turn about a vertical axis, or stand at an angle to the hull."""

from libc.math cimport copysign, fabs

from cython_kernels.mathematics.frames cimport KB_PI, wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.actuator cimport RESPONSE_INSTANT, actuator_rate
from cython_kernels.thrust.azimuths cimport (
    AZIMUTH_ANGLE_MAX, AZIMUTH_ANGLE_MIN, AZIMUTH_COEFFICIENTS, AZIMUTH_LIMIT_FORWARD, AZIMUTH_LIMIT_REVERSE,
    AZIMUTH_PARAMETERS, AZIMUTH_POSITIONS, odd_thrust_curve,
)
from cython_kernels.thrust.propellers cimport disc_power
from cython_kernels.view cimport View

cdef enum:                              # parameters beyond those of all blocks with such thrusters
    AZIMUTH_INFLOW = AZIMUTH_PARAMETERS
    AZIMUTH_POWER_MODEL                 # 0 cubic, 1 figure of merit
    AZIMUTH_POWER
    AZIMUTH_DIAMETER
    AZIMUTH_FIGURE_OF_MERIT
    AZIMUTH_DENSITY
    AZIMUTH_FULL_TURN                   # 0 between stops, 1 endless
    AZIMUTH_RESPONSE
    AZIMUTH_TIME_CONSTANT
    AZIMUTH_RATE_LIMIT
    AZIMUTH_ANGLE_TIME_CONSTANT
    AZIMUTH_ANGLE_RATE_LIMIT
    AZIMUTH_INITIAL_SPEED
    AZIMUTH_INITIAL_ANGLE


cdef inline double azimuth_commanded_speed(const View* b, int i) noexcept nogil:
    """The commanded speed of thruster i within its limits."""
    return clamp(b.u[0][i], -b.p[AZIMUTH_LIMIT_REVERSE][i], b.p[AZIMUTH_LIMIT_FORWARD][i])


cdef inline bint azimuth_is_endless(const View* b, int i) noexcept nogil:
    """True if thruster i turns on and on; a range that was given in few digits is a full turn still."""
    return (
        b.p[AZIMUTH_FULL_TURN][0] != 0.0
        and b.p[AZIMUTH_ANGLE_MAX][i] - b.p[AZIMUTH_ANGLE_MIN][i] >= 2.0 * KB_PI - 1e-4
    )


cdef inline double azimuth_commanded_angle(const View* b, int i) noexcept nogil:
    """The commanded angle of thruster i within its range."""
    if azimuth_is_endless(b, i):
        return b.u[1][i]
    return clamp(b.u[1][i], b.p[AZIMUTH_ANGLE_MIN][i], b.p[AZIMUTH_ANGLE_MAX][i])


cdef inline void azimuth_thrusters_start(const View* b, double t) noexcept nogil:
    """x = speeds, then angles within their ranges."""
    cdef double* x = <double*>b.x
    cdef int n = b.n[0]
    cdef int i
    for i in range(n):
        x[i] = b.p[AZIMUTH_INITIAL_SPEED][i]
        x[n + i] = clamp(b.p[AZIMUTH_INITIAL_ANGLE][i], b.p[AZIMUTH_ANGLE_MIN][i], b.p[AZIMUTH_ANGLE_MAX][i])


cdef inline void azimuth_thrusters_outputs(const View* b, double t) noexcept nogil:
    """y = force, thrust, speed, power, azimuth; u = command, angle, nu_r."""
    cdef const double* nu_r = b.u[2]
    cdef const double* r
    cdef bint instant = b.p[AZIMUTH_RESPONSE][0] == RESPONSE_INSTANT
    cdef bint cubic = b.p[AZIMUTH_POWER_MODEL][0] == 0.0
    cdef bint pushes = b.y[0] != NULL or b.y[1] != NULL or (b.y[3] != NULL and not cubic)
    cdef int count = b.n[0]
    cdef double n, angle, s, c, v_a, thrust, x_force, y_force
    cdef int i
    if b.y[0] != NULL:
        for i in range(6):
            b.y[0][i] = 0.0
    for i in range(count):
        n = azimuth_commanded_speed(b, i) if instant else b.x[i]
        angle = azimuth_commanded_angle(b, i) if instant else b.x[count + i]
        if b.y[2] != NULL:
            b.y[2][i] = n
        if b.y[3] != NULL and cubic:
            b.y[3][i] = b.p[AZIMUTH_POWER][i] * n * n * fabs(n)
        if b.y[4] != NULL:
            b.y[4][i] = angle
        if not pushes:
            continue
        r = b.p[AZIMUTH_POSITIONS] + 3 * i
        sine_cosine(angle, &s, &c)
        v_a = c * (nu_r[0] + nu_r[4] * r[2] - nu_r[5] * r[1]) + s * (nu_r[1] + nu_r[5] * r[0] - nu_r[3] * r[2])
        thrust = (
            odd_thrust_curve(b.p[AZIMUTH_COEFFICIENTS] + 3 * i, n) - b.p[AZIMUTH_INFLOW][i] * fabs(n) * v_a
        )
        if b.y[1] != NULL:
            b.y[1][i] = thrust
        if b.y[3] != NULL and not cubic:
            b.y[3][i] = disc_power(
                copysign(1.0, n) * thrust, copysign(1.0, n) * v_a, b.p[AZIMUTH_DIAMETER][i],
                b.p[AZIMUTH_DENSITY][0], b.p[AZIMUTH_FIGURE_OF_MERIT][0],
            )
        if b.y[0] != NULL:
            x_force = c * thrust
            y_force = s * thrust
            b.y[0][0] += x_force
            b.y[0][1] += y_force
            b.y[0][3] -= r[2] * y_force
            b.y[0][4] += r[2] * x_force
            b.y[0][5] += r[0] * y_force - r[1] * x_force


cdef inline void azimuth_thrusters_derivatives(const View* b, double t) noexcept nogil:
    """dn/dt = (n_c - n) / T_n and dalpha/dt = (alpha_c - alpha) / T_alpha, within +-rate if rate-limited."""
    cdef double response = b.p[AZIMUTH_RESPONSE][0]
    cdef int count = b.n[0]
    cdef double turn
    cdef int i
    for i in range(count):
        b.dx[i] = actuator_rate(
            azimuth_commanded_speed(b, i) - b.x[i], b.p[AZIMUTH_TIME_CONSTANT][i], response,
            b.p[AZIMUTH_RATE_LIMIT][i],
        )
        turn = azimuth_commanded_angle(b, i) - b.x[count + i]
        b.dx[count + i] = actuator_rate(
            wrap_angle(turn) if azimuth_is_endless(b, i) else turn, b.p[AZIMUTH_ANGLE_TIME_CONSTANT][i], response,
            b.p[AZIMUTH_ANGLE_RATE_LIMIT][i],
        )
