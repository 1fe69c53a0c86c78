"""Powers and roots."""

from cython_kernels.mathematics.elementary.bits cimport bits_of
from libc.math cimport pow as c_pow, cbrt as c_cbrt

cdef extern from *:
    """
    static inline double kb_pow(double, double) KB_ONCE;
    static inline double kb_cbrt(double) KB_ONCE;
    """


cdef inline double pow "kb_pow"(double x, double y) noexcept nogil:
    return c_pow(x, y)


cdef inline double cbrt "kb_cbrt"(double x) noexcept nogil:
    return c_cbrt(x)
