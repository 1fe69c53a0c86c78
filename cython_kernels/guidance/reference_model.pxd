"""Kernel of the reference model of third order, with limits of rate and acceleration.

Each quantity is three integrators in a row. The limits stand inside the feedback, on the rate and the acceleration that
are wanted: what is limited is then never wound up. Source of the nesting: Teel (1992), Global stabilization and
restricted tracking for multiple integrators with bounded controls, Systems & Control Letters 18.
"""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.view cimport View

cdef extern from *:
    """
    #define KB_BRAKING 0.7      /* part of the acceleration limit that is counted on for slowing down in time */
    """
    const double KB_BRAKING

cdef enum:
    # parameters
    MODEL_FREQUENCY = 0
    MODEL_DAMPING = 1
    MODEL_RATE_LIMIT = 2
    MODEL_ACCELERATION_LIMIT = 3
    MODEL_ANGLE = 4
    MODEL_START = 5


cdef inline double model_reference(const View* b, int i, bint measured) noexcept nogil:
    """x: where it starts from and how far it has come since, or its state."""
    return b.z[i] + b.x[i] if measured else b.x[i]


cdef inline double wanted_rate(double error, double gain, double limit, double acceleration) noexcept nogil:
    """v_c: in proportion to the distance, and far away what can be braked from in time."""
    cdef double far = fabs(error)
    cdef double braking = KB_BRAKING * acceleration
    cdef double straight = braking / (gain * gain)
    cdef double rate = gain * far
    if far > straight:
        rate = sqrt(2.0 * braking * (far - 0.5 * straight))
    return copysign(limit if rate > limit else rate, error)


cdef inline void model_outputs(const View* b, bint measured) noexcept nogil:
    """y: reference, rate, acceleration."""
    cdef int n = b.n[0]
    cdef int i
    cdef double value
    for i in range(n):
        value = model_reference(b, i, measured)
        b.y[0][i] = wrap_angle(value) if b.p[MODEL_ANGLE][0] != 0.0 else value
        b.y[1][i] = clamp(b.x[n + i], -b.p[MODEL_RATE_LIMIT][i], b.p[MODEL_RATE_LIMIT][i])
        b.y[2][i] = b.x[2 * n + i]


cdef inline void model_derivatives(const View* b, bint measured) noexcept nogil:
    """dx: reference, rate, acceleration."""
    cdef int n = b.n[0]
    cdef int i
    cdef double error, frequency, total, rate_limit, acceleration_limit, wanted
    for i in range(n):
        frequency = b.p[MODEL_FREQUENCY][i]
        total = 2.0 * b.p[MODEL_DAMPING][i] + 1.0
        rate_limit = b.p[MODEL_RATE_LIMIT][i]
        acceleration_limit = b.p[MODEL_ACCELERATION_LIMIT][i]
        error = b.u[0][i] - model_reference(b, i, measured)
        if b.p[MODEL_ANGLE][0] != 0.0:
            error = wrap_angle(error)
        wanted = frequency * (
            wanted_rate(error, frequency / total, rate_limit, acceleration_limit) - b.x[n + i]
        )
        wanted = clamp(wanted, -acceleration_limit, acceleration_limit)
        b.dx[i] = clamp(b.x[n + i], -rate_limit, rate_limit)
        b.dx[n + i] = b.x[2 * n + i]
        b.dx[2 * n + i] = total * frequency * (wanted - b.x[2 * n + i])


cdef inline void reference_model_outputs(const View* b, double t) noexcept nogil:
    """From an initial value."""
    model_outputs(b, False)


cdef inline void reference_model_derivatives(const View* b, double t) noexcept nogil:
    """From an initial value."""
    model_derivatives(b, False)


cdef inline void reference_model_measured_outputs(const View* b, double t) noexcept nogil:
    """From what is measured at the start."""
    model_outputs(b, True)


cdef inline void reference_model_measured_derivatives(const View* b, double t) noexcept nogil:
    """From what is measured at the start."""
    model_derivatives(b, True)


cdef inline void reference_model_measured_update(const View* b, double t) noexcept nogil:
    """Take the measurement at the first instant as where the reference starts from.

    Repeated within that instant, because inputs may still settle there. z: the measurement, whether it has been taken,
    and when.
    """
    cdef int n = b.n[0]
    cdef int i
    if b.z[n] == 0.0:
        b.z[n] = 1.0
        b.z[n + 1] = t
    if t == b.z[n + 1]:
        for i in range(n):
            b.z[i] = b.u[1][i]
