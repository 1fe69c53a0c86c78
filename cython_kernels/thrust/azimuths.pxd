"""The thrust curve of thrusters that turn about a vertical axis."""

from libc.math cimport fabs


cdef inline double odd_thrust_curve(const double* c, double n) noexcept nogil:
    """c1 n + c2 |n| n + c3 n^3."""
    return n * (c[0] + fabs(n) * (c[1] + fabs(n) * c[2]))
