"""Kernel of the allocation of a wanted wrench to thrusters that are known by a table."""

from libc.math cimport fabs

from cython_kernels.mathematics.bounded_least_squares cimport BOUNDED_MAX
from cython_kernels.mathematics.cubic_slopes cimport monotone_slopes
from cython_kernels.thrust.bounded_allocation cimport allocate_within, bounded_allocation_constants
from cython_kernels.thrust.measured_thruster cimport measured
from cython_kernels.views.thrust.bounded_allocation cimport BoundedAllocationView
from cython_kernels.views.thrust.measured_allocation cimport (
    MeasuredAllocationView, measured_allocation_as_bounded_allocation,
)
from cython_kernels.views.thrust.measured_thruster cimport MEASURED_SET_INTERPOLATION_LINEAR


cdef inline double thrust_in_water(double thrust, double lost, double least) noexcept nogil:
    """The thrust at rest less what the inflow takes of it, of which `least` stays: so it rises with the command."""
    cdef double left = thrust - lost
    cdef double floor_thrust = least * thrust
    if thrust >= 0.0:
        return floor_thrust if left < floor_thrust else left
    return floor_thrust if left > floor_thrust else left


cdef inline double thrust_at_point(const MeasuredAllocationView* b, int k, double inflow) noexcept nogil:
    """At point k of the table; inflow: k_i v_i."""
    return thrust_in_water(b.p.thrusts[k], inflow * fabs(b.p.speeds[k]), b.p.inversion_floor[0])


cdef inline double thrust_between_points(
    const MeasuredAllocationView* b, bint linear, int k, double part, double inflow
) noexcept nogil:
    """`part` of the way through interval k."""
    cdef double length = b.p.commands[k + 1] - b.p.commands[k]
    return thrust_in_water(
        measured(b.p.thrusts, b.w.thrust_slopes, linear, k, length, part),
        inflow * fabs(measured(b.p.speeds, b.w.speed_slopes, linear, k, length, part)),
        b.p.inversion_floor[0],
    )


cdef inline double command_between_points(
    const MeasuredAllocationView* b, int k, double thrust, double inflow
) noexcept nogil:
    """The command within interval k, at whose ends the thrust is not above and above `thrust`: regula falsi.

    That of Illinois: an end that stays counts half. Source: Dowell and Jarratt (1971), A modified regula falsi method,
    BIT 11.
    """
    cdef bint linear = b.p.interpolation[0] == MEASURED_SET_INTERPOLATION_LINEAR
    cdef double low = 0.0
    cdef double high = 1.0
    cdef double below = thrust_at_point(b, k, inflow) - thrust
    cdef double above = thrust_at_point(b, k + 1, inflow) - thrust
    cdef double part = 0.0
    cdef double error
    cdef int side = 0
    cdef int _iteration
    for _iteration in range(100):
        if below >= 0.0 or high - low <= 1e-15:
            break
        part = low - below * (high - low) / (above - below)
        if not low < part < high:
            part = 0.5 * (low + high)
        error = thrust_between_points(b, linear, k, part, inflow) - thrust
        if error == 0.0:
            break
        if error > 0.0:
            high = part
            above = error
            if side > 0:
                below *= 0.5
            side = 1
        else:
            low = part
            below = error
            if side < 0:
                above *= 0.5
            side = -1
        if fabs(error) <= 1e-14 * fabs(thrust):
            break
    return b.p.commands[k] + part * (b.p.commands[k + 1] - b.p.commands[k])


cdef inline int points_below(
    const MeasuredAllocationView* b, double thrust, double inflow, bint equal
) noexcept nogil:
    """How many points have less thrust, or with `equal` not more. By bisection."""
    cdef int low = 0
    cdef int high = b.n.m
    cdef int middle
    cdef double there
    while low < high:
        middle = (low + high) // 2
        there = thrust_at_point(b, middle, inflow)
        if there < thrust or (equal and there == thrust):
            low = middle + 1
        else:
            high = middle
    return low


cdef inline double command_of_thrust(const MeasuredAllocationView* b, double thrust, double inflow) noexcept nogil:
    """The command of the table that gives a thrust; in a dead band its middle, beyond the table its end."""
    cdef int first = points_below(b, thrust, inflow, False)
    cdef int past = points_below(b, thrust, inflow, True)
    if thrust != thrust:                    # no number
        return thrust
    if past > first:                        # points with just this thrust
        return 0.5 * (b.p.commands[first] + b.p.commands[past - 1])
    if past == 0:
        return b.p.commands[0]
    if past == b.n.m:
        return b.p.commands[b.n.m - 1]
    return command_between_points(b, past - 1, thrust, inflow)


cdef inline void measured_allocation_setup(const MeasuredAllocationView* b, double t) noexcept nogil:
    """w: slopes at the points, and what the allocation has."""
    cdef BoundedAllocationView shared = measured_allocation_as_bounded_allocation(b)
    monotone_slopes(b.p.commands, b.p.thrusts, b.n.m, b.w.thrust_slopes)
    monotone_slopes(b.p.commands, b.p.speeds, b.n.m, b.w.speed_slopes)
    bounded_allocation_constants(&shared, b.p.allocation_matrix)


cdef inline void measured_allocation_outputs(const MeasuredAllocationView* b, double t) noexcept nogil:
    """y: thrusts within the table, and the commands for them."""
    cdef BoundedAllocationView shared = measured_allocation_as_bounded_allocation(b)
    cdef double f[BOUNDED_MAX]
    cdef double lower[BOUNDED_MAX]
    cdef double upper[BOUNDED_MAX]
    cdef double inflow[BOUNDED_MAX]
    cdef double v
    cdef int i, k
    for i in range(b.n.n):
        v = 0.0
        for k in range(6):
            v += b.p.allocation_matrix[k * b.n.n + i] * b.u.nu_r[k]
        inflow[i] = b.p.inflow_coefficient[i] * v
        lower[i] = thrust_at_point(b, 0, inflow[i])
        upper[i] = thrust_at_point(b, b.n.m - 1, inflow[i])
        if lower[i] > 0.0:                  # a table that has no astern: nothing is wanted of it against its way
            lower[i] = 0.0
        if upper[i] < 0.0:
            upper[i] = 0.0
    allocate_within(&shared, b.p.allocation_matrix, lower, upper, f)
    if b.y.command != NULL:
        for i in range(b.n.n):
            b.y.command[i] = command_of_thrust(b, f[i], inflow[i])
