"""Kernel of the force of a sea on a float that is held still."""

from cython_kernels.mathematics.tables cimport table_interval, table_part
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from wave_energy.views.excitation cimport HeaveExcitationView


cdef inline void heave_excitation_outputs(const HeaveExcitationView* b, double t) noexcept nogil:
    """The sum over the waves; real and imaginary part of X are interpolated."""
    cdef const double* omega = b.u.waves                # the rows of `waves`, n numbers each
    cdef const double* north = omega + b.n.n
    cdef const double* east = north + b.n.n
    cdef const double* a = east + 2 * b.n.n
    cdef const double* epsilon = a + b.n.n
    cdef double first_sine, first_cosine, next_sine, next_cosine, sine, cosine, part, real, imaginary
    cdef double force = 0.0
    cdef int i, k
    for i in range(b.n.n):
        if omega[i] > b.p.frequencies[b.n.m - 1]:
            continue
        k = table_interval(b.p.frequencies, b.n.m, omega[i])
        part = table_part(b.p.frequencies, k, omega[i], True)
        sine_cosine(b.p.phase[k], &first_sine, &first_cosine)
        sine_cosine(b.p.phase[k + 1], &next_sine, &next_cosine)
        real = (1.0 - part) * b.p.amplitude[k] * first_cosine + part * b.p.amplitude[k + 1] * next_cosine
        imaginary = (1.0 - part) * b.p.amplitude[k] * first_sine + part * b.p.amplitude[k + 1] * next_sine
        sine_cosine(
            north[i] * b.p.place[0] + east[i] * b.p.place[1] - omega[i] * t + epsilon[i], &sine, &cosine
        )
        force += a[i] * (real * cosine - imaginary * sine)
    b.y.force[0] = force
