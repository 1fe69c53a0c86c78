"""Kernels of propellers and rudders behind a hull, by the MMG standard method.

Source: Yasukawa and Yoshimura (2015), Journal of Marine Science and Technology 20, 37-52.
"""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.elementary.exponential cimport exp
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport clamp, larger
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.actuator cimport actuator_rate
from cython_kernels.thrust.propellers cimport advance_ratio, cubic_polynomial, momentum_torque_coefficient
from cython_kernels.views.thrust.mmg_propulsion cimport (
    MMG_PROPULSION_RESPONSE_RATE_LIMITED, MMG_PROPULSION_WAKE_LAW_GAUSSIAN, MMGPropulsionView,
)


ctypedef struct MMGFlow:
    double u                        # of the hull through the water
    double r
    double drift                    # U beta, that of going ahead
    double beta
    double turn                     # r / U


cdef inline void mmg_flow(const double* nu_r, MMGFlow* flow) noexcept nogil:
    """beta = atan2(-v, |u|), and what else all propellers have in common."""
    cdef double u = nu_r[0]
    cdef double v = nu_r[1]
    cdef double speed = sqrt(u * u + v * v)
    flow.u = u
    flow.r = nu_r[5]
    flow.beta = atan2(-v, fabs(u))
    flow.drift = speed * flow.beta
    flow.turn = flow.r / larger(speed, 1e-9)


cdef inline double mmg_advance_speed(const MMGPropulsionView* b, int i, const MMGFlow* flow) noexcept nogil:
    """u_P = (1 - w_P)(u - r y_P); without a wake astern."""
    cdef const double* gain = b.p.wake_gain + 2 * i
    cdef double beta = flow.beta - b.p.positions[3 * i] * flow.turn
    cdef double w = b.p.wake_fraction[i]
    cdef double u = flow.u - flow.r * b.p.positions[3 * i + 1]
    cdef double behind
    if b.p.wake_law[0] == MMG_PROPULSION_WAKE_LAW_GAUSSIAN:
        behind = 1.0 - w * exp(-b.p.gaussian_rate[0] * beta * beta)
    else:
        behind = gain[0] if beta > 0.0 else gain[1]
        behind = (1.0 - w) * (1.0 + (1.0 - exp(-b.p.wake_rate[0] * fabs(beta))) * (behind - 1.0))
    return behind * u if u > 0.0 else u


cdef inline double mmg_rudder_speed(
    const MMGPropulsionView* b, double n, double u, double thrust, double disc
) noexcept nogil:
    """u_R; u is u_P, disc pi rho D^2 / 8. The square is the mean over the rudder in the slipstream and outside."""
    cdef double gain = b.p.slipstream_gain[0]
    cdef double share = b.p.slipstream_share[0]
    cdef double within = u
    cdef double square
    if not (n <= 0.0 or (u <= 0.0 and thrust <= 0.0)):
        square = u * u + thrust / disc
        within += gain * ((0.0 if square < 0.0 else sqrt(square)) - fabs(u))
    square = share * within * fabs(within) + (1.0 - share) * u * fabs(u)
    return b.p.wake_ratio[0] * copysign(sqrt(fabs(square)), square)


cdef inline void mmg_add_force(
    const MMGPropulsionView* b, int i, double thrust, double normal, double s, double c, double* force
) noexcept nogil:
    """force += that of propeller and rudder i; s, c of its angle."""
    cdef const double* at = b.p.positions + 3 * i
    cdef const double* place = b.p.rudder_positions + 3 * i
    cdef double push = (1.0 - b.p.thrust_deduction[0]) * thrust
    cdef double drag = -(1.0 - b.p.steering_deduction[0]) * normal * s
    cdef double across = -normal * c
    cdef double side = (1.0 + b.p.force_increase[0]) * across
    force[0] += push + drag
    force[1] += side
    force[3] -= place[2] * side
    force[4] += at[2] * push + place[2] * drag
    force[5] += (
        (place[0] + b.p.force_increase[0] * b.p.increase_position[0] * b.p.length[0]) * across
        - at[1] * push - place[1] * drag
    )


cdef inline double mmg_torque(const MMGPropulsionView* b, double n, double j, double k_t, double size) noexcept nogil:
    """Q = rho D^5 K_Q |n| n, size rho D^5."""
    cdef double k_q
    if b.w.torque_known[0] != 0.0 and n >= 0.0:
        k_q = cubic_polynomial(b.p.torque_coefficient, j)
    else:
        k_q = momentum_torque_coefficient(k_t, j if n >= 0.0 else -j, b.p.figure_of_merit[0])
    return size * k_q * fabs(n) * n


cdef inline double mmg_rudder_command(const MMGPropulsionView* b, int i) noexcept nogil:
    """delta_c within its limit."""
    return clamp(b.u.rudder[i], -b.p.angle_limit[0], b.p.angle_limit[0])


