"""Hyperbolic functions."""

from cython_kernels.mathematics.elementary.bits cimport bits_of
from libc.math cimport sinh as c_sinh, cosh as c_cosh, tanh as c_tanh

cdef extern from *:
    """
    static inline double kb_sinh(double) KB_ONCE;
    static inline double kb_cosh(double) KB_ONCE;
    static inline double kb_tanh(double) KB_ONCE;
    """


cdef inline double sinh "kb_sinh"(double x) noexcept nogil:
    return c_sinh(x)


cdef inline double cosh "kb_cosh"(double x) noexcept nogil:
    return c_cosh(x)


cdef inline double tanh "kb_tanh"(double x) noexcept nogil:
    return c_tanh(x)
