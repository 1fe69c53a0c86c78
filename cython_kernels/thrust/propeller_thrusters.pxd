"""Kernels of the propellers fixed in the hull."""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.thrust.actuator cimport actuator_rate
from cython_kernels.thrust.propellers cimport (
    Propeller, advance_ratio, advance_speed, cubic_polynomial, momentum_torque_coefficient, propeller_constants,
    thrust_at,
)
from cython_kernels.views.thrust.propeller_thrusters cimport (
    PROPELLER_THRUSTERS_RESPONSE_RATE_LIMITED, PROPELLER_THRUSTERS_TORQUE_MODEL_FIGURE_OF_MERIT, PropellerThrustersView,
)
from cython_kernels.views.thrust.propellers cimport PropellerSetView


cdef inline double limited_command(const PropellerThrustersView* b, int i) noexcept nogil:
    """The commanded speed of propeller i within its limits."""
    return clamp(b.u.command[i], -b.p.speed_limit_reverse[i], b.p.speed_limit_forward[i])


cdef inline double shaft_torque(
    const PropellerThrustersView* b, int i, double n, double j, double k_t
) noexcept nogil:
    """Q = rho D^5 K_Q(J) |n| n: of the sign of n where the shaft is driven; K_T(J) is known."""
    cdef double diameter = b.p.diameter[i]
    cdef double k_q
    if b.p.torque_model[0] == PROPELLER_THRUSTERS_TORQUE_MODEL_FIGURE_OF_MERIT:
        k_q = momentum_torque_coefficient(k_t, j if n >= 0.0 else -j, b.p.figure_of_merit[0])
    else:
        k_q = cubic_polynomial(b.p.torque_coefficient_forward if n >= 0.0 else b.p.torque_coefficient_reverse, j)
    return b.p.density[0] * diameter * diameter * diameter * diameter * diameter * k_q * fabs(n) * n


cdef inline void thrust_of_propellers(const PropellerThrustersView* b, bint instant) noexcept nogil:
    """force = T f, thrust f, speed n, power P = 2 pi n Q, torque Q, at speeds that are commanded or reached."""
    cdef const double* allocation = b.p.allocation_matrix
    cdef const double* coefficients
    cdef const double* bounds
    cdef const Propeller* own
    cdef int count = b.n.n
    cdef double n, j, k_t, thrust, torque
    cdef int i, k
    if b.y.force != NULL:
        for k in range(6):
            b.y.force[k] = 0.0
    for i in range(count):
        n = limited_command(b, i) if instant else b.x.speed[i]
        if b.y.speed != NULL:
            b.y.speed[i] = n
        if b.y.force == NULL and b.y.thrust == NULL and b.y.power == NULL and b.y.torque == NULL:
            continue
        own = <const Propeller*>b.w.propellers + i
        coefficients = b.p.thrust_coefficient_forward if n >= 0.0 else b.p.thrust_coefficient_reverse
        bounds = b.p.advance_range_forward if n >= 0.0 else b.p.advance_range_reverse
        j = advance_ratio(n, advance_speed(own, b.u.nu_r), b.p.diameter[i], bounds)
        k_t = cubic_polynomial(coefficients, j)
        if b.y.force != NULL or b.y.thrust != NULL:
            thrust = thrust_at(own, n, k_t)
            if b.y.force != NULL:
                for k in range(6):
                    b.y.force[k] += allocation[k * count + i] * thrust
            if b.y.thrust != NULL:
                b.y.thrust[i] = thrust
        if b.y.power != NULL or b.y.torque != NULL:
            torque = shaft_torque(b, i, n, j, k_t)
            if b.y.power != NULL:
                b.y.power[i] = 2.0 * KB_PI * n * torque
            if b.y.torque != NULL:
                b.y.torque[i] = torque


cdef inline void propeller_thrusters_setup(const PropellerSetView* b, double t) noexcept nogil:
    propeller_constants(b)


cdef inline void propeller_thrusters_outputs(const PropellerThrustersView* b, double t) noexcept nogil:
    thrust_of_propellers(b, True)


cdef inline void propeller_thrusters_lag_setup(const PropellerSetView* b, double t) noexcept nogil:
    propeller_constants(b)


cdef inline void propeller_thrusters_lag_outputs(const PropellerThrustersView* b, double t) noexcept nogil:
    thrust_of_propellers(b, False)


cdef inline void propeller_thrusters_lag_derivatives(const PropellerThrustersView* b, double t) noexcept nogil:
    """dn/dt = (n_c - n) / T_n, within +-rate if rate-limited."""
    cdef bint limited = b.p.response[0] == PROPELLER_THRUSTERS_RESPONSE_RATE_LIMITED
    cdef int i
    for i in range(b.n.n):
        b.dx.speed[i] = actuator_rate(
            limited_command(b, i) - b.x.speed[i], b.p.time_constant[i], limited, b.p.rate_limit[i]
        )
