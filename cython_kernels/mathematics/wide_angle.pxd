"""The direction of many plane vectors at once, without a branch: the main path of `atan2`."""

from libc.math cimport copysign, fabs

from cython_kernels.mathematics.elementary.bits cimport choice
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport KB_TAN_PIO8, angle_within

cdef extern from *:
    """
    static inline double kb_wide_angle(double y, double x) KB_ALWAYS_INLINE;
    """


cdef inline double wide_angle "kb_wide_angle"(double y, double x) noexcept nogil:
    """atan2(y, x) for numbers from 1e-120 to 1e120 and 0, so for all lengths that there are."""
    cdef double across = fabs(y)
    cdef double along = fabs(x)
    cdef double small = choice(across < along, across, along)
    cdef double big = choice(across < along, along, across)
    cdef double half = choice(KB_TAN_PIO8 * big < small, 1.0, 0.0)
    cdef double turn = choice(along < across, -1.0, 1.0)
    return copysign(angle_within(small, big, half, turn, copysign(1.0, x)), y)
