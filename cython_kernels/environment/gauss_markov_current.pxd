"""Kernel of a current that wanders: speed, direction and vertical velocity as first-order Gauss-Markov processes."""

from libc.math cimport floor

from cython_kernels.mathematics.limits cimport clamp, larger
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.sensors.instrument cimport drift_setup, drift_start, drift_step
from cython_kernels.views.environment.gauss_markov_current cimport GaussMarkovCurrentView


cdef inline void hold_within_limits(const GaussMarkovCurrentView* b) noexcept nogil:
    """The speed stays within its limits; the process goes on from there, and does not wind up beyond."""
    cdef double mean = b.p.speed[0]
    b.z.beside[0] = clamp(b.z.beside[0], b.p.lowest_speed[0] - mean, b.p.highest_speed[0] - mean)


cdef inline void gauss_markov_current_setup(const GaussMarkovCurrentView* b, double t) noexcept nogil:
    """w: two numbers for each process, see `drift_setup`."""
    drift_setup(b.w.steps, b.p.speed_deviation[0], b.p.period[0] / b.p.speed_time[0])
    drift_setup(b.w.steps + 2, b.p.direction_deviation[0], b.p.period[0] / b.p.direction_time[0])
    drift_setup(b.w.steps + 4, b.p.vertical_deviation[0], b.p.period[0] / b.p.vertical_time[0])


cdef inline void gauss_markov_current_start(const GaussMarkovCurrentView* b, double t) noexcept nogil:
    """Samples are numbered from time 0 on; the processes begin anywhere within their distributions."""
    b.z.sample[0] = larger(0.0, floor(t / b.p.period[0] + 0.5))
    drift_start(b.key, b.z.sample[0], b.z.beside, 1, b.p.speed_deviation[0], b.p.seed[0], 0)
    drift_start(b.key, b.z.sample[0], b.z.beside + 1, 1, b.p.direction_deviation[0], b.p.seed[0], 1)
    drift_start(b.key, b.z.sample[0], b.z.beside + 2, 1, b.p.vertical_deviation[0], b.p.seed[0], 2)
    hold_within_limits(b)


cdef inline void gauss_markov_current_outputs(const GaussMarkovCurrentView* b, double t) noexcept nogil:
    """y: current."""
    cdef double speed = b.p.speed[0] + b.z.beside[0]
    cdef double sine, cosine
    sine_cosine(b.p.direction[0] + b.z.beside[1], &sine, &cosine)
    b.y.current[0] = speed * cosine
    b.y.current[1] = speed * sine
    b.y.current[2] = b.p.vertical[0] + b.z.beside[2]


cdef inline void gauss_markov_current_update(const GaussMarkovCurrentView* b, double t) noexcept nogil:
    """One sample on."""
    cdef int i
    for i in range(3):
        drift_step(b.key, b.z.sample[0], b.z.beside + i, 1, b.w.steps + 2 * i, b.p.seed[0], i)
    hold_within_limits(b)
    b.z.sample[0] += 1.0
