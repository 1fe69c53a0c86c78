"""What blocks with thrusters that turn about a vertical axis share: parameters and thrust curve."""

from libc.math cimport fabs

cdef enum:                              # parameters that all blocks with such thrusters share, first and in this order
    AZIMUTH_POSITIONS = 0
    AZIMUTH_COEFFICIENTS = 1            # c1, c2, c3 of each thruster
    AZIMUTH_LIMIT_FORWARD = 2
    AZIMUTH_LIMIT_REVERSE = 3
    AZIMUTH_ANGLE_MIN = 4
    AZIMUTH_ANGLE_MAX = 5
    AZIMUTH_PARAMETERS = 6


cdef inline double odd_thrust_curve(const double* c, double n) noexcept nogil:
    """c1 n + c2 |n| n + c3 n^3."""
    return n * (c[0] + fabs(n) * (c[1] + fabs(n) * c[2]))
