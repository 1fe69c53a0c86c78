"""Drag across the flow by strips, shared by the block of it and by vessels.

Along a strip of length h the velocity across the flow is linear, s = m + rate (x - x_i), so that the means of |s| s and
of (x - x_i) |s| s over it are exact: with D = |rate| h/2, the half of what s changes by, and q = |m|/D

    without a change of sign, |m| >= D:   |m| m + sign(m) D^2/3,   |m| rate h^2/6
    with one:                             m D (1 + q^2/3),         sign(rate) h D^2 (3 + 6 q^2 - q^4)/24

Source: the integrals of Faltinsen (1990), Sea Loads on Ships and Offshore Structures, ch. 6, over a strip.
"""

from libc.math cimport copysign, fabs

ctypedef struct Strips:
    int number                  # from aft to fore
    double length               # of each
    double first                # x of the middle of the first
    double scale                # rho/2 times the length of each


cdef inline void divide_into_strips(
    int number, double length, double middle, double density, Strips* strips
) noexcept nogil:
    """Strips of equal length."""
    strips.number = number
    strips.length = length / number
    strips.first = middle + 0.5 * (strips.length - length)
    strips.scale = 0.5 * density * strips.length


cdef inline void strip_drag(
    const Strips* strips, const double* coefficients, const double* widths, double speed, double rate,
    double* force, double* moment,
) noexcept nogil:
    """rho/2 times the integrals of C_D width |s| s and of x C_D width |s| s, s = speed + rate x."""
    cdef double length = strips.length
    cdef double half = 0.5 * rate * length
    cdef double most = fabs(half)
    cdef double inverse = 1.0 / most if most > 0.0 else 0.0
    cdef double third = most * most * (1.0 / 3.0)
    cdef double steady_arm = half * length * (1.0 / 3.0)
    cdef double turning_arm = half * most * length * (1.0 / 24.0)
    cdef double sum = 0.0
    cdef double sum_of_moments = 0.0
    cdef double x, mid, least, q, drag, offset, width
    cdef int i
    for i in range(strips.number):
        x = strips.first + i * length
        width = coefficients[i] * widths[i]
        mid = speed + rate * x
        least = fabs(mid)
        q = least * inverse
        q = q * q
        if least >= most:
            drag = least * mid + copysign(third, mid)
            offset = least * steady_arm
        else:
            drag = mid * most * (1.0 + q * (1.0 / 3.0))
            offset = turning_arm * (3.0 + q * (6.0 - q))
        sum += width * drag
        sum_of_moments += width * (x * drag + offset)
    force[0] = strips.scale * sum
    moment[0] = strips.scale * sum_of_moments
