"""Logarithms."""

from cython_kernels.mathematics.elementary.bits cimport bits_of
from libc.math cimport log as c_log, log10 as c_log10

cdef extern from *:
    """
    static inline double kb_log(double) KB_ONCE;
    static inline double kb_log10(double) KB_ONCE;
    """


cdef inline double log "kb_log"(double x) noexcept nogil:
    return c_log(x)


cdef inline double log10 "kb_log10"(double x) noexcept nogil:
    return c_log10(x)
