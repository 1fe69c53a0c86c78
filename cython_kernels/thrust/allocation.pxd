"""Kernel of the allocation of a wanted wrench to propellers."""

from cython_kernels.mathematics.bounded_least_squares cimport BOUNDED_MAX, bounded_least_squares
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.matrix cimport weighted_pseudo_inverse
from cython_kernels.thrust.propellers cimport (
    Propeller, advance_speed, propeller_constants, propeller_revolutions, propeller_thrust,
)
from cython_kernels.views.thrust.allocation cimport ThrustAllocationView, thrust_allocation_as_propeller_set
from cython_kernels.views.thrust.propellers cimport PropellerSetView

cdef enum:                                  # faults
    ALLOCATION_NO_BOLLARD_THRUST = 1


cdef inline double commanded_revolutions(
    const ThrustAllocationView* b, int i, double thrust, double v_a
) noexcept nogil:
    """The shaft speed of propeller i for a wanted thrust, within the limits."""
    cdef const Propeller* own = <const Propeller*>b.w.propellers + i
    cdef double diameter = b.p.diameter[i]
    cdef double least = b.p.inversion_floor[0]
    cdef double revolutions
    if thrust < 0.0:
        revolutions = -propeller_revolutions(
            -thrust / own.gain_reverse, v_a, diameter, b.p.thrust_coefficient_reverse, b.p.advance_range_reverse, least
        )
    else:
        revolutions = propeller_revolutions(
            thrust / own.gain_forward, v_a, diameter, b.p.thrust_coefficient_forward, b.p.advance_range_forward, least
        )
    return clamp(revolutions, -b.p.speed_limit_reverse[i], b.p.speed_limit_forward[i])


cdef inline void allocation_constants(const ThrustAllocationView* b) noexcept nogil:
    """w: the propellers, and the weighted pseudo-inverse of T."""
    cdef PropellerSetView propellers = thrust_allocation_as_propeller_set(b)
    if b.p.thrust_coefficient_forward[3] <= 0.0 or b.p.thrust_coefficient_reverse[3] <= 0.0:
        b.fault[0] = ALLOCATION_NO_BOLLARD_THRUST
        return
    propeller_constants(&propellers)
    weighted_pseudo_inverse(b.p.allocation_matrix, b.p.weights, b.n.n, b.w.pseudo_inverse, 6)


cdef inline double unbounded_thrust(const ThrustAllocationView* b, int i) noexcept nogil:
    """(T+ tau)_i."""
    cdef const double* force = b.u.force
    cdef const double* row = b.w.pseudo_inverse + 6 * i
    return (
        row[0] * force[0] + row[1] * force[1] + row[2] * force[2]
        + row[3] * force[3] + row[4] * force[4] + row[5] * force[5]
    )


cdef inline void thrust_allocation_setup(const ThrustAllocationView* b, double t) noexcept nogil:
    allocation_constants(b)


cdef inline void thrust_allocation_outputs(const ThrustAllocationView* b, double t) noexcept nogil:
    """thrust f = T+ tau and command n(f, v_a)."""
    cdef double thrust
    cdef int i
    for i in range(b.n.n):
        thrust = unbounded_thrust(b, i)
        if b.y.command != NULL:
            b.y.command[i] = commanded_revolutions(
                b, i, thrust, advance_speed(<const Propeller*>b.w.propellers + i, b.u.nu_r)
            )
        if b.y.thrust != NULL:
            b.y.thrust[i] = thrust


cdef inline void thrust_allocation_bounded_setup(const ThrustAllocationView* b, double t) noexcept nogil:
    allocation_constants(b)


cdef inline void thrust_allocation_bounded_outputs(const ThrustAllocationView* b, double t) noexcept nogil:
    """The same with thrusts that the propellers can give at this speed."""
    cdef PropellerSetView propellers = thrust_allocation_as_propeller_set(b)
    cdef double thrust[BOUNDED_MAX]
    cdef double lower[BOUNDED_MAX]
    cdef double upper[BOUNDED_MAX]
    cdef double v_a[BOUNDED_MAX]
    cdef double part
    cdef int count = b.n.n
    cdef int i
    lower[0] = 0.0                          # for compilers that think of no thrusters at all
    upper[0] = 0.0
    for i in range(count):
        thrust[i] = unbounded_thrust(b, i)
        v_a[i] = advance_speed(<const Propeller*>b.w.propellers + i, b.u.nu_r)
        upper[i] = propeller_thrust(&propellers, i, b.p.speed_limit_forward[i], v_a[i])
        lower[i] = propeller_thrust(&propellers, i, -b.p.speed_limit_reverse[i], v_a[i])
        if upper[i] < 0.0:                  # fmax would hide what is no number
            upper[i] = 0.0
        if lower[i] > 0.0:
            lower[i] = 0.0
        part = clamp(b.u.available[i], 0.0, 1.0)
        lower[i] *= part
        upper[i] *= part
    bounded_least_squares(b.p.allocation_matrix, b.p.weights, b.u.force, lower, upper, count, thrust)
    part = 0.0
    for i in range(count):
        part += 0.0 * (lower[i] + upper[i])
    for i in range(count):
        if part != part:                    # a limit is no number, which comparing hides
            thrust[i] = part
        b.y.command[i] = commanded_revolutions(b, i, thrust[i], v_a[i])
        b.y.thrust[i] = thrust[i]
