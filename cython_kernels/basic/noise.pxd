"""Kernels of the noise sources: a random number for each sample, a function of seed and number alone."""

from libc.math cimport floor, sqrt

from cython_kernels.mathematics.limits cimport larger
from cython_kernels.mathematics.random cimport random_normal, random_uniform
from cython_kernels.views.basic.noise cimport GaussianNoiseView, UniformNoiseView, WhiteNoiseView


cdef inline double first_sample(double t, double period) noexcept nogil:
    """Samples are numbered from time 0 on, so that a run that starts later has the numbers of those instants."""
    return larger(0.0, floor(t / period + 0.5))


cdef inline void gaussian_noise_start(const GaussianNoiseView* b, double t) noexcept nogil:
    b.z.sample[0] = first_sample(t, b.p.period[0])


cdef inline void gaussian_noise_update(const GaussianNoiseView* b, double t) noexcept nogil:
    b.z.sample[0] += 1.0


cdef inline void gaussian_noise_outputs(const GaussianNoiseView* b, double t) noexcept nogil:
    """y = mean + sigma N(0, 1)."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.p.mean[i] + b.p.standard_deviation[i] * random_normal(b.p.seed[0], b.key, b.z.sample[0], i, 0)


cdef inline void uniform_noise_start(const UniformNoiseView* b, double t) noexcept nogil:
    b.z.sample[0] = first_sample(t, b.p.period[0])


cdef inline void uniform_noise_update(const UniformNoiseView* b, double t) noexcept nogil:
    b.z.sample[0] += 1.0


cdef inline void uniform_noise_outputs(const UniformNoiseView* b, double t) noexcept nogil:
    """y uniform on (lower, upper)."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = b.p.lower[i] + (b.p.upper[i] - b.p.lower[i]) * random_uniform(
            b.p.seed[0], b.key, b.z.sample[0], i, 0
        )


cdef inline void white_noise_start(const WhiteNoiseView* b, double t) noexcept nogil:
    b.z.sample[0] = first_sample(t, b.p.period[0])


cdef inline void white_noise_update(const WhiteNoiseView* b, double t) noexcept nogil:
    b.z.sample[0] += 1.0


cdef inline void white_noise_outputs(const WhiteNoiseView* b, double t) noexcept nogil:
    """y = sqrt(S / T) N(0, 1)."""
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = sqrt(b.p.spectral_density[i] / b.p.period[0]) * random_normal(
            b.p.seed[0], b.key, b.z.sample[0], i, 0
        )
