"""Arc sine, arc cosine and arc tangent."""

from cython_kernels.mathematics.elementary.bits cimport bits_of
from libc.math cimport asin as c_asin, acos as c_acos, atan as c_atan, atan2 as c_atan2

cdef extern from *:
    """
    static inline double kb_asin(double) KB_ONCE;
    static inline double kb_acos(double) KB_ONCE;
    static inline double kb_atan(double) KB_ONCE;
    static inline double kb_atan2(double, double) KB_ONCE;
    """


cdef inline double asin "kb_asin"(double x) noexcept nogil:
    return c_asin(x)


cdef inline double acos "kb_acos"(double x) noexcept nogil:
    return c_acos(x)


cdef inline double atan "kb_atan"(double x) noexcept nogil:
    return c_atan(x)


cdef inline double atan2 "kb_atan2"(double y, double x) noexcept nogil:
    return c_atan2(y, x)
