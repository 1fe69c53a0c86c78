"""Kernel of the depth gauge."""

from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.sensors.instrument cimport instrument_noise, instrument_start, ring_row
from cython_kernels.views.sensors.depth_gauge cimport DepthGaugeView, depth_gauge_as_instrument
from cython_kernels.views.sensors.instrument cimport InstrumentView


cdef inline double depth_measured(const DepthGaugeView* b) noexcept nogil:
    """k (z + the third row of R, times the lever arm) + bias + noise."""
    cdef InstrumentView instrument = depth_gauge_as_instrument(b)
    cdef const double* eta = b.u.eta
    cdef const double* arm = b.p.lever_arm
    cdef double sphi, cphi, stheta, ctheta
    sine_cosine(eta[3], &sphi, &cphi)
    sine_cosine(eta[4], &stheta, &ctheta)
    return (
        b.p.scale[0] * (eta[2] - stheta * arm[0] + ctheta * (sphi * arm[1] + cphi * arm[2]))
        + b.p.bias[0] + instrument_noise(&instrument, b.p.noise[0], 0)
    )


cdef inline void depth_gauge_start(const DepthGaugeView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = depth_gauge_as_instrument(b)
    instrument_start(&instrument, t, b.p.period[0], b.z.ring, b.p.initial, 1)


cdef inline void depth_gauge_outputs(const DepthGaugeView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = depth_gauge_as_instrument(b)
    b.y.depth[0] = ring_row(&instrument, b.z.ring, 1)[0] if b.n.delay else depth_measured(b)


cdef inline void depth_gauge_update(const DepthGaugeView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = depth_gauge_as_instrument(b)
    if b.n.delay:
        ring_row(&instrument, b.z.ring, 1)[0] = depth_measured(b)
    b.z.sample[0] += 1.0
