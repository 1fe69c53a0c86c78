"""Kernel of ships by hydrodynamic derivatives, with roll or without.

Velocities are u, v, p, r in body axes that roll and do not pitch. Everything is written in the velocity through the
water, of which the current's own rate of change, as the turning body sees it, is taken.
"""

from cython_kernels.dynamics.planar cimport six_from_planar
from cython_kernels.mathematics.matrix cimport invert_matrix
from cython_kernels.mathematics.monomials cimport (
    FACTOR_DRIFT, FACTOR_FLOW, FACTOR_REVOLUTIONS, FACTOR_ROLL, FACTOR_RUDDER, FACTORS, KB_GRAVITY, TERM_COLUMNS,
    Scales, corrected, depth_factor, depth_ratio, prepare_terms, scaled_velocities, scales_of, sum_terms,
    with_magnitudes,
)
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.dynamics.polynomial_vessel cimport PolynomialVesselView

cdef enum:                      # its faults
    POLYNOMIAL_SINGULAR_INERTIA = 1
    POLYNOMIAL_AGROUND = 2

ctypedef struct PolynomialMotion:
    double along                # sine and cosine of heading and roll: s_psi, c_psi, s_phi, c_phi
    double c_psi
    double s_phi
    double c_phi
    double roll_rate            # 0 if the set does not roll
    double carried              # what a current across carries a heeled ship sideways beyond its sway
    double u_r                  # the vessel's velocity through the water
    double v_r
    double du_c                 # rate of change of the current in body axes
    double dv_c
    double f_c[4]               # X, Y, K, N
    double f_d[4]
    double righting             # f_h in roll


cdef inline void polynomial_flow(const PolynomialVesselView* b, PolynomialMotion* m) noexcept nogil:
    """Attitude, and the velocity through the water."""
    cdef const double* nu = b.x.nu
    cdef const double* current = b.u.current
    cdef double across, u_c, v_c
    m.s_phi = 0.0
    m.c_phi = 1.0
    m.roll_rate = 0.0
    if b.w.rolls[0] != 0.0:
        sine_cosine(b.x.eta[3], &m.s_phi, &m.c_phi)
        m.roll_rate = nu[3]
    sine_cosine(b.x.eta[5], &m.along, &m.c_psi)
    u_c = m.c_psi * current[0] + m.along * current[1]
    across = m.c_psi * current[1] - m.along * current[0]
    v_c = m.c_phi * across
    m.carried = m.s_phi * m.s_phi * across if b.w.rolls[0] != 0.0 else 0.0
    m.u_r = nu[0] - u_c
    m.v_r = nu[1] - v_c
    m.du_c = nu[5] * v_c
    m.dv_c = -m.s_phi * m.roll_rate * across - m.c_phi * m.c_phi * nu[5] * u_c


cdef inline void polynomial_turning(const PolynomialVesselView* b, PolynomialMotion* m) noexcept nogil:
    """f_c = C_RB(nu_r) nu_r - M dnu_c/dt."""
    cdef const double* turning = b.w.turning
    cdef const double* carried = b.w.carried
    cdef double r = b.x.nu[5]
    cdef double across = m.u_r * r
    m.f_c[0] = r * (turning[2] * m.roll_rate - turning[0] * m.v_r - turning[1] * r)
    m.f_c[1] = turning[0] * across
    m.f_c[2] = -turning[2] * across
    m.f_c[3] = turning[1] * across
    cdef int i
    for i in range(4):
        m.f_c[i] -= carried[2 * i] * m.du_c + carried[2 * i + 1] * m.dv_c
    if b.w.rolls[0] == 0.0:
        m.f_c[2] = 0.0


cdef inline void polynomial_damping(const PolynomialVesselView* b, PolynomialMotion* m) noexcept nogil:
    """f_d = -(X, Y, K, N)."""
    cdef double factors[FACTORS]
    cdef double rate
    cdef double square = scaled_velocities(
        b.w.scales, b.p.reference_speed[0], m.u_r, m.v_r, m.roll_rate, b.x.nu[5], factors, &rate
    )
    factors[FACTOR_ROLL] = b.x.eta[3] if b.w.rolls[0] != 0.0 else 0.0
    factors[FACTOR_DRIFT] = 0.0
    factors[FACTOR_RUDDER] = 0.0
    factors[FACTOR_REVOLUTIONS] = 0.0
    factors[FACTOR_FLOW] = 0.0
    with_magnitudes(factors)
    sum_terms(b.w.terms, b.n.m, factors, -square, m.f_d)
    if b.w.rolls[0] == 0.0:
        m.f_d[2] = 0.0


cdef inline void polynomial_acceleration(
    const PolynomialVesselView* b, const PolynomialMotion* m, double* nu_dot
) noexcept nogil:
    """dnu/dt = M^-1 (tau + tau_d - f_c - f_d - f_h), of surge, sway, roll and yaw."""
    cdef const double* force = b.u.force
    cdef const double* disturbance = b.u.disturbance
    cdef const double* inverted = b.w.inverse_mass
    cdef double x = force[0] + disturbance[0] - m.f_c[0] - m.f_d[0]
    cdef double y = force[1] + disturbance[1] - m.f_c[1] - m.f_d[1]
    cdef double k = 0.0
    cdef double n = force[5] + disturbance[5] - m.f_c[3] - m.f_d[3]
    if b.w.rolls[0] != 0.0:
        k = force[3] + disturbance[3] - m.f_c[2] - m.f_d[2] - m.righting
    nu_dot[0] = inverted[0] * x
    nu_dot[1] = inverted[5] * y + inverted[6] * k + inverted[7] * n
    nu_dot[2] = 0.0
    if b.w.rolls[0] != 0.0:
        nu_dot[2] = inverted[9] * y + inverted[10] * k + inverted[11] * n
    nu_dot[3] = inverted[13] * y + inverted[14] * k + inverted[15] * n


