"""Kernel of the propellers fixed in the hull."""

from libc.math cimport copysign, fabs

from cython_kernels.frames cimport KB_PI
from cython_kernels.limits cimport clamp
from cython_kernels.propeller cimport (
    PROPELLER_ALLOCATION, PROPELLER_DENSITY, PROPELLER_DIAMETER, PROPELLER_KT_FORWARD, PROPELLER_KT_REVERSE,
    PROPELLER_LIMIT_FORWARD, PROPELLER_LIMIT_REVERSE, PROPELLER_PARAMETERS, PROPELLER_RANGE_FORWARD,
    PROPELLER_RANGE_REVERSE, advance_ratio, advance_speed, cubic_polynomial, momentum_torque_coefficient,
    propeller_setup, propeller_thrust,
)
from cython_kernels.view cimport View

cdef enum:                                  # parameters beyond those that all blocks with propellers share
    THRUSTERS_TORQUE_MODEL = PROPELLER_PARAMETERS   # 0 figure of merit, 1 coefficients
    THRUSTERS_FIGURE_OF_MERIT
    THRUSTERS_KQ_FORWARD
    THRUSTERS_KQ_REVERSE
    THRUSTERS_RESPONSE                      # 0 instant, 1 first order, 2 rate-limited
    THRUSTERS_TIME_CONSTANT
    THRUSTERS_RATE_LIMIT


cdef inline double limited_command(const View* b, int i) noexcept nogil:
    """The commanded speed of propeller i within its limits."""
    return clamp(b.u[0][i], -b.p[PROPELLER_LIMIT_REVERSE][i], b.p[PROPELLER_LIMIT_FORWARD][i])


cdef inline double shaft_power(const View* b, int i, double n, double v_a) noexcept nogil:
    """P = 2 pi n Q = 2 pi rho D^5 K_Q(J) |n|^3: positive where the shaft is driven."""
    cdef double diameter = b.p[PROPELLER_DIAMETER][i]
    cdef bint ahead = n >= 0.0
    cdef double j = advance_ratio(
        n, v_a, diameter, b.p[PROPELLER_RANGE_FORWARD] if ahead else b.p[PROPELLER_RANGE_REVERSE]
    )
    cdef double k_q
    if b.p[THRUSTERS_TORQUE_MODEL][0] == 0.0:
        k_q = momentum_torque_coefficient(
            cubic_polynomial(b.p[PROPELLER_KT_FORWARD] if ahead else b.p[PROPELLER_KT_REVERSE], j),
            copysign(1.0, n) * j,
            b.p[THRUSTERS_FIGURE_OF_MERIT][0],
        )
    else:
        k_q = cubic_polynomial(b.p[THRUSTERS_KQ_FORWARD] if ahead else b.p[THRUSTERS_KQ_REVERSE], j)
    return (
        2.0 * KB_PI * b.p[PROPELLER_DENSITY][0] * diameter * diameter * diameter * diameter * diameter
        * k_q * n * n * fabs(n)
    )


cdef inline void propeller_thrusters_setup(const View* b, double t) noexcept nogil:
    """Advance matrix and thrust gains."""
    propeller_setup(b, b.n[0])


cdef inline void propeller_thrusters_outputs(const View* b, double t) noexcept nogil:
    """force = T f, thrust f, speed n, power P."""
    cdef const double* allocation = b.p[PROPELLER_ALLOCATION]
    cdef const double* nu_r = b.u[1]
    cdef bint instant = b.p[THRUSTERS_RESPONSE][0] == 0.0
    cdef int count = b.n[0]
    cdef double n, v_a, thrust
    cdef int i, j
    if b.y[0] != NULL:
        for j in range(6):
            b.y[0][j] = 0.0
    for i in range(count):
        n = limited_command(b, i) if instant else b.x[i]
        if b.y[2] != NULL:
            b.y[2][i] = n
        if b.y[0] == NULL and b.y[1] == NULL and b.y[3] == NULL:
            continue
        v_a = advance_speed(b, i, nu_r)
        if b.y[0] != NULL or b.y[1] != NULL:
            thrust = propeller_thrust(b, i, n, v_a)
            if b.y[0] != NULL:
                for j in range(6):
                    b.y[0][j] += allocation[j * count + i] * thrust
            if b.y[1] != NULL:
                b.y[1][i] = thrust
        if b.y[3] != NULL:
            b.y[3][i] = shaft_power(b, i, n, v_a)


cdef inline void propeller_thrusters_derivatives(const View* b, double t) noexcept nogil:
    """dn/dt = (n_c - n) / T_n, within +-rate if rate-limited."""
    cdef bint rate_limited = b.p[THRUSTERS_RESPONSE][0] == 2.0
    cdef double rate, most
    cdef int i
    for i in range(b.n[0]):
        rate = (limited_command(b, i) - b.x[i]) / b.p[THRUSTERS_TIME_CONSTANT][i]
        if rate_limited:
            most = b.p[THRUSTERS_RATE_LIMIT][i]
            rate = clamp(rate, -most, most)
        b.dx[i] = rate