cdef inline void mmg_propel(const MMGPropulsionView* b, bint instant) noexcept nogil:
    """y, at the rudder angles that are commanded or reached."""
    cdef MMGFlow flow
    cdef bint steers = b.y.force != NULL or b.y.normal_force != NULL
    cdef bint drives = steers or b.y.thrust != NULL or b.y.power != NULL or b.y.torque != NULL
    cdef const double* straighten
    cdef double n, u, j, k_t, area, thrust, angle, normal, u_r, v_r, s, c, torque
    cdef int i
    if drives:
        mmg_flow(b.u.nu_r, &flow)
    if b.y.force != NULL:
        for i in range(6):
            b.y.force[i] = 0.0
    for i in range(b.n.n):
        n = clamp(b.u.command[i], -b.p.speed_limit_reverse[i], b.p.speed_limit_forward[i]) if (
            drives or b.y.speed != NULL
        ) else 0.0
        if b.y.speed != NULL:
            b.y.speed[i] = n
        angle = 0.0
        if steers or b.y.angle != NULL:
            angle = mmg_rudder_command(b, i) if instant else b.x.angle[i]
        if b.y.angle != NULL:
            b.y.angle[i] = angle
        if not drives:
            continue
        u = mmg_advance_speed(b, i, &flow)
        area = b.p.density[0] * b.p.diameter[i] * b.p.diameter[i]
        j = advance_ratio(
            n, u, b.p.diameter[i], b.p.advance_range_forward if n >= 0.0 else b.p.advance_range_reverse
        )
        k_t = cubic_polynomial(b.p.thrust_coefficient_forward if n >= 0.0 else b.p.thrust_coefficient_reverse, j)
        thrust = area * b.p.diameter[i] * b.p.diameter[i] * k_t * n * fabs(n)
        if b.y.thrust != NULL:
            b.y.thrust[i] = thrust
        if b.y.power != NULL or b.y.torque != NULL:
            torque = mmg_torque(
                b, n, j, k_t, area * b.p.diameter[i] * b.p.diameter[i] * b.p.diameter[i]
            )
            if b.y.torque != NULL:
                b.y.torque[i] = torque
            if b.y.power != NULL:
                b.y.power[i] = 2.0 * KB_PI * n * torque
        if not steers:
            continue
        straighten = b.p.flow_straightening + 2 * i
        u_r = mmg_rudder_speed(b, n, u, thrust, 0.125 * KB_PI * area)
        v_r = flow.drift - b.p.flow_lever[0] * b.p.length[0] * flow.r
        v_r *= straighten[0] if v_r > 0.0 else straighten[1]
        sine_cosine(angle, &s, &c)
        normal = (
            0.5 * b.p.density[0] * b.p.rudder_area[i] * b.p.normal_force_slope[0]
            * sqrt(u_r * u_r + v_r * v_r) * (s * u_r - c * v_r)
        )
        if b.y.normal_force != NULL:
            b.y.normal_force[i] = normal
        if b.y.force != NULL:
            mmg_add_force(b, i, thrust, normal, s, c, b.y.force)


cdef inline void mmg_propulsion_prepare(const MMGPropulsionView* b) noexcept nogil:
    """w: whether K_Q is known."""
    cdef const double* k_q = b.p.torque_coefficient
    cdef bint known = k_q[0] != 0.0 or k_q[1] != 0.0 or k_q[2] != 0.0 or k_q[3] != 0.0
    b.w.torque_known[0] = 1.0 if known else 0.0


cdef inline void mmg_propulsion_setup(const MMGPropulsionView* b, double t) noexcept nogil:
    mmg_propulsion_prepare(b)


cdef inline void mmg_propulsion_outputs(const MMGPropulsionView* b, double t) noexcept nogil:
    mmg_propel(b, True)


cdef inline void mmg_propulsion_lag_setup(const MMGPropulsionView* b, double t) noexcept nogil:
    mmg_propulsion_prepare(b)


cdef inline void mmg_propulsion_lag_outputs(const MMGPropulsionView* b, double t) noexcept nogil:
    mmg_propel(b, False)


cdef inline void mmg_propulsion_lag_derivatives(const MMGPropulsionView* b, double t) noexcept nogil:
    """ddelta/dt = (delta_c - delta) / T, within +-rate if rate-limited."""
    cdef bint limited = b.p.response[0] == MMG_PROPULSION_RESPONSE_RATE_LIMITED
    cdef int i
    for i in range(b.n.n):
        b.dx.angle[i] = actuator_rate(
            mmg_rudder_command(b, i) - b.x.angle[i], b.p.time_constant[0], limited, b.p.rate_limit[0]
        )
