"""Helpers for kernels with events: instants that have been reached, and crossing functions that are never zero."""

from libc.math cimport fabs


cdef inline bint reached(double t, double instant) noexcept nogil:
    """True from `instant` on; t may fall short of it by what rounding does to a sum of steps."""
    cdef double now = fabs(t)
    cdef double then = fabs(instant)
    return t >= instant - 1e-14 * (now if now > then else then)     # fmax costs a call


cdef inline double side(bint positive, double distance) noexcept nogil:
    """A crossing function that is positive if and only if `positive`, and as large as `distance`.

    Solvers look for a change of sign from one end of a step to the other. A function that is exactly zero at the
    start of a step would hide it, so this one never is, and its sign is the very comparison that the kernel makes.
    """
    cdef double size = fabs(distance)
    if not size > 1e-300:
        size = 1e-300
    return size if positive else -size
