"""Kernel of the propellers fixed in the hull."""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.thrust.actuator cimport RESPONSE_INSTANT, actuator_rate
from cython_kernels.thrust.propellers cimport (
    PROPELLER_ALLOCATION, PROPELLER_DENSITY, PROPELLER_DIAMETER, PROPELLER_KT_FORWARD, PROPELLER_KT_REVERSE,
    PROPELLER_LIMIT_FORWARD, PROPELLER_LIMIT_REVERSE, PROPELLER_PARAMETERS, PROPELLER_RANGE_FORWARD,
    PROPELLER_RANGE_REVERSE, advance_ratio, advance_speed, cubic_polynomial, momentum_torque_coefficient,
    propeller_setup, thrust_at,
)
from cython_kernels.view cimport View

cdef enum:                                  # parameters beyond those that all blocks with propellers share
    THRUSTERS_TORQUE_MODEL = PROPELLER_PARAMETERS   # 0 figure of merit, 1 coefficients
    THRUSTERS_FIGURE_OF_MERIT
    THRUSTERS_KQ_FORWARD
    THRUSTERS_KQ_REVERSE
    THRUSTERS_RESPONSE
    THRUSTERS_TIME_CONSTANT
    THRUSTERS_RATE_LIMIT


cdef inline double limited_command(const View* b, int i) noexcept nogil:
    """The commanded speed of propeller i within its limits."""
    return clamp(b.u[0][i], -b.p[PROPELLER_LIMIT_REVERSE][i], b.p[PROPELLER_LIMIT_FORWARD][i])


cdef inline double shaft_torque(const View* b, int i, double n, double j, double k_t) noexcept nogil:
    """Q = rho D^5 K_Q(J) |n| n: of the sign of n where the shaft is driven; K_T(J) is known."""
    cdef double diameter = b.p[PROPELLER_DIAMETER][i]
    cdef double k_q
    if b.p[THRUSTERS_TORQUE_MODEL][0] == 0.0:
        k_q = momentum_torque_coefficient(k_t, j if n >= 0.0 else -j, b.p[THRUSTERS_FIGURE_OF_MERIT][0])
    else:
        k_q = cubic_polynomial(b.p[THRUSTERS_KQ_FORWARD] if n >= 0.0 else b.p[THRUSTERS_KQ_REVERSE], j)
    return (
        b.p[PROPELLER_DENSITY][0] * diameter * diameter * diameter * diameter * diameter * k_q * fabs(n) * n
    )


cdef inline void propeller_thrusters_setup(const View* b, double t) noexcept nogil:
    """Advance matrix and thrust gains."""
    propeller_setup(b, b.n[0])


cdef inline void propeller_thrusters_outputs(const View* b, double t) noexcept nogil:
    """force = T f, thrust f, speed n, power P = 2 pi n Q, torque Q."""
    cdef const double* allocation = b.p[PROPELLER_ALLOCATION]
    cdef const double* nu_r = b.u[1]
    cdef bint instant = b.p[THRUSTERS_RESPONSE][0] == RESPONSE_INSTANT
    cdef int count = b.n[0]
    cdef const double* coefficients
    cdef const double* bounds
    cdef double n, j, k_t, thrust, torque
    cdef int i, k
    if b.y[0] != NULL:
        for k in range(6):
            b.y[0][k] = 0.0
    for i in range(count):
        n = limited_command(b, i) if instant else b.x[i]
        if b.y[2] != NULL:
            b.y[2][i] = n
        if b.y[0] == NULL and b.y[1] == NULL and b.y[3] == NULL and b.y[4] == NULL:
            continue
        coefficients = b.p[PROPELLER_KT_FORWARD] if n >= 0.0 else b.p[PROPELLER_KT_REVERSE]
        bounds = b.p[PROPELLER_RANGE_FORWARD] if n >= 0.0 else b.p[PROPELLER_RANGE_REVERSE]
        j = advance_ratio(n, advance_speed(b, i, nu_r), b.p[PROPELLER_DIAMETER][i], bounds)
        k_t = cubic_polynomial(coefficients, j)
        if b.y[0] != NULL or b.y[1] != NULL:
            thrust = thrust_at(b, i, n, k_t)
            if b.y[0] != NULL:
                for k in range(6):
                    b.y[0][k] += allocation[k * count + i] * thrust
            if b.y[1] != NULL:
                b.y[1][i] = thrust
        if b.y[3] != NULL or b.y[4] != NULL:
            torque = shaft_torque(b, i, n, j, k_t)
            if b.y[3] != NULL:
                b.y[3][i] = 2.0 * KB_PI * n * torque
            if b.y[4] != NULL:
                b.y[4][i] = torque


cdef inline void propeller_thrusters_derivatives(const View* b, double t) noexcept nogil:
    """dn/dt = (n_c - n) / T_n, within +-rate if rate-limited."""
    cdef double response = b.p[THRUSTERS_RESPONSE][0]
    cdef int i
    for i in range(b.n[0]):
        b.dx[i] = actuator_rate(
            limited_command(b, i) - b.x[i], b.p[THRUSTERS_TIME_CONSTANT][i], response, b.p[THRUSTERS_RATE_LIMIT][i]
        )
