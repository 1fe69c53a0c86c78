"""Logarithms."""

from libc.math cimport log as c_log, log10 as c_log10

cdef extern from *:
    """
    static inline double kb_log(double);
    static inline double kb_log10(double);
    """


cdef inline double log "kb_log"(double x) noexcept nogil:
    return c_log(x)


cdef inline double log10 "kb_log10"(double x) noexcept nogil:
    return c_log10(x)
