"""Kernel of the force of a sea on a float that is held still."""

from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from wave_energy.views.excitation cimport HeaveExcitationView


cdef inline void heave_excitation_setup(const HeaveExcitationView* b, double t) noexcept nogil:
    """X as it is interpolated."""
    cdef double sine, cosine
    cdef int k
    for k in range(b.n.m):
        sine_cosine(b.p.phase[k], &sine, &cosine)
        b.w.real[k] = b.p.amplitude[k] * cosine
        b.w.imaginary[k] = b.p.amplitude[k] * sine


cdef inline void heave_excitation_outputs(const HeaveExcitationView* b, double t) noexcept nogil:
    """The sum over the waves."""
    cdef const double* omega = b.u.waves                # the rows of `waves`, n numbers each
    cdef const double* north = omega + b.n.n
    cdef const double* east = north + b.n.n
    cdef const double* a = east + 2 * b.n.n
    cdef const double* epsilon = a + b.n.n
    cdef double part, real, imaginary, sine, cosine
    cdef double force = 0.0
    cdef int i, k
    for i in range(b.n.n):
        if omega[i] > b.p.frequencies[b.n.m - 1]:
            continue
        k = table_interval(b.p.frequencies, b.n.m, omega[i])
        part = table_part(b.p.frequencies, k, omega[i], True)
        real = table_between(b.w.real[k], b.w.real[k + 1], part)
        imaginary = table_between(b.w.imaginary[k], b.w.imaginary[k + 1], part)
        sine_cosine(north[i] * b.p.place[0] + east[i] * b.p.place[1] - omega[i] * t + epsilon[i], &sine, &cosine)
        force += a[i] * (real * cosine - imaginary * sine)
    b.y.force[0] = force
