"""Kernels of what waves do at a point, and of the elevation at many points: linear theory.

phi = sum a g/omega cosh k(h - z)/cosh kh sin(theta), theta = k . (x, y) - omega t + eps, z down from the still water.
"""

from cython_kernels.environment.waves cimport (
    WAVES_BOTTOM,
    WAVES_EAST,
    WAVES_NORTH,
    WAVES_NUMBER,
    WAVES_OMEGA,
    eight_waves,
    wave_phase,
    wave_stride,
)
from cython_kernels.mathematics.wide cimport sum_of_lanes, wide_exp, wide_sine_cosine
from cython_kernels.mathematics.wide_paths cimport each_lane, widest
from cython_kernels.views.environment.sea_surface cimport SeaSurfaceView, WaveGaugesView


cdef extern from *:
    """
    static inline void kb_surface_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_surface_sums(KB_OF_SUMS) KB_WIDE;
    KB_VERSIONS(kb_surface_sums)
    static inline void kb_elevation_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_elevation_sums(KB_OF_SUMS) KB_WIDE;
    KB_VERSIONS(kb_elevation_sums)
    """


cdef inline void surface_lane "kb_surface_lane"(
    const double* wave, size_t stride, const void* point, double* sums, int j
) noexcept nogil:
    """One component in each of the sums."""
    cdef const double* at = <const double*>point
    cdef double omega = wave[WAVES_OMEGA * stride + j]
    cdef double north = wave[WAVES_NORTH * stride + j]
    cdef double east = wave[WAVES_EAST * stride + j]
    cdef double number = wave[WAVES_NUMBER * stride + j]
    cdef double amplitude = sums[56 + j]
    cdef double bottom = wave[WAVES_BOTTOM * stride + j]
    cdef double z = 0.0 if at[3] < 0.0 else at[3]
    cdef double down = wide_exp(-z * number)
    cdef double up = bottom / down
    cdef double speed = omega / (1.0 - bottom)
    cdef double sine, cosine, along
    wide_sine_cosine(wave_phase(wave, stride, j, at[0], at[1], at[2]), &sine, &cosine)
    sine *= amplitude
    cosine *= amplitude
    along = speed * (down + up) / (number + 1e-300) * cosine
    sums[j] += cosine
    sums[8 + j] -= north * sine
    sums[16 + j] -= east * sine
    sums[24 + j] += north * along
    sums[32 + j] += east * along
    sums[40 + j] -= speed * (down - up) * sine
    sums[48 + j] += (down + up) / (1.0 + bottom) * cosine


cdef inline void surface_sums "kb_surface_sums"(
    const double* waves, int n, const void* at, double* sums
) noexcept nogil:
    """Sums over the components in 8 lanes each; at: t, x, y, z.

    Elevation, slope north and east, velocity north, east and down, and the pressure over rho g.
    """
    cdef double rest[56]
    cdef double lanes[64]          # after the sums amplitudes
    cdef const double* wave
    cdef int i
    for i in range(56):
        lanes[i] = 0.0
    for i from 0 <= i < n by 8:
        wave = eight_waves(waves, n, i, rest, lanes + 56)
        each_lane(8, surface_lane, wave, wave_stride(n), at, lanes)
    for i in range(56):
        sums[i] = lanes[i]


cdef inline void elevation_lane "kb_elevation_lane"(
    const double* wave, size_t stride, const void* at, double* sums, int j
) noexcept nogil:
    """The elevation of one component."""
    cdef const double* place = <const double*>at
    cdef double sine, cosine
    wide_sine_cosine(wave_phase(wave, stride, j, place[0], place[1], place[2]), &sine, &cosine)
    sums[j] += sums[8 + j] * cosine


cdef inline void elevation_sums "kb_elevation_sums"(
    const double* waves, int n, const void* at, double* sums
) noexcept nogil:
    """Sum over the components in 8 lanes; at: t, x, y."""
    cdef double rest[56]
    cdef double lanes[16]          # after the sums amplitudes
    cdef const double* wave
    cdef int i
    for i in range(8):
        lanes[i] = 0.0
    for i from 0 <= i < n by 8:
        wave = eight_waves(waves, n, i, rest, lanes + 8)
        each_lane(8, elevation_lane, wave, wave_stride(n), at, lanes)
    for i in range(8):
        sums[i] = lanes[i]


cdef inline void sea_surface_outputs(const SeaSurfaceView* b, double t) noexcept nogil:
    """Elevation, slope, velocity and pressure at the position."""
    cdef double at[4]
    cdef double sums[56]
    at[0] = t
    at[1] = b.u.position[0]
    at[2] = b.u.position[1]
    at[3] = b.u.position[2]
    widest(surface_sums, b.u.waves, b.n.n, at, sums)
    b.y.elevation[0] = sum_of_lanes(sums)
    b.y.slope[0] = sum_of_lanes(sums + 8)
    b.y.slope[1] = sum_of_lanes(sums + 16)
    b.y.velocity[0] = sum_of_lanes(sums + 24)
    b.y.velocity[1] = sum_of_lanes(sums + 32)
    b.y.velocity[2] = sum_of_lanes(sums + 40)
    b.y.pressure[0] = b.p.density[0] * b.p.gravity[0] * sum_of_lanes(sums + 48)


cdef inline void wave_gauges_outputs(const WaveGaugesView* b, double t) noexcept nogil:
    """The elevation at each position."""
    cdef double at[3]
    cdef double sums[8]
    cdef int i
    at[0] = t
    for i in range(b.n.m):
        at[1] = b.p.positions[2 * i]
        at[2] = b.p.positions[2 * i + 1]
        widest(elevation_sums, b.u.waves, b.n.n, at, sums)
        b.y.elevation[i] = sum_of_lanes(sums)
