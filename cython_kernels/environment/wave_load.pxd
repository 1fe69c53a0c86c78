"""Kernel of the Froude-Krylov load of irregular waves on a small vessel.

Pressure of a component at a point: p = rho g a e^(-k z) cos(theta), theta = k . (x, y) - omega t + eps. The points
ahead and astern of the centre have the phases theta + d_x and theta - d_x, those to starboard and port theta + d_y and
theta - d_y, so that by the sum formulas

    p_fore - p_aft = -2 p sin(theta) sin(d_x),  p_sb - p_ps = -2 p sin(theta) sin(d_y)

and likewise for the corners. One sine and cosine and two sines serve all points.
"""

from cython_kernels.environment.waves cimport (
    WAVES_BOTTOM,
    WAVES_EAST,
    WAVES_NORTH,
    WAVES_NUMBER,
    eight_waves,
    wave_phase,
    wave_stride,
)
from cython_kernels.mathematics.elementary.bits cimport bits_of
from cython_kernels.mathematics.frames cimport body_to_ned, cross_product, rotation_from_euler
from cython_kernels.mathematics.wide cimport sum_of_lanes, wide_exp, wide_sine, wide_sine_cosine
from cython_kernels.mathematics.wide_paths cimport each_lane, widest
from cython_kernels.views.environment.wave_load cimport WAVE_LOAD_YAW_MOMENT_PUBLISHED, WaveLoadView


ctypedef struct WavePoint:      # where pressures are wanted
    double t
    double x
    double y
    double z
    double ahead_north          # from the centre to the point ahead, and to the one to starboard
    double ahead_east
    double starboard_north
    double starboard_east


cdef extern from *:
    """
    static inline void kb_sinking_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_shallow_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_pressure_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_wave_pressures(KB_OF_SUMS) KB_WIDE;
    KB_VERSIONS(kb_wave_pressures)
    """


cdef inline void sinking_lane "kb_sinking_lane"(
    const double* wave, size_t stride, const void* point, double* sums, int j
) noexcept nogil:
    """What is left of one component at the depth of the point, in water without a bottom."""
    cdef double z = (<const WavePoint*>point).z
    cdef double depth = 0.0 if z < 0.0 else z
    sums[32 + j] = wide_exp(-depth * wave[WAVES_NUMBER * stride + j])


cdef inline void shallow_lane "kb_shallow_lane"(
    const double* wave, size_t stride, const void* point, double* sums, int j
) noexcept nogil:
    """The same over a bottom: cosh k (h - z) / cosh k h."""
    cdef double bottom = wave[WAVES_BOTTOM * stride + j]
    cdef double down = sums[32 + j]
    sums[32 + j] = (down * down + bottom) / (down * (1.0 + bottom))


cdef inline void pressure_lane "kb_pressure_lane"(
    const double* wave, size_t stride, const void* point, double* sums, int j
) noexcept nogil:
    """One component in each of the sums."""
    cdef const WavePoint* at = <const WavePoint*>point
    cdef double north = wave[WAVES_NORTH * stride + j]
    cdef double east = wave[WAVES_EAST * stride + j]
    cdef double ahead = wide_sine(north * at.ahead_north + east * at.ahead_east)
    cdef double starboard = wide_sine(north * at.starboard_north + east * at.starboard_east)
    cdef double p = sums[40 + j] * sums[32 + j]
    cdef double sine, cosine
    wide_sine_cosine(wave_phase(wave, stride, j, at.t, at.x, at.y), &sine, &cosine)
    sums[j] += p * cosine
    sums[8 + j] += p * sine * ahead
    sums[16 + j] += p * sine * starboard
    sums[24 + j] += p * cosine * (ahead * starboard)


cdef inline void wave_pressures "kb_wave_pressures"(
    const double* waves, int n, const void* point, double* sums
) noexcept nogil:
    """Sums over the components in 8 lanes each: centre, fore - aft, starboard - port, corners."""
    cdef WavePoint at = (<const WavePoint*>point)[0]
    cdef double rest[56]
    cdef double lanes[48]          # after the sums what is left at that depth, and amplitudes
    cdef const double* wave
    cdef size_t stride = wave_stride(n)
    cdef unsigned long long shallow
    cdef int i, j
    for i in range(32):
        lanes[i] = 0.0
    for i from 0 <= i < n by 8:
        wave = eight_waves(waves, n, i, rest, lanes + 40)
        each_lane(8, sinking_lane, wave, stride, &at, lanes)
        shallow = 0                     # most seas are deep, and the division takes longer than all else
        for j in range(8):
            shallow |= bits_of(wave[WAVES_BOTTOM * stride + j])
        if shallow:
            each_lane(8, shallow_lane, wave, stride, &at, lanes)
        each_lane(8, pressure_lane, wave, stride, &at, lanes)
    for i in range(32):
        sums[i] = lanes[i]


cdef inline void wave_load_outputs(const WaveLoadView* b, double t) noexcept nogil:
    """The load about the body origin."""
    cdef const double* eta = b.u.eta
    cdef const double* area = b.p.areas
    cdef const double* centre = b.p.centre
    cdef double length = b.p.length[0]
    cdef double breadth = b.p.breadth[0]
    cdef double weight = b.p.density[0] * b.p.gravity[0]
    cdef double r[9]
    cdef double place[3]
    cdef double moment[3]
    cdef double sums[32]
    cdef WavePoint at
    cdef double level, along, across
    cdef double* tau = b.y.disturbance
    cdef int i
    rotation_from_euler(eta + 3, r)
    body_to_ned(r, centre, place)
    at.t = t
    at.x = eta[0] + place[0]
    at.y = eta[1] + place[1]
    at.z = eta[2] + place[2] + b.p.pressure_depth[0]
    at.ahead_north = 0.25 * length * r[0]
    at.ahead_east = 0.25 * length * r[3]
    at.starboard_north = 0.25 * breadth * r[1]
    at.starboard_east = 0.25 * breadth * r[4]
    widest(wave_pressures, b.u.waves, b.n.n, &at, sums)
    level = weight * sum_of_lanes(sums)
    along = -2.0 * weight * sum_of_lanes(sums + 8)          # p_fore - p_aft
    across = -2.0 * weight * sum_of_lanes(sums + 16)        # p_sb - p_ps
    tau[0] = -along * area[0]
    tau[1] = -across * area[1]
    tau[2] = -level * area[2]
    tau[3] = -across * 0.125 * breadth * area[2]
    tau[4] = along * 0.125 * length * area[2]
    if b.p.yaw_moment[0] == WAVE_LOAD_YAW_MOMENT_PUBLISHED:
        tau[5] = along * 0.125 * length * area[1]
    else:                                                   # port pressures less starboard ones, ahead less astern
        tau[5] = 4.0 * weight * sum_of_lanes(sums + 24) * 0.125 * length * area[1]
    cross_product(centre, tau, moment)
    for i in range(3):
        tau[3 + i] += moment[i]
