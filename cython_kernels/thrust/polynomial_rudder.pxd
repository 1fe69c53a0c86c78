"""Kernels of rudder and propeller by hydrodynamic derivatives."""

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.limits cimport at_least
from cython_kernels.mathematics.monomials cimport (
    FACTOR_DRIFT, FACTOR_FLOW, FACTOR_REVOLUTIONS, FACTOR_ROLL, FACTOR_RUDDER, FACTORS, TERM_COLUMNS, Scales,
    depth_ratio, prepare_terms, scaled_velocities, scales_of, sum_terms, with_magnitudes,
)
from cython_kernels.thrust.rudder_gear cimport follow_angle, follow_speed, wanted_angle, wanted_speed
from cython_kernels.views.thrust.polynomial_rudder cimport (
    POLYNOMIAL_RUDDER_DERIVATIVES_TURN_TO_PORT, PolynomialRudderView, polynomial_rudder_as_rudder_gear,
)
from cython_kernels.views.thrust.rudder_gear cimport RudderGearView

cdef enum:                      # its faults
    RUDDER_AGROUND = 1


cdef inline void polynomial_rudder_prepare(const PolynomialRudderView* b) noexcept nogil:
    """The derivatives in SI at this depth, and what of the flow they want."""
    cdef Scales scales
    cdef const double* row
    cdef double ratio, place
    cdef int i, j
    b.w.sign[0] = -1.0 if b.p.derivatives_turn_to[0] == POLYNOMIAL_RUDDER_DERIVATIVES_TURN_TO_PORT else 1.0
    b.w.drifting[0] = b.w.turning[0] = b.w.flowing[0] = 0.0
    for i in range(b.n.n):
        row = b.p.derivatives + TERM_COLUMNS * i
        for j in range(4):
            place = row[j]
            if place == FACTOR_DRIFT or place == FACTOR_DRIFT + 8:
                b.w.drifting[0] = 1.0
            if place == FACTOR_REVOLUTIONS or place == FACTOR_REVOLUTIONS + 8:
                b.w.turning[0] = 1.0
            if place == FACTOR_FLOW:
                b.w.flowing[0] = b.w.turning[0] = 1.0
    if not depth_ratio(b.p.water_depth[0], b.p.draught[0], &ratio):
        b.fault[0] = RUDDER_AGROUND
        return
    scales_of(
        b.n.s, b.p.density[0], b.p.length[0], b.p.draught[0], b.p.mass[0], b.p.lowest_speed[0], &scales
    )
    b.w.scales[0] = scales.length
    b.w.scales[1] = scales.velocity
    b.w.scales[2] = scales.least
    prepare_terms(b.p.derivatives, b.n.n, b.p.correction, &scales, ratio, b.w.terms)


cdef inline void polynomial_rudder_at(const PolynomialRudderView* b, double angle, double shaft) noexcept nogil:
    """y, with the rudder at this angle and the shaft at this speed."""
    cdef double factors[FACTORS]
    cdef double four[4]
    cdef const double* nu_r
    cdef double square, u, v, rate
    if b.y.angle != NULL:
        b.y.angle[0] = angle
    if b.w.turning[0] != 0.0:
        if b.y.speed != NULL:
            b.y.speed[0] = shaft
    if b.y.force == NULL:
        return
    nu_r = b.u.nu_r
    u = nu_r[0]
    v = nu_r[1]
    square = scaled_velocities(b.w.scales, b.p.reference_speed[0], u, v, nu_r[3], nu_r[5], factors, &rate)
    factors[FACTOR_ROLL] = 0.0
    factors[FACTOR_DRIFT] = atan2(v, u) if b.w.drifting[0] != 0.0 else 0.0
    factors[FACTOR_RUDDER] = b.w.sign[0] * angle
    factors[FACTOR_REVOLUTIONS] = shaft * rate * b.w.scales[0]
    factors[FACTOR_FLOW] = 0.0
    if b.w.flowing[0] != 0.0:
        factors[FACTOR_FLOW] = rate * rate * at_least(
            b.p.flow[0] * u * u + b.p.flow[1] * u * shaft + b.p.flow[2] * shaft * shaft, 0.0
        )
    with_magnitudes(factors)
    sum_terms(b.w.terms, b.n.n, factors, square, four)
    b.y.force[0] = four[0]
    b.y.force[1] = four[1]
    b.y.force[2] = 0.0
    b.y.force[3] = four[2]
    b.y.force[4] = 0.0
    b.y.force[5] = four[3]


cdef inline void polynomial_rudder_setup(const PolynomialRudderView* b, double t) noexcept nogil:
    """Without states."""
    polynomial_rudder_prepare(b)


cdef inline void polynomial_rudder_outputs(const PolynomialRudderView* b, double t) noexcept nogil:
    """Without states: as they are wanted."""
    cdef RudderGearView gear = polynomial_rudder_as_rudder_gear(b)
    polynomial_rudder_at(b, wanted_angle(&gear), wanted_speed(&gear) if b.w.turning[0] != 0.0 else 0.0)


cdef inline void polynomial_rudder_lag_setup(const PolynomialRudderView* b, double t) noexcept nogil:
    """With the angle, and the speed where there is one, as states."""
    polynomial_rudder_prepare(b)


cdef inline void polynomial_rudder_lag_outputs(const PolynomialRudderView* b, double t) noexcept nogil:
    """As they have followed."""
    polynomial_rudder_at(b, b.x.angle[0], b.x.speed[0] if b.w.turning[0] != 0.0 else 0.0)


cdef inline void polynomial_rudder_lag_derivatives(const PolynomialRudderView* b, double t) noexcept nogil:
    """Each follows its command."""
    cdef RudderGearView gear = polynomial_rudder_as_rudder_gear(b)
    follow_angle(&gear)
    if b.w.turning[0] != 0.0:
        follow_speed(&gear)
