"""Powers and roots."""

from libc.math cimport pow as c_pow, cbrt as c_cbrt

cdef extern from *:
    """
    static inline double kb_pow(double, double);
    static inline double kb_cbrt(double);
    """


cdef inline double pow "kb_pow"(double x, double y) noexcept nogil:
    return c_pow(x, y)


cdef inline double cbrt "kb_cbrt"(double x) noexcept nogil:
    return c_cbrt(x)
