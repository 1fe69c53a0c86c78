"""Kernels of currents that change with the depth: by a table, and by a power law."""

from libc.math cimport cos, pow, sin

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View


cdef inline void sheared_current_setup(const View* b, double t) noexcept nogil:
    """w: directions, each within half a turn of the one before, so that the way between them is the shorter one."""
    cdef const double* directions = b.p[2]
    cdef int k
    b.w[0] = directions[0]
    for k in range(1, b.n[0]):
        b.w[k] = b.w[k - 1] + wrap_angle(directions[k] - directions[k - 1])


cdef inline void sheared_current_outputs(const View* b, double t) noexcept nogil:
    """y: current; u: eta; p: depths, speeds, directions."""
    cdef double depth = b.u[0][2]
    cdef int k = table_interval(b.p[0], b.n[0], depth)
    cdef double part = table_part(b.p[0], k, depth, True)
    cdef double speed = table_between(b.p[1][k], b.p[1][k + 1], part)
    cdef double sine, cosine
    sine_cosine(table_between(b.w[k], b.w[k + 1], part), &sine, &cosine)
    b.y[0][0] = speed * cosine
    b.y[0][1] = speed * sine
    b.y[0][2] = 0.0


cdef inline void power_law_current_setup(const View* b, double t) noexcept nogil:
    """w: velocity at the surface, north and east; p: speed, direction, depth, exponent."""
    b.w[0] = b.p[0][0] * cos(b.p[1][0])
    b.w[1] = b.p[0][0] * sin(b.p[1][0])


cdef inline void power_law_current_outputs(const View* b, double t) noexcept nogil:
    """y: current; u: eta. Above the surface as there, below the bottom nothing."""
    cdef double factor = pow(clamp(1.0 - b.u[0][2] / b.p[2][0], 0.0, 1.0), b.p[3][0])
    b.y[0][0] = factor * b.w[0]
    b.y[0][1] = factor * b.w[1]
    b.y[0][2] = 0.0
