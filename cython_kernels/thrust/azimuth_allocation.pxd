"""Kernel of the allocation of a wanted wrench to thrusters that turn."""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.matrix cimport weighted_pseudo_inverse
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.azimuths cimport odd_thrust_curve
from cython_kernels.views.thrust.azimuth_allocation cimport AzimuthAllocationView


cdef inline double inverse_thrust_curve(const double* c, double thrust, double most) noexcept nogil:
    """The n within 0 and `most` of a rising odd thrust curve for |thrust|, with its sign; `most` beyond the curve."""
    cdef double wanted = fabs(thrust)
    cdef double low = 0.0
    cdef double high = most
    cdef double n, step, error
    cdef int _iteration
    if not wanted > 0.0:                # none, or no number
        return thrust
    if odd_thrust_curve(c, most) <= wanted:
        return copysign(most, thrust)
    n = 0.5 * most
    for _iteration in range(100):
        error = odd_thrust_curve(c, n) - wanted
        if error > 0.0:
            high = n
        else:
            low = n
        step = error / (c[0] + n * (2.0 * c[1] + n * 3.0 * c[2]))
        n -= step
        if fabs(step) <= 1e-12 * n:     # before the bracket, one end of which n has come to
            break
        if not low < n < high:
            n = 0.5 * (low + high)
    return copysign(n, thrust)


cdef inline bint turned_into(double* angle, double least, double greatest) noexcept nogil:
    """Add a turn to an angle within [-2 pi, 2 pi] or take one off so that it is in range. False: it cannot be."""
    if least <= angle[0] <= greatest:
        return True
    if least <= angle[0] + 2.0 * KB_PI <= greatest:
        angle[0] += 2.0 * KB_PI
        return True
    if least <= angle[0] - 2.0 * KB_PI <= greatest:
        angle[0] -= 2.0 * KB_PI
        return True
    return False


cdef inline double along_the_stop(double x, double y, double angle) noexcept nogil:
    """The part of a wanted force along an angle."""
    cdef double s, c
    sine_cosine(angle, &s, &c)
    return c * x + s * y


cdef inline double direct_thrust(
    double x, double y, double least, double greatest, bint reversible, double* angle
) noexcept nogil:
    """Angle and thrust for a wanted force: ahead if the range allows it, else astern, else as near as the stops are."""
    cdef double opposite, other
    angle[0] = atan2(y, x)
    if angle[0] != angle[0]:            # no number
        return angle[0]
    opposite = angle[0] - copysign(KB_PI, angle[0])
    if turned_into(angle, least, greatest):
        return sqrt(x * x + y * y)
    if reversible and turned_into(&opposite, least, greatest):
        angle[0] = opposite
        return -sqrt(x * x + y * y)
    angle[0] = least
    x, other = along_the_stop(x, y, least), along_the_stop(x, y, greatest)
    if (fabs(other) if reversible else other) > (fabs(x) if reversible else x):
        angle[0] = greatest
        x = other
    return 0.0 if x < 0.0 and not reversible else x


cdef inline void extended_allocation(const AzimuthAllocationView* b) noexcept nogil:
    """w: the wrench of ahead and starboard parts of each thruster, weights, and the pseudo-inverse.

    A fixed thruster has one part, along its angle, and a second one that does nothing.
    """
    cdef int n = b.n.n
    cdef double* matrix = b.w.columns
    cdef const double* r
    cdef double s, c
    cdef int i, j
    for i in range(n):
        r = b.p.positions + 3 * i
        s = 0.0
        c = 1.0
        if not b.p.angle_min[i] < b.p.angle_max[i]:
            sine_cosine(b.p.angle_min[i], &s, &c)
        for j in range(2):
            matrix[0 * 2 * n + 2 * i + j] = c
            matrix[1 * 2 * n + 2 * i + j] = s
            matrix[2 * 2 * n + 2 * i + j] = 0.0
            matrix[3 * 2 * n + 2 * i + j] = -r[2] * s
            matrix[4 * 2 * n + 2 * i + j] = r[2] * c
            matrix[5 * 2 * n + 2 * i + j] = r[0] * s - r[1] * c
            b.w.costs[2 * i + j] = b.p.weights[i]
            if b.p.angle_min[i] < b.p.angle_max[i]:
                s = 1.0
                c = 0.0
            else:
                s = 0.0
                c = 0.0
    weighted_pseudo_inverse(matrix, b.w.costs, 2 * n, b.w.pseudo_inverse, 6)


cdef inline void azimuth_allocation_setup(const AzimuthAllocationView* b, double t) noexcept nogil:
    extended_allocation(b)


cdef inline double wanted_part(const AzimuthAllocationView* b, int k) noexcept nogil:
    """Part k of the thrusts for the wanted wrench."""
    cdef const double* row = b.w.pseudo_inverse + 6 * k
    cdef const double* force = b.u.force
    return (
        row[0] * force[0] + row[1] * force[1] + row[2] * force[2]
        + row[3] * force[3] + row[4] * force[4] + row[5] * force[5]
    )


cdef inline double commanded_speed(const AzimuthAllocationView* b, int i, double thrust) noexcept nogil:
    """The speed at which thruster i gives a thrust, within its limits."""
    cdef double most = b.p.speed_limit_forward[i] if thrust >= 0.0 else b.p.speed_limit_reverse[i]
    return inverse_thrust_curve(b.p.thrust_coefficient + 3 * i, thrust, most)


cdef inline void azimuth_allocation_outputs(const AzimuthAllocationView* b, double t) noexcept nogil:
    """Each thruster as its parts want it, held within its own limits."""
    cdef double least, greatest, angle, thrust
    cdef int i
    for i in range(b.n.n):
        least = b.p.angle_min[i]
        greatest = b.p.angle_max[i]
        if least < greatest:
            thrust = direct_thrust(
                wanted_part(b, 2 * i), wanted_part(b, 2 * i + 1), least, greatest,
                b.p.speed_limit_reverse[i] > 0.0, &angle,
            )
        else:
            thrust = wanted_part(b, 2 * i)
            angle = least
        b.y.command[i] = commanded_speed(b, i, thrust)
        b.y.angle[i] = angle
        b.y.thrust[i] = thrust
