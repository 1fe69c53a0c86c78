"""Kernel of the uniform wind."""

from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin
from cython_kernels.views.environment.wind cimport UniformWindView


cdef inline void uniform_wind_setup(const UniformWindView* b, double t) noexcept nogil:
    """The velocity of the air. It comes from where the direction says, hence the sign."""
    b.w.velocity[0] = -b.p.speed[0] * cos(b.p.direction[0])
    b.w.velocity[1] = -b.p.speed[0] * sin(b.p.direction[0])
    b.w.velocity[2] = 0.0


cdef inline void uniform_wind_outputs(const UniformWindView* b, double t) noexcept nogil:
    """As at all times."""
    cdef int i
    for i in range(3):
        b.y.wind[i] = b.w.velocity[i]
