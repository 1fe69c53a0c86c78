"""Kernel of the reference model of third order, with limits of rate and acceleration.

Each quantity is three integrators in a row. The limits stand inside the feedback, on the rate and the acceleration that
are wanted: what is limited is then never wound up. Source of the nesting: Teel (1992), Global stabilization and
restricted tracking for multiple integrators with bounded controls, Systems & Control Letters 18.
"""

from libc.math cimport copysign, fabs, sqrt

from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.views.guidance.reference_model cimport ReferenceModelView

cdef extern from *:
    """
    #define KB_BRAKING 0.7      /* part of the acceleration limit that is counted on for slowing down in time */
    """
    const double KB_BRAKING


cdef inline double model_reference(const ReferenceModelView* b, int i, bint measured) noexcept nogil:
    """x: where it starts from and how far it has come since, or its state."""
    return b.z.begun[i] + b.x.reference[i] if measured else b.x.reference[i]


cdef inline double wanted_rate(double error, double gain, double limit, double acceleration) noexcept nogil:
    """v_c: in proportion to the distance, and far away what can be braked from in time."""
    cdef double far = fabs(error)
    cdef double braking = KB_BRAKING * acceleration
    cdef double straight = braking / (gain * gain)
    cdef double rate = gain * far
    if far > straight:
        rate = sqrt(2.0 * braking * (far - 0.5 * straight))
    return copysign(limit if rate > limit else rate, error)


cdef inline void model_outputs(const ReferenceModelView* b, bint measured) noexcept nogil:
    """y: reference, rate, acceleration."""
    cdef int n = b.n.n
    cdef int i
    cdef double value
    for i in range(n):
        value = model_reference(b, i, measured)
        b.y.reference[i] = wrap_angle(value) if b.p.angle[0] != 0.0 else value
        b.y.rate[i] = clamp(b.x.rate[i], -b.p.rate_limit[i], b.p.rate_limit[i])
        b.y.acceleration[i] = b.x.acceleration[i]


cdef inline void model_derivatives(const ReferenceModelView* b, bint measured) noexcept nogil:
    """dx: reference, rate, acceleration."""
    cdef int n = b.n.n
    cdef int i
    cdef double error, frequency, total, rate_limit, acceleration_limit, wanted
    for i in range(n):
        frequency = b.p.frequency[i]
        total = 2.0 * b.p.damping[i] + 1.0
        rate_limit = b.p.rate_limit[i]
        acceleration_limit = b.p.acceleration_limit[i]
        error = b.u.setpoint[i] - model_reference(b, i, measured)
        if b.p.angle[0] != 0.0:
            error = wrap_angle(error)
        wanted = frequency * (wanted_rate(error, frequency / total, rate_limit, acceleration_limit) - b.x.rate[i])
        wanted = clamp(wanted, -acceleration_limit, acceleration_limit)
        b.dx.reference[i] = clamp(b.x.rate[i], -rate_limit, rate_limit)
        b.dx.rate[i] = b.x.acceleration[i]
        b.dx.acceleration[i] = total * frequency * (wanted - b.x.acceleration[i])


cdef inline void reference_model_outputs(const ReferenceModelView* b, double t) noexcept nogil:
    """From an initial value."""
    model_outputs(b, False)


cdef inline void reference_model_derivatives(const ReferenceModelView* b, double t) noexcept nogil:
    """From an initial value."""
    model_derivatives(b, False)


cdef inline void reference_model_measured_outputs(const ReferenceModelView* b, double t) noexcept nogil:
    """From what is measured at the start."""
    model_outputs(b, True)


cdef inline void reference_model_measured_derivatives(const ReferenceModelView* b, double t) noexcept nogil:
    """From what is measured at the start."""
    model_derivatives(b, True)


cdef inline void reference_model_measured_update(const ReferenceModelView* b, double t) noexcept nogil:
    """Take the measurement at the first instant as where the reference starts from.

    Repeated within that instant, because inputs may still settle there.
    """
    cdef int i
    if b.z.started[0] == 0.0:
        b.z.started[0] = 1.0
        b.z.start_time[0] = t
    if t == b.z.start_time[0]:
        for i in range(b.n.n):
            b.z.begun[i] = b.u.measurement[i]
