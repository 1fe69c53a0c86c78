"""Kernel of the drag in a wake."""

from libc.math cimport fabs

from wake_drag.views.drag cimport WakeDragView


cdef inline void wake_drag_outputs(const WakeDragView* b, double t) noexcept nogil:
    """Quadratic in the speed past the appendage."""
    cdef double u_a = (1.0 - b.p.w[0]) * b.u.u[0]
    b.y.force[0] = b.p.k[0] * u_a * fabs(u_a)
