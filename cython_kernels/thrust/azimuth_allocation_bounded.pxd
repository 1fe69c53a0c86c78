"""Kernel of the allocation to thrusters that turn, where those that can give more help out those that cannot.

Redistribution: whoever is asked for more than he can give keeps the direction nearest to what was wanted of him, and
the amount along it becomes an unknown within limits; all unknowns, both parts of the others among them, are solved for
anew. This is repeated until nobody else is asked for too much, at most once per thruster.
Source: Johansen and Fossen (2013), Control allocation - a survey, Automatica 49 (redistributed pseudo-inverse, here
with bounded least squares in each round); Fossen (2021), sec. 11.2 (extended thrust).
"""

from libc.math cimport fabs

from cython_kernels.mathematics.bounded_least_squares cimport BOUNDED_MAX, improve_within_bounds
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.mathematics.limits cimport NO_LIMIT, clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.azimuth_allocation cimport commanded_speed, direct_thrust, extended_allocation, wanted_part
from cython_kernels.thrust.azimuths cimport odd_thrust_curve
from cython_kernels.views.thrust.azimuth_allocation cimport AzimuthAllocationView

cdef enum:
    AZIMUTH_MOST = 12                   # thrusters, of two unknowns each


ctypedef struct AzimuthShares:
    double parts[BOUNDED_MAX]           # ahead and starboard part of each thruster
    double angle[AZIMUTH_MOST]
    double thrust[AZIMUTH_MOST]     # along the angle, within the limits
    double least[AZIMUTH_MOST]
    double most[AZIMUTH_MOST]
    int directed[AZIMUTH_MOST]      # true where the angle is not to change any more


cdef inline bint share_out(const AzimuthAllocationView* b, AzimuthShares* s) noexcept nogil:
    """Angles and thrusts nearest to the parts. True: some thruster cannot give what is wanted of it."""
    cdef bint short_of = False
    cdef double wanted, size
    cdef int i
    for i in range(b.n.n):
        if s.directed[i]:
            continue
        wanted = direct_thrust(
            s.parts[2 * i], s.parts[2 * i + 1], b.p.angle_min[i], b.p.angle_max[i],
            s.least[i] < 0.0, &s.angle[i],
        )
        s.thrust[i] = clamp(wanted, s.least[i], s.most[i])
        size = length_of(s.parts[2 * i], s.parts[2 * i + 1])
        if fabs(s.thrust[i]) < size * (1.0 - 1e-12):
            s.directed[i] = 1
            short_of = True
    return short_of


cdef inline double distance_from_wanted(const AzimuthAllocationView* b, const AzimuthShares* s) noexcept nogil:
    """The square of what is missing to the wanted wrench."""
    cdef const double* matrix = b.w.columns
    cdef int count = 2 * b.n.n
    cdef double missing[6]
    cdef double total = 0.0
    cdef double sine, cosine
    cdef int i, k
    for k in range(6):
        missing[k] = b.u.force[k]
    for i in range(b.n.n):
        sine_cosine(s.angle[i], &sine, &cosine)
        if not b.p.angle_min[i] < b.p.angle_max[i]:
            sine, cosine = 0.0, 1.0     # the column of a fixed thruster is along its angle
        for k in range(6):
            missing[k] -= s.thrust[i] * (
                cosine * matrix[k * count + 2 * i] + sine * matrix[k * count + 2 * i + 1]
            )
    for k in range(6):
        total += missing[k] * missing[k]
    return total


