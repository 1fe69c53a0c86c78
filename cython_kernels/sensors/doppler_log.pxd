"""Kernel of the Doppler log: a velocity in body axes, of whatever track is on the input."""

from cython_kernels.sensors.instrument cimport instrument_noise, instrument_start, ring_row, velocity_at
from cython_kernels.views.sensors.doppler_log cimport DopplerLogView, doppler_log_as_instrument
from cython_kernels.views.sensors.instrument cimport InstrumentView


cdef inline void log_measure(const DopplerLogView* b, double* velocity) noexcept nogil:
    """Of nu_r or nu, the only input."""
    cdef InstrumentView instrument = doppler_log_as_instrument(b)
    cdef int i
    velocity_at(b.u[0], b.p.lever_arm, velocity)
    for i in range(3):
        velocity[i] = (
            b.p.scale[0] * velocity[i] + b.p.bias[i] + instrument_noise(&instrument, b.p.noise[0], i)
        )


cdef inline void doppler_log_start(const DopplerLogView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = doppler_log_as_instrument(b)
    instrument_start(&instrument, t, b.p.period[0], b.z.ring, b.p.initial, 3)


cdef inline void doppler_log_outputs(const DopplerLogView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = doppler_log_as_instrument(b)
    cdef const double* row
    cdef int i
    if b.n.delay == 0:
        log_measure(b, b.y.velocity)
        return
    row = ring_row(&instrument, b.z.ring, 3)
    for i in range(3):
        b.y.velocity[i] = row[i]


cdef inline void doppler_log_update(const DopplerLogView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = doppler_log_as_instrument(b)
    if b.n.delay:
        log_measure(b, ring_row(&instrument, b.z.ring, 3))
    b.z.sample[0] += 1.0
