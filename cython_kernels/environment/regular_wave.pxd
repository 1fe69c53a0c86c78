"""Kernel of the regular wave."""

from cython_kernels.environment.waves cimport WAVES_ROWS, put_wave, wave_number
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.environment.regular_wave cimport RegularWaveView


cdef inline void regular_wave_setup(const RegularWaveView* b, double t) noexcept nogil:
    """The wave, as it goes out."""
    cdef double omega = 2.0 * KB_PI / b.p.period[0]
    cdef double depth = b.p.depth[0]
    cdef double number = wave_number(omega, depth, b.p.gravity[0])
    put_wave(b.w.component, 1, 0, omega, number, b.p.direction[0], b.p.amplitude[0], b.p.phase[0], depth)


cdef inline void regular_wave_outputs(const RegularWaveView* b, double t) noexcept nogil:
    """As at all times."""
    cdef int i
    for i in range(WAVES_ROWS):
        b.y.waves[i] = b.w.component[i]
