"""Kernels of currents that change with the depth: by a table, and by a power law."""

from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.environment.sheared_current cimport PowerLawCurrentView, ShearedCurrentView


cdef inline void sheared_current_setup(const ShearedCurrentView* b, double t) noexcept nogil:
    """Directions of which each is within half a turn of the one before, so that the shorter way is between them."""
    cdef const double* directions = b.p.directions
    cdef int k
    b.w.headings[0] = directions[0]
    for k in range(1, b.n.m):
        b.w.headings[k] = b.w.headings[k - 1] + wrap_angle(directions[k] - directions[k - 1])


cdef inline void sheared_current_outputs(const ShearedCurrentView* b, double t) noexcept nogil:
    """Speed and direction at the depth of the vehicle."""
    cdef double depth = b.u.eta[2]
    cdef int k = table_interval(b.p.depths, b.n.m, depth)
    cdef double part = table_part(b.p.depths, k, depth, True)
    cdef double speed = table_between(b.p.speeds[k], b.p.speeds[k + 1], part)
    cdef double sine, cosine
    sine_cosine(table_between(b.w.headings[k], b.w.headings[k + 1], part), &sine, &cosine)
    b.y.current[0] = speed * cosine
    b.y.current[1] = speed * sine
    b.y.current[2] = 0.0


cdef inline void power_law_current_setup(const PowerLawCurrentView* b, double t) noexcept nogil:
    """The velocity at the surface."""
    b.w.surface[0] = b.p.speed[0] * cos(b.p.direction[0])
    b.w.surface[1] = b.p.speed[0] * sin(b.p.direction[0])


cdef inline void power_law_current_outputs(const PowerLawCurrentView* b, double t) noexcept nogil:
    """Above the surface as there, below the bottom nothing."""
    cdef double factor = pow(clamp(1.0 - b.u.eta[2] / b.p.depth[0], 0.0, 1.0), b.p.exponent[0])
    b.y.current[0] = factor * b.w.surface[0]
    b.y.current[1] = factor * b.w.surface[1]
    b.y.current[2] = 0.0
