"""Kernels of environment blocks."""

from libc.math cimport cos, sin

from cython_kernels.gauss_markov_current cimport *
from cython_kernels.gust cimport *
from cython_kernels.sea cimport *
from cython_kernels.sea_surface cimport *
from cython_kernels.sheared_current cimport *
from cython_kernels.velocity_field cimport *
from cython_kernels.view cimport View
from cython_kernels.wave_force_rao cimport *
from cython_kernels.wave_load cimport *
from cython_kernels.wind cimport *


cdef inline void uniform_current_setup(const View* b, double t) noexcept nogil:
    """w: velocity of the water, north, east, down."""
    cdef double speed = b.p[0][0]
    cdef double direction = b.p[1][0]
    b.w[0] = speed * cos(direction)
    b.w[1] = speed * sin(direction)
    b.w[2] = b.p[2][0]


cdef inline void uniform_current_outputs(const View* b, double t) noexcept nogil:
    """y: current."""
    cdef int i
    for i in range(3):
        b.y[0][i] = b.w[i]
