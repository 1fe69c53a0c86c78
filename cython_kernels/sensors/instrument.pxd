"""What the kernels of all instruments share: when a sample is taken, its random errors, and its way to the display.

Samples are numbered from time 0 on. An instrument that is late by `delay` samples keeps them in a ring, a row each, in
which the number of the sample says which one is the oldest.
"""

from libc.math cimport floor, sqrt

from cython_kernels.mathematics.elementary.exponential cimport exp, expm1
from cython_kernels.mathematics.frames cimport cross_product
from cython_kernels.mathematics.limits cimport larger
from cython_kernels.mathematics.random cimport random_normal
from cython_kernels.views.sensors.instrument cimport InstrumentView

cdef extern from *:
    """
    #if defined(__clang__)     /* whose cold functions would leave the section of their kernel in an FMU */
    #define KB_CALLED __attribute__((noinline))     /* once, and not in every kernel that draws */
    #elif defined(__GNUC__)
    #define KB_CALLED __attribute__((cold))
    #else
    #define KB_CALLED
    #endif
    static inline double kb_drawn(double seed, unsigned key, double sample, int element, int use) KB_CALLED;
    """

cdef enum:
    # uses of random numbers within one block
    INSTRUMENT_NOISE = 0
    INSTRUMENT_DRIFT = 1
    INSTRUMENT_DRIFT_START = 2


cdef inline void instrument_start(
    const InstrumentView* b, double t, double period, double* ring, const double* initial, int width
) noexcept nogil:
    """Number samples from time 0 on, so that a run that starts later has the numbers of those instants; fill the ring.
    """
    cdef int i, k
    b.z.sample[0] = larger(0.0, floor(t / period + 0.5))
    for k in range(b.n.delay):
        for i in range(width):
            ring[k * width + i] = initial[i]


cdef inline double* ring_row(const InstrumentView* b, double* ring, int width) noexcept nogil:
    """The oldest row of the ring, which the newest sample replaces; the delay is not 0."""
    cdef double sample = b.z.sample[0]
    if not 0.0 <= sample < 9e15:        # nonsense that somebody set
        sample = 0.0
    return ring + <int>(<long long>sample % b.n.delay) * width


cdef inline double drawn "kb_drawn"(
    double seed, unsigned int key, double sample, int element, int use
) noexcept nogil:
    """A standard normal number."""
    return random_normal(seed, key, sample, <unsigned int>element, <unsigned int>use)


cdef inline double instrument_noise(const InstrumentView* b, double sigma, int element) noexcept nogil:
    """White noise of the present sample; no random number is drawn for none."""
    return sigma * drawn(b.p.seed[0], b.key, b.z.sample[0], element, INSTRUMENT_NOISE) if sigma != 0.0 else 0.0


cdef inline void drift_start(
    unsigned int key, double sample, double* drift, int count, double sigma, double seed, int element
) noexcept nogil:
    """A Gauss-Markov process begins anywhere within its distribution."""
    cdef int i
    for i in range(count):
        drift[i] = sigma * drawn(seed, key, sample, element + i, INSTRUMENT_DRIFT_START)


cdef inline void drift_setup(double* w, double sigma, double interval) noexcept nogil:
    """w: what of a drift is kept from one sample to the next, and the deviation of what comes; interval = T/tau."""
    w[0] = exp(-interval)
    w[1] = sigma * sqrt(-expm1(-2.0 * interval))


cdef inline void drift_step(
    unsigned int key, double sample, double* drift, int count, const double* w, double seed, int element
) noexcept nogil:
    """One sample on, exactly: x <- exp(-a) x + sigma sqrt(1 - exp(-2a)) N(0, 1), with a = T/tau."""
    cdef int i
    for i in range(count):
        drift[i] *= w[0]
        if w[1] != 0.0:
            drift[i] += w[1] * drawn(seed, key, sample, element + i, INSTRUMENT_DRIFT)


cdef inline void velocity_at(const double* nu, const double* arm, double* velocity) noexcept nogil:
    """v + omega x r of a point r of the body, in body axes."""
    cdef int i
    cross_product(nu + 3, arm, velocity)
    for i in range(3):
        velocity[i] += nu[i]
