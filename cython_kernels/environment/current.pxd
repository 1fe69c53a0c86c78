"""Kernel of the uniform current."""

from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin
from cython_kernels.views.environment.current cimport UniformCurrentView


cdef inline void uniform_current_setup(const UniformCurrentView* b, double t) noexcept nogil:
    """The velocity of the water."""
    b.w.velocity[0] = b.p.speed[0] * cos(b.p.direction[0])
    b.w.velocity[1] = b.p.speed[0] * sin(b.p.direction[0])
    b.w.velocity[2] = b.p.vertical[0]


cdef inline void uniform_current_outputs(const UniformCurrentView* b, double t) noexcept nogil:
    """As at all times."""
    cdef int i
    for i in range(3):
        b.y.current[i] = b.w.velocity[i]
