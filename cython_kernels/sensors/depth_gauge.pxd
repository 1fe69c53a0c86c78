"""Kernel of the depth gauge."""

from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.sensors.instrument cimport instrument_noise, instrument_start, ring_row
from cython_kernels.view cimport View

cdef enum:
    # parameters
    DEPTH_SEED = 0                  # then the delay, n[0]
    DEPTH_NOISE = 2
    DEPTH_BIAS = 3
    DEPTH_SCALE = 4
    DEPTH_ARM = 5
    DEPTH_INITIAL = 6
    DEPTH_PERIOD = 7

    # discrete states, after the number of the sample
    DEPTH_RING = 1


cdef inline double depth_measured(const View* b) noexcept nogil:
    """k (z + the third row of R, times the lever arm) + bias + noise."""
    cdef const double* eta = b.u[0]
    cdef const double* arm = b.p[DEPTH_ARM]
    cdef double sphi, cphi, stheta, ctheta
    sine_cosine(eta[3], &sphi, &cphi)
    sine_cosine(eta[4], &stheta, &ctheta)
    return (
        b.p[DEPTH_SCALE][0] * (eta[2] - stheta * arm[0] + ctheta * (sphi * arm[1] + cphi * arm[2]))
        + b.p[DEPTH_BIAS][0] + instrument_noise(b, b.p[DEPTH_NOISE][0], b.p[DEPTH_SEED][0], 0)
    )


cdef inline void depth_gauge_start(const View* b, double t) noexcept nogil:
    instrument_start(b, t, b.p[DEPTH_PERIOD][0], b.z + DEPTH_RING, b.p[DEPTH_INITIAL], 1)


cdef inline void depth_gauge_outputs(const View* b, double t) noexcept nogil:
    """y = depth; u = eta."""
    b.y[0][0] = ring_row(b, b.z + DEPTH_RING, 1)[0] if b.n[0] else depth_measured(b)


cdef inline void depth_gauge_update(const View* b, double t) noexcept nogil:
    if b.n[0]:
        ring_row(b, b.z + DEPTH_RING, 1)[0] = depth_measured(b)
    b.z[0] += 1.0
