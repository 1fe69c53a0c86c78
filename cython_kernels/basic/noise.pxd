"""Kernels of the noise sources: a random number for each sample, a function of seed and number alone.

The last three parameters are seed, period, offset; z = number of the sample.
"""

from libc.math cimport floor, fmax, sqrt

from cython_kernels.mathematics.random cimport random_normal, random_uniform
from cython_kernels.view cimport View


cdef inline void noise_start(const View* b, double sample) noexcept nogil:
    """Number samples from time 0 on, so that a run that starts later has the numbers of those instants."""
    b.z[0] = fmax(0.0, floor(sample + 0.5))


cdef inline void noise_update(const View* b, double t) noexcept nogil:
    b.z[0] += 1.0


cdef inline void gaussian_noise_start(const View* b, double t) noexcept nogil:
    noise_start(b, t / b.p[3][0])


cdef inline void gaussian_noise_outputs(const View* b, double t) noexcept nogil:
    """y = mean + sigma N(0, 1); p = mean, standard_deviation, seed, period, offset."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.p[0][i] + b.p[1][i] * random_normal(b.p[2][0], b.key, b.z[0], i, 0)


cdef inline void uniform_noise_start(const View* b, double t) noexcept nogil:
    noise_start(b, t / b.p[3][0])


cdef inline void uniform_noise_outputs(const View* b, double t) noexcept nogil:
    """y uniform on (lower, upper); p = lower, upper, seed, period, offset."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = b.p[0][i] + (b.p[1][i] - b.p[0][i]) * random_uniform(b.p[2][0], b.key, b.z[0], i, 0)


cdef inline void white_noise_start(const View* b, double t) noexcept nogil:
    noise_start(b, t / b.p[2][0])


cdef inline void white_noise_outputs(const View* b, double t) noexcept nogil:
    """y = sqrt(S / T) N(0, 1); p = spectral_density S, seed, period T, offset."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = sqrt(b.p[0][i] / b.p[2][0]) * random_normal(b.p[1][0], b.key, b.z[0], i, 0)
