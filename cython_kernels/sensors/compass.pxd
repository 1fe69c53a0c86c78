"""Kernel of the compass: a heading with deviation, bias and noise."""

from libc.math cimport fabs

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.sensors.instrument cimport instrument_noise, instrument_start, ring_row
from cython_kernels.view cimport View

cdef enum:
    # parameters
    COMPASS_SEED = 0                # then the delay, n[0]
    COMPASS_NOISE = 2
    COMPASS_BIAS = 3
    COMPASS_DEVIATION = 4           # A, B, C, D, E
    COMPASS_INITIAL = 5
    COMPASS_PERIOD = 6

    # discrete states, after the number of the sample
    COMPASS_RING = 1

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


cdef inline double compass_measured(const View* b) noexcept nogil:
    return wrap_angle(
        compass_course(b.p[COMPASS_DEVIATION], b.u[0][5]) + b.p[COMPASS_BIAS][0]
        + instrument_noise(b, b.p[COMPASS_NOISE][0], b.p[COMPASS_SEED][0], 0)
    )


cdef inline void compass_start(const View* b, double t) noexcept nogil:
    instrument_start(b, t, b.p[COMPASS_PERIOD][0], b.z + COMPASS_RING, b.p[COMPASS_INITIAL], 1)


cdef inline void compass_outputs(const View* b, double t) noexcept nogil:
    """y = heading; u = eta."""
    b.y[0][0] = ring_row(b, b.z + COMPASS_RING, 1)[0] if b.n[0] else compass_measured(b)


cdef inline void compass_update(const View* b, double t) noexcept nogil:
    if b.n[0]:
        ring_row(b, b.z + COMPASS_RING, 1)[0] = compass_measured(b)
    b.z[0] += 1.0
