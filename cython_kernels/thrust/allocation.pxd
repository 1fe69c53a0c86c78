"""Kernel of the allocation of a wanted wrench to propellers."""

from cython_kernels.mathematics.bounded_least_squares cimport BOUNDED_MAX, bounded_least_squares
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.matrix cimport weighted_pseudo_inverse
from cython_kernels.thrust.propellers cimport (
    PROPELLER_ALLOCATION, PROPELLER_DIAMETER, PROPELLER_KT_FORWARD, PROPELLER_KT_REVERSE, PROPELLER_LIMIT_FORWARD,
    PROPELLER_LIMIT_REVERSE, PROPELLER_PARAMETERS, PROPELLER_RANGE_FORWARD, PROPELLER_RANGE_REVERSE,
    PROPELLER_W_GAIN_FORWARD, PROPELLER_W_GAIN_REVERSE, PROPELLER_W_SIZE, advance_speed, propeller_revolutions,
    propeller_setup, propeller_thrust,
)
from cython_kernels.view cimport View

cdef enum:                                  # parameters beyond those that all blocks with propellers share
    ALLOCATION_WEIGHTS = PROPELLER_PARAMETERS
    ALLOCATION_LEAST_KT                     # least K_T(J) / K_T(0) that the inversion counts on
    ALLOCATION_LIMITS                       # 0 clip, 1 bounded

cdef enum:                                  # faults
    ALLOCATION_NO_BOLLARD_THRUST = 1


cdef inline double commanded_revolutions(const View* b, int i, double thrust, double v_a) noexcept nogil:
    """The shaft speed of propeller i for a wanted thrust, within the limits."""
    cdef const double* w = b.w + i * PROPELLER_W_SIZE
    cdef double diameter = b.p[PROPELLER_DIAMETER][i]
    cdef double least = b.p[ALLOCATION_LEAST_KT][0]
    cdef double revolutions
    if thrust < 0.0:
        revolutions = -propeller_revolutions(
            -thrust / w[PROPELLER_W_GAIN_REVERSE], v_a, diameter,
            b.p[PROPELLER_KT_REVERSE], b.p[PROPELLER_RANGE_REVERSE], least,
        )
    else:
        revolutions = propeller_revolutions(
            thrust / w[PROPELLER_W_GAIN_FORWARD], v_a, diameter,
            b.p[PROPELLER_KT_FORWARD], b.p[PROPELLER_RANGE_FORWARD], least,
        )
    return clamp(revolutions, -b.p[PROPELLER_LIMIT_REVERSE][i], b.p[PROPELLER_LIMIT_FORWARD][i])


cdef inline void thrust_allocation_setup(const View* b, double t) noexcept nogil:
    """The constants of the propellers, then the weighted pseudo-inverse of T, nx6."""
    cdef int count = b.n[0]
    if b.p[PROPELLER_KT_FORWARD][3] <= 0.0 or b.p[PROPELLER_KT_REVERSE][3] <= 0.0:
        b.fault[0] = ALLOCATION_NO_BOLLARD_THRUST
        return
    propeller_setup(b, count)
    weighted_pseudo_inverse(
        b.p[PROPELLER_ALLOCATION], b.p[ALLOCATION_WEIGHTS], count, b.w + count * PROPELLER_W_SIZE, 6
    )


cdef inline double unbounded_thrust(const View* b, int i) noexcept nogil:
    """(T+ tau)_i."""
    cdef const double* force = b.u[0]
    cdef const double* row = b.w + b.n[0] * PROPELLER_W_SIZE + 6 * i
    return (
        row[0] * force[0] + row[1] * force[1] + row[2] * force[2]
        + row[3] * force[3] + row[4] * force[4] + row[5] * force[5]
    )


cdef inline void thrust_allocation_outputs(const View* b, double t) noexcept nogil:
    """thrust f = T+ tau and command n(f, v_a)."""
    cdef double thrust
    cdef int i
    for i in range(b.n[0]):
        thrust = unbounded_thrust(b, i)
        if b.y[0] != NULL:
            b.y[0][i] = commanded_revolutions(b, i, thrust, advance_speed(b, i, b.u[1]))
        if b.y[1] != NULL:
            b.y[1][i] = thrust


cdef inline void thrust_allocation_bounded_outputs(const View* b, double t) noexcept nogil:
    """The same with thrusts that the propellers can give at this speed."""
    cdef double thrust[BOUNDED_MAX]
    cdef double lower[BOUNDED_MAX]
    cdef double upper[BOUNDED_MAX]
    cdef double v_a[BOUNDED_MAX]
    cdef int count = b.n[0]
    cdef int i
    lower[0] = 0.0                          # for compilers that think of no thrusters at all
    upper[0] = 0.0
    for i in range(count):
        thrust[i] = unbounded_thrust(b, i)
        v_a[i] = advance_speed(b, i, b.u[1])
        upper[i] = propeller_thrust(b, i, b.p[PROPELLER_LIMIT_FORWARD][i], v_a[i])
        lower[i] = propeller_thrust(b, i, -b.p[PROPELLER_LIMIT_REVERSE][i], v_a[i])
        if upper[i] < 0.0:                  # fmax would hide what is no number
            upper[i] = 0.0
        if lower[i] > 0.0:
            lower[i] = 0.0
    bounded_least_squares(
        b.p[PROPELLER_ALLOCATION], b.p[ALLOCATION_WEIGHTS], b.u[0], lower, upper, count, thrust
    )
    for i in range(count):
        b.y[0][i] = commanded_revolutions(b, i, thrust[i], v_a[i])
        b.y[1][i] = thrust[i]
