"""Kernel of the compass: a heading with deviation, bias and noise."""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.sensors.instrument cimport instrument_noise, instrument_start, ring_row
from cython_kernels.views.sensors.compass cimport CompassView, compass_as_instrument
from cython_kernels.views.sensors.instrument cimport InstrumentView

cdef enum:
    DEVIATION_STEPS = 20            # of Newton's method; 3 are enough for 20 degrees


cdef inline double compass_course(const double* k, double heading) noexcept nogil:
    """The compass heading c with c + A + B sin c + C cos c + D sin 2c + E cos 2c = heading."""
    cdef double shown = heading - k[0]
    cdef double s, c, s2, c2, step
    cdef int _step
    if k[1] == 0.0 and k[2] == 0.0 and k[3] == 0.0 and k[4] == 0.0:
        return shown
    for _step in range(DEVIATION_STEPS):
        sine_cosine(shown, &s, &c)
        s2 = 2.0 * s * c
        c2 = c * c - s * s
        step = (
            (heading - shown - k[0] - k[1] * s - k[2] * c - k[3] * s2 - k[4] * c2)
            / (1.0 + k[1] * c - k[2] * s + 2.0 * (k[3] * c2 - k[4] * s2))
        )
        shown += step
        if not (fabs(step) > 1e-9):     # what is left is its square, at most
            break
    return shown


cdef inline double compass_measured(const CompassView* b) noexcept nogil:
    cdef InstrumentView instrument = compass_as_instrument(b)
    return wrap_angle(
        compass_course(b.p.deviation, b.u.eta[5]) + b.p.bias[0] + instrument_noise(&instrument, b.p.noise[0], 0)
    )


cdef inline void compass_start(const CompassView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = compass_as_instrument(b)
    instrument_start(&instrument, t, b.p.period[0], b.z.ring, b.p.initial, 1)


cdef inline void compass_outputs(const CompassView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = compass_as_instrument(b)
    b.y.heading[0] = ring_row(&instrument, b.z.ring, 1)[0] if b.n.delay else compass_measured(b)


cdef inline void compass_update(const CompassView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = compass_as_instrument(b)
    if b.n.delay:
        ring_row(&instrument, b.z.ring, 1)[0] = compass_measured(b)
    b.z.sample[0] += 1.0
