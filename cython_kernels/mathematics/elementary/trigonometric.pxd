"""Sine, cosine and tangent."""

from cython_kernels.mathematics.elementary.bits cimport bits_of
from libc.math cimport sin as c_sin, cos as c_cos, tan as c_tan

cdef extern from *:
    """
    static inline double kb_sin(double) KB_ONCE;
    static inline double kb_cos(double) KB_ONCE;
    static inline double kb_tan(double) KB_ONCE;
    """


cdef inline double sin "kb_sin"(double x) noexcept nogil:
    return c_sin(x)


cdef inline double cos "kb_cos"(double x) noexcept nogil:
    return c_cos(x)


cdef inline double tan "kb_tan"(double x) noexcept nogil:
    return c_tan(x)
