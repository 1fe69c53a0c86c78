"""Kernel of a current that wanders: speed, direction and vertical velocity as first-order Gauss-Markov processes."""

from libc.math cimport floor, fmax

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.sensors.instrument cimport drift_setup, drift_start, drift_step
from cython_kernels.view cimport View

cdef enum:
    # parameters; a mean, a standard deviation and a correlation time for each of the three
    WANDERING_MEAN = 0
    WANDERING_DEVIATION = 3
    WANDERING_TIME = 6
    WANDERING_LOWEST = 9
    WANDERING_HIGHEST = 10
    WANDERING_SEED = 11
    WANDERING_PERIOD = 12

    # discrete states: number of the sample, then what speed, direction and vertical velocity are beside their means
    WANDERING_BESIDE = 1


cdef inline void hold_within_limits(const View* b) noexcept nogil:
    """The speed stays within its limits; the process goes on from there, and does not wind up beyond."""
    cdef double mean = b.p[WANDERING_MEAN][0]
    cdef double* beside = b.z + WANDERING_BESIDE
    beside[0] = clamp(beside[0], b.p[WANDERING_LOWEST][0] - mean, b.p[WANDERING_HIGHEST][0] - mean)


cdef inline void gauss_markov_current_setup(const View* b, double t) noexcept nogil:
    """w: two numbers for each process, see `drift_setup`."""
    cdef int i
    for i in range(3):
        drift_setup(
            b.w + 2 * i, b.p[WANDERING_DEVIATION + i][0], b.p[WANDERING_PERIOD][0] / b.p[WANDERING_TIME + i][0]
        )


cdef inline void gauss_markov_current_start(const View* b, double t) noexcept nogil:
    """Samples are numbered from time 0 on; the processes begin anywhere within their distributions."""
    cdef int i
    b.z[0] = fmax(0.0, floor(t / b.p[WANDERING_PERIOD][0] + 0.5))
    for i in range(3):
        drift_start(b, b.z + WANDERING_BESIDE + i, 1, b.p[WANDERING_DEVIATION + i][0], b.p[WANDERING_SEED][0], i)
    hold_within_limits(b)


cdef inline void gauss_markov_current_outputs(const View* b, double t) noexcept nogil:
    """y: current."""
    cdef const double* beside = b.z + WANDERING_BESIDE
    cdef double speed = b.p[WANDERING_MEAN][0] + beside[0]
    cdef double sine, cosine
    sine_cosine(b.p[WANDERING_MEAN + 1][0] + beside[1], &sine, &cosine)
    b.y[0][0] = speed * cosine
    b.y[0][1] = speed * sine
    b.y[0][2] = b.p[WANDERING_MEAN + 2][0] + beside[2]


cdef inline void gauss_markov_current_update(const View* b, double t) noexcept nogil:
    """One sample on."""
    cdef int i
    for i in range(3):
        drift_step(b, b.z + WANDERING_BESIDE + i, 1, b.w + 2 * i, b.p[WANDERING_SEED][0], i)
    hold_within_limits(b)
    b.z[0] += 1.0
