"""Exponential functions."""

from cython_kernels.mathematics.elementary.bits cimport bits_of
from libc.math cimport exp as c_exp, expm1 as c_expm1

cdef extern from *:
    """
    static inline double kb_exp(double) KB_ONCE;
    static inline double kb_expm1(double) KB_ONCE;
    """


cdef inline double exp "kb_exp"(double x) noexcept nogil:
    return c_exp(x)


cdef inline double expm1 "kb_expm1"(double x) noexcept nogil:
    return c_expm1(x)
