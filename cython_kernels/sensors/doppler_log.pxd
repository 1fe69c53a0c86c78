"""Kernel of the Doppler log: a velocity in body axes, of whatever track is on the input."""

from cython_kernels.sensors.instrument cimport instrument_noise, instrument_start, ring_row, velocity_at
from cython_kernels.view cimport View

cdef enum:
    # parameters
    LOG_SEED = 0                    # then the delay, n[0], and the track
    LOG_NOISE = 3
    LOG_BIAS = 4
    LOG_SCALE = 5
    LOG_ARM = 6
    LOG_INITIAL = 7
    LOG_PERIOD = 8

    # discrete states, after the number of the sample
    LOG_RING = 1


cdef inline void log_measure(const View* b, double* velocity) noexcept nogil:
    cdef int i
    velocity_at(b.u[0], b.p[LOG_ARM], velocity)
    for i in range(3):
        velocity[i] = (
            b.p[LOG_SCALE][0] * velocity[i] + b.p[LOG_BIAS][i]
            + instrument_noise(b, b.p[LOG_NOISE][0], b.p[LOG_SEED][0], i)
        )


cdef inline void doppler_log_start(const View* b, double t) noexcept nogil:
    instrument_start(b, t, b.p[LOG_PERIOD][0], b.z + LOG_RING, b.p[LOG_INITIAL], 3)


cdef inline void doppler_log_outputs(const View* b, double t) noexcept nogil:
    """y = velocity; u = nu_r or nu."""
    cdef const double* row
    cdef int i
    if b.n[0] == 0:
        log_measure(b, b.y[0])
        return
    row = ring_row(b, b.z + LOG_RING, 3)
    for i in range(3):
        b.y[0][i] = row[i]


cdef inline void doppler_log_update(const View* b, double t) noexcept nogil:
    if b.n[0]:
        log_measure(b, ring_row(b, b.z + LOG_RING, 3))
    b.z[0] += 1.0
