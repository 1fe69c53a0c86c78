"""What kernels of motions in waves share: the slow motion, and the sum of both."""

from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.environment.wave_motion cimport WaveMotionView

ctypedef struct SlowMotion:     # of the vessel in the horizontal plane
    double x
    double y
    double cos_psi
    double sin_psi
    double north                # velocity
    double east


cdef inline SlowMotion slow_motion(const WaveMotionView* b) noexcept nogil:
    """Where the vessel is, heads and goes."""
    cdef SlowMotion at
    cdef const double* nu = b.u.nu
    at.x = b.u.eta[0]
    at.y = b.u.eta[1]
    sine_cosine(b.u.eta[5], &at.sin_psi, &at.cos_psi)
    at.north = nu[0] * at.cos_psi - nu[1] * at.sin_psi
    at.east = nu[0] * at.sin_psi + nu[1] * at.cos_psi
    return at


cdef inline void put_motion(
    const WaveMotionView* b, const SlowMotion* at, const double* sums, bint horizontal
) noexcept nogil:
    """Six motions, six velocities and six accelerations, each in eight numbers; `horizontal`: with surge and sway.

    Where the speed does not count for the motion, that is asked for by itself, and other outputs are NULL.
    """
    cdef double* total = b.y.eta_total
    cdef int d
    if b.y.eta_w != NULL:
        for d in range(6):
            b.y.eta_w[d] = sums[d]
    if total != NULL:
        for d in range(6):
            total[d] = b.u.eta[d] + sums[d]
        if horizontal:
            total[0] = b.u.eta[0] + (sums[0] * at.cos_psi - sums[1] * at.sin_psi)
            total[1] = b.u.eta[1] + (sums[0] * at.sin_psi + sums[1] * at.cos_psi)
    if b.y.nu_w != NULL:
        for d in range(6):
            b.y.nu_w[d] = sums[8 + d]
    if b.y.acceleration_w != NULL:
        for d in range(6):
            b.y.acceleration_w[d] = sums[16 + d]
    if b.y.nu_total != NULL:
        for d in range(6):
            b.y.nu_total[d] = b.u.nu[d] + sums[8 + d]
