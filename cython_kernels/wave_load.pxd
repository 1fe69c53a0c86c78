"""Kernel of the Froude-Krylov load of irregular waves on a small vessel.

Pressure of a component at a point: p = rho g a e^(-k z) cos(theta), theta = k . (x, y) - omega t + eps. The points
ahead and astern of the centre have the phases theta + d_x and theta - d_x, those to starboard and port theta + d_y and
theta - d_y, so that by the sum formulas

    p_fore - p_aft = -2 p sin(theta) sin(d_x),  p_sb - p_ps = -2 p sin(theta) sin(d_y)

and likewise for the corners. One sine and cosine and two sines serve all points.
"""

from cython_kernels.frames cimport rotation_from_euler
from cython_kernels.view cimport View
from cython_kernels.wide cimport KB_LANES, LANES_WIDE, wide_exp, wide_sine, wide_sine_cosine

cdef enum:                      # rows of `waves`
    WAVES_OMEGA = 0
    WAVES_NORTH = 1             # wave number, towards where the wave goes, north and east
    WAVES_EAST = 2
    WAVES_NUMBER = 3
    WAVES_AMPLITUDE = 4
    WAVES_PHASE = 5
    WAVES_BOTTOM = 6            # e^(-2 k h)
    WAVES_ROWS = 7

    WAVE_LOAD_LENGTH = 0
    WAVE_LOAD_BREADTH = 1
    WAVE_LOAD_AREAS = 2
    WAVE_LOAD_DEPTH = 3
    WAVE_LOAD_YAW = 4
    WAVE_LOAD_DENSITY = 5
    WAVE_LOAD_GRAVITY = 6


ctypedef struct WavePoint:      # where pressures are wanted
    double t
    double x
    double y
    double z
    double ahead_north          # from the centre to the point ahead, and to the one to starboard
    double ahead_east
    double starboard_north
    double starboard_east


ctypedef struct PressureSums:   # lane by lane
    double centre[8]
    double ahead[8]
    double starboard[8]
    double corners[8]


cdef extern from *:
    """
    struct PressureSums_;
    static void kb_wave_pressures(const double *waves, int n, const void *point, double *sums) KB_WIDE;
    """


cdef inline void wave_pressures "kb_wave_pressures"(
    const double* waves, int n, const void* point, double* sums
) noexcept nogil:
    """Sums over the components in 8 lanes each: centre, fore - aft, starboard - port, corners."""
    cdef WavePoint at = (<const WavePoint*>point)[0]
    cdef double rest[56]
    cdef double centre[8]
    cdef double along[8]
    cdef double across[8]
    cdef double corners[8]
    cdef double north, east, theta, p, sine, cosine, ahead, starboard, bottom, down
    cdef const double* lane = waves
    cdef size_t stride = n
    cdef int i, j, k
    cdef double depth = at.z if at.z > 0.0 else 0.0
    for j in range(8):
        centre[j] = along[j] = across[j] = corners[j] = 0.0
    for i from 0 <= i < n by 8:
        if i + 8 > n:                   # the last ones, filled up with waves of no height
            for k in range(WAVES_ROWS):
                for j in range(8):
                    rest[8 * k + j] = waves[<size_t>k * n + i + j] if i + j < n else 0.0
            lane = rest
            stride = 8
        for j in range(8):
            north = lane[WAVES_NORTH * stride + j]
            east = lane[WAVES_EAST * stride + j]
            bottom = lane[WAVES_BOTTOM * stride + j]
            theta = (north * at.x + east * at.y) - lane[j] * at.t + lane[WAVES_PHASE * stride + j]
            wide_sine_cosine(theta, &sine, &cosine)
            ahead = wide_sine(north * at.ahead_north + east * at.ahead_east)
            starboard = wide_sine(north * at.starboard_north + east * at.starboard_east)
            down = wide_exp(-depth * lane[WAVES_NUMBER * stride + j])
            p = lane[WAVES_AMPLITUDE * stride + j] * ((down * down + bottom) / (down * (1.0 + bottom)))
            centre[j] += p * cosine
            along[j] += p * sine * ahead
            across[j] += p * sine * starboard
            corners[j] += p * cosine * (ahead * starboard)
        lane += 8
    for j in range(8):
        sums[j] = centre[j]
        sums[8 + j] = along[j]
        sums[16 + j] = across[j]
        sums[24 + j] = corners[j]


cdef inline double sum_of_lanes(const double* lanes) noexcept nogil:
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