cdef inline void six_from_four(const double* four, double* six) noexcept nogil:
    """(surge, sway, 0, roll, 0, yaw)."""
    six_from_planar(four[0], four[1], four[3], six)
    six[3] = four[2]


cdef inline void polynomial_vessel_setup(const PolynomialVesselView* b, double t) noexcept nogil:
    """M and its inverse, and the derivatives in SI at this depth."""
    cdef double mass = b.p.mass[0]
    cdef double x_g = b.p.centre_of_gravity[0]
    cdef double rolls = 0.0
    cdef double z_g, ratio, factor
    cdef double m[16]
    cdef Scales scales
    cdef const double* row
    cdef int i, j, k
    for i in range(b.n.n):
        row = b.p.derivatives + TERM_COLUMNS * i
        if row[8] != 0.0 or (i >= b.n.m and row[0] == 3.0):
            rolls = 1.0
        for j in range(3):
            if i < b.n.m and (row[j] == 3.0 or row[j] == 5.0 or row[j] == 11.0 or row[j] == 13.0):
                rolls = 1.0
    z_g = rolls * b.p.centre_of_gravity[1]
    b.w.rolls[0] = rolls
    b.w.righting[0] = mass * KB_GRAVITY * b.p.metacentric_height[0]
    b.w.turning[0] = b.p.coriolis[0] * mass
    b.w.turning[1] = b.p.coriolis[0] * mass * x_g
    b.w.turning[2] = b.p.coriolis[0] * mass * z_g
    if not depth_ratio(b.p.water_depth[0], b.p.draught[0], &ratio):
        b.fault[0] = POLYNOMIAL_AGROUND
        return
    scales_of(
        b.n.s, b.p.density[0], b.p.length[0], b.p.draught[0], mass, b.p.lowest_speed[0], &scales
    )
    b.w.scales[0] = scales.length
    b.w.scales[1] = scales.velocity
    b.w.scales[2] = scales.least
    prepare_terms(b.p.derivatives, b.n.m, b.p.correction, &scales, ratio, b.w.terms)
    for i in range(16):
        m[i] = 0.0
    m[0] = m[5] = mass
    m[6] = m[9] = -mass * z_g
    m[7] = m[13] = mass * x_g
    m[10] = b.p.roll_inertia[0] if rolls != 0.0 else 1.0
    m[15] = b.p.yaw_inertia[0]
    # an added mass is a force over an acceleration: F/(V^2/L), V^2 of what velocities are divided by
    factor = scales.force * scales.length * scales.velocity * scales.velocity
    for i in range(b.n.m, b.n.n):
        row = b.p.derivatives + TERM_COLUMNS * i
        j = <int>row[0] - 1
        for k in range(4):
            m[4 * k + j] -= (
                corrected(row, k, b.p.correction) * factor * depth_factor(row, ratio)
                * (scales.length if k > 1 else 1.0)
                * (scales.length if j > 1 else 1.0)
            )
    for i in range(4):
        b.w.carried[2 * i] = m[4 * i]
        b.w.carried[2 * i + 1] = m[4 * i + 1]
    if not invert_matrix(m, 4, b.w.inverse_mass):
        b.fault[0] = POLYNOMIAL_SINGULAR_INERTIA


cdef inline void polynomial_vessel_outputs(const PolynomialVesselView* b, double t) noexcept nogil:
    """nu_r, acceleration, restoring_force, damping_force, coriolis_force; eta and nu are states."""
    cdef PolynomialMotion m
    cdef double four[4]
    cdef bint accelerates = b.y.acceleration != NULL    # only then does force have to be there already
    m.righting = b.w.righting[0] * b.x.eta[3] if b.w.rolls[0] != 0.0 else 0.0
    if b.y.restoring_force != NULL:
        six_from_planar(0.0, 0.0, 0.0, b.y.restoring_force)
        b.y.restoring_force[3] = m.righting
    if not (accelerates or b.y.nu_r != NULL or b.y.damping_force != NULL or b.y.coriolis_force != NULL):
        return
    polynomial_flow(b, &m)
    if b.y.nu_r != NULL:
        six_from_planar(m.u_r, m.v_r, b.x.nu[5], b.y.nu_r)
        b.y.nu_r[3] = m.roll_rate
    if accelerates or b.y.damping_force != NULL:
        polynomial_damping(b, &m)
        if b.y.damping_force != NULL:
            six_from_four(m.f_d, b.y.damping_force)
    if accelerates or b.y.coriolis_force != NULL:
        polynomial_turning(b, &m)
        if b.y.coriolis_force != NULL:
            six_from_four(m.f_c, b.y.coriolis_force)
    if accelerates:
        polynomial_acceleration(b, &m, four)
        six_from_four(four, b.y.acceleration)


cdef inline void polynomial_vessel_derivatives(const PolynomialVesselView* b, double t) noexcept nogil:
    """d(eta, nu)/dt."""
    cdef PolynomialMotion m
    cdef double four[4]
    cdef const double* nu = b.x.nu
    cdef double across
    m.righting = b.w.righting[0] * b.x.eta[3] if b.w.rolls[0] != 0.0 else 0.0
    polynomial_flow(b, &m)
    polynomial_damping(b, &m)
    polynomial_turning(b, &m)
    polynomial_acceleration(b, &m, four)
    six_from_four(four, b.dx.nu)
    across = nu[1] * m.c_phi + m.carried
    six_from_planar(nu[0] * m.c_psi - across * m.along, nu[0] * m.along + across * m.c_psi, nu[5] * m.c_phi, b.dx.eta)
    b.dx.eta[3] = m.roll_rate
