"""Kernel of the regular wave."""

from cython_kernels.environment.waves cimport WAVES_ROWS, put_wave, wave_number
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.view cimport View


cdef inline void regular_wave_setup(const View* b, double t) noexcept nogil:
    """p: amplitude, period, direction, phase, depth, gravity; w: the wave."""
    cdef double omega = 2.0 * KB_PI / b.p[1][0]
    cdef double depth = b.p[4][0]
    cdef double number = wave_number(omega, depth, b.p[5][0])
    put_wave(b.w, 1, 0, omega, number, b.p[2][0], b.p[0][0], b.p[3][0], depth)


cdef inline void regular_wave_outputs(const View* b, double t) noexcept nogil:
    """y: waves."""
    cdef int i
    for i in range(WAVES_ROWS):
        b.y[0][i] = b.w[i]
