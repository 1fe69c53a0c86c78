"""Kernel of the motions of a box-shaped ship in waves, in closed form."""

from libc.math cimport fabs

from cython_kernels.environment.wave_motion cimport SlowMotion, put_motion, slow_motion
from cython_kernels.environment.waves cimport (
    WAVES_AMPLITUDE, WAVES_EAST, WAVES_NORTH, WAVES_NUMBER, WAVES_OMEGA, wave_phase,
)
from cython_kernels.mathematics.elementary.exponential cimport exp
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.views.environment.box_ship_motion cimport BoxShipMotionView, box_ship_motion_as_wave_motion
from cython_kernels.views.environment.wave_motion cimport WaveMotionView

cdef extern from *:
    """
    #define KB_SMALL_ANGLE 0.1
    """
    const double KB_SMALL_ANGLE


cdef inline void mean_and_slope(double x, double* mean, double* slope) noexcept nogil:
    """Of cos and sin over -x to x: the mean of the one, the least-squares slope of the other, over those of long waves.

    sin x/x and 3 (sin x - x cos x)/x^3, for small x by their series, whose next terms are below 1e-14.
    """
    cdef double sine, cosine
    cdef double square = x * x
    if fabs(x) < KB_SMALL_ANGLE:
        mean[0] = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
        slope[0] = 1.0 - square / 10.0 * (1.0 - square / 28.0 * (1.0 - square / 54.0))
        return
    sine_cosine(x, &sine, &cosine)
    mean[0] = sine / x
    slope[0] = 3.0 * (sine - x * cosine) / (x * square)


cdef inline void add_motion(
    double real, double imaginary, double cosine, double sine, double rate, double* sums
) noexcept nogil:
    """What one wave adds to a motion, its velocity and its acceleration."""
    cdef double here = cosine * real - sine * imaginary
    sums[0] += here
    sums[8] -= rate * (sine * real + cosine * imaginary)
    sums[16] -= rate * rate * here


cdef inline void box_ship_motion_outputs(const BoxShipMotionView* b, double t) noexcept nogil:
    """Motions in the waves, and the sum with the slow motion."""
    cdef WaveMotionView motion = box_ship_motion_as_wave_motion(b)
    cdef SlowMotion slow = slow_motion(&motion)
    cdef const double* waves = b.u.waves
    cdef int n = b.n.n
    cdef double half = 0.5 * b.p.length[0]
    cdef double half_breadth = 0.5 * b.p.breadth[0]
    cdef double effective = half_breadth * b.p.block_coefficient[0]
    cdef double draught = b.p.draught[0]
    cdef double roll_number = b.p.roll_period[0] / (2.0 * KB_PI)
    cdef double damping = 2.0 * b.p.roll_damping[0]
    cdef double sums[24]
    cdef double omega, k, along, across, encounter, rate, ratio, x, sine, cosine
    cdef double mean, slope, breadth_mean, breadth_slope
    cdef double section, lost, p, q, r, size, real, imaginary
    cdef int d, i
    for d in range(24):
        sums[d] = 0.0
    for i in range(n):
        omega = waves[WAVES_OMEGA * n + i]
        k = waves[WAVES_NUMBER * n + i]
        if omega == 0.0:
            continue
        along = waves[WAVES_NORTH * n + i] * slow.cos_psi + waves[WAVES_EAST * n + i] * slow.sin_psi
        across = waves[WAVES_EAST * n + i] * slow.cos_psi - waves[WAVES_NORTH * n + i] * slow.sin_psi
        rate = waves[WAVES_NORTH * n + i] * slow.north + waves[WAVES_EAST * n + i] * slow.east - omega
        encounter = -rate
        ratio = encounter / omega
        x = k * effective * ratio * ratio
        section = 2.0 * x
        if x > 1e-8:
            sine_cosine(x, &sine, &cosine)
            section = 2.0 * sine * sine / x
        section *= exp(-2.0 * k * draught * ratio * ratio)
        lost = section / fabs(ratio) if ratio != 0.0 else 0.0
        p = 1.0 - k * draught
        q = 1.0 - 2.0 * k * draught * ratio * ratio
        r = section if ratio > 0.0 else -section
        mean_and_slope(along * half, &mean, &slope)
        mean_and_slope(across * half_breadth, &breadth_mean, &breadth_slope)
        size = exp(-fabs(along) * draught) / (q * q + r * r)
        real = size * (p * q + lost * r)                # (p - i lost)/(q - i r)
        imaginary = size * (p * r - lost * q)
        sine_cosine(wave_phase(waves, n, i, t, slow.x, slow.y), &sine, &cosine)
        sine *= waves[WAVES_AMPLITUDE * n + i]
        cosine *= waves[WAVES_AMPLITUDE * n + i]
        add_motion(-mean * real, -mean * imaginary, cosine, sine, rate, sums + 2)
        slope *= along
        add_motion(-slope * imaginary, slope * real, cosine, sine, rate, sums + 4)
        x = encounter * roll_number
        q = 1.0 - x * x
        r = damping * x
        size = across * mean * breadth_slope / (q * q + r * r)
        add_motion(size * r, -size * q, cosine, sine, rate, sums + 3)   # -i/(q - i r) = (r - i q)/(q^2 + r^2)
    put_motion(&motion, &slow, sums, False)