cdef inline void redistribute(const AzimuthAllocationView* b, AzimuthShares* s) noexcept nogil:
    """The best parts and thrusts with the angles that are settled."""
    cdef const double* columns = b.w.columns
    cdef double matrix[6 * BOUNDED_MAX]
    cdef double weights[BOUNDED_MAX]
    cdef double lower[BOUNDED_MAX]
    cdef double upper[BOUNDED_MAX]
    cdef double f[BOUNDED_MAX]
    cdef int held[BOUNDED_MAX]
    cdef double sine, cosine
    cdef int n = b.n.n
    cdef int count = 0
    cdef int unknowns = 0
    cdef int i, j, k
    for i in range(n):
        unknowns += 1 if s.directed[i] else 2
    for i in range(n):
        sine, cosine = 0.0, 1.0
        if s.directed[i] and b.p.angle_min[i] < b.p.angle_max[i]:
            sine_cosine(s.angle[i], &sine, &cosine)
        for j in range(1 if s.directed[i] else 2):
            for k in range(6):
                matrix[k * unknowns + count] = (
                    cosine * columns[k * 2 * n + 2 * i] + sine * columns[k * 2 * n + 2 * i + 1]
                )
            weights[count] = b.p.weights[i]
            lower[count] = s.least[i] if s.directed[i] else -NO_LIMIT
            upper[count] = s.most[i] if s.directed[i] else NO_LIMIT
            f[count] = s.thrust[i] if s.directed[i] else s.parts[2 * i + j]
            held[count] = 0
            sine, cosine = 1.0, 0.0
            count += 1
    improve_within_bounds(matrix, weights, b.u.force, lower, upper, unknowns, f, held)
    count = 0
    for i in range(n):
        if s.directed[i]:
            s.thrust[i] = f[count]
            count += 1
        else:
            s.parts[2 * i] = f[count]
            s.parts[2 * i + 1] = f[count + 1]
            count += 2


cdef inline void tell(const AzimuthAllocationView* b, const AzimuthShares* s) noexcept nogil:
    """Commands follow from the thrusts in the end."""
    cdef int i
    for i in range(b.n.n):
        b.y.angle[i] = s.angle[i]
        b.y.thrust[i] = s.thrust[i]


cdef inline void azimuth_allocation_bounded_setup(const AzimuthAllocationView* b, double t) noexcept nogil:
    extended_allocation(b)


cdef inline void azimuth_allocation_bounded_outputs(const AzimuthAllocationView* b, double t) noexcept nogil:
    """The round that comes nearest to the wanted wrench counts."""
    cdef AzimuthShares s
    cdef double missed, nearest, part
    cdef int n = b.n.n
    cdef int i, _round
    cdef bint short_of = False
    s.angle[0] = 0.0                    # for compilers that think of no thrusters at all
    for i in range(n):
        s.parts[2 * i] = wanted_part(b, 2 * i)
        s.parts[2 * i + 1] = wanted_part(b, 2 * i + 1)
        s.most[i] = odd_thrust_curve(b.p.thrust_coefficient + 3 * i, b.p.speed_limit_forward[i])
        s.least[i] = -odd_thrust_curve(b.p.thrust_coefficient + 3 * i, b.p.speed_limit_reverse[i])
        part = clamp(b.u.available[i], 0.0, 1.0)
        s.most[i] *= part
        s.least[i] *= part
        s.directed[i] = 0
        if not b.p.angle_min[i] < b.p.angle_max[i]:
            s.directed[i] = 1
            s.angle[i] = b.p.angle_min[i]
            s.thrust[i] = clamp(s.parts[2 * i], s.least[i], s.most[i])
            short_of = short_of or s.thrust[i] != s.parts[2 * i]
    short_of = share_out(b, &s) or short_of
    tell(b, &s)
    nearest = distance_from_wanted(b, &s) if short_of else 0.0
    for _round in range(n + 1):
        if not short_of:
            break
        redistribute(b, &s)
        short_of = share_out(b, &s)
        missed = distance_from_wanted(b, &s)
        if missed < nearest:
            nearest = missed
            tell(b, &s)
    part = 0.0
    for i in range(n):
        part += 0.0 * b.u.available[i]
    for i in range(n):
        if part != part:                    # what is available is no number, which comparing hides
            b.y.thrust[i] = part
            b.y.angle[i] = part
        b.y.command[i] = commanded_speed(b, i, b.y.thrust[i])
