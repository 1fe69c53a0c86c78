"""Kernels of what waves do at a point, and of the elevation at many points: linear theory.

phi = sum a g/omega cosh k(h - z)/cosh kh sin(theta), theta = k . (x, y) - omega t + eps, z down from the still water.
"""

from cython_kernels.view cimport View
from cython_kernels.waves cimport (
    WAVES_AMPLITUDE,
    WAVES_BOTTOM,
    WAVES_EAST,
    WAVES_NORTH,
    WAVES_NUMBER,
    WAVES_OMEGA,
    WAVES_PHASE,
    eight_waves,
)
from cython_kernels.wide cimport sum_of_lanes, wide_exp, wide_sine_cosine


cdef extern from *:
    """
    static void kb_surface_sums(const double *waves, int n, const double *at, double *sums) KB_WIDE;
    static void kb_elevation_sums(const double *waves, int n, const double *at, double *sums) KB_WIDE;
    """


cdef inline void surface_sums "kb_surface_sums"(
    const double* waves, int n, const double* at, double* sums
) noexcept nogil:
    """Sums over the components in 8 lanes each; at: t, x, y, z.

    Elevation, slope north and east, velocity north, east and down, and the pressure over rho g.
    """
    cdef double rest[56]
    cdef double lanes[56]
    cdef double north, east, number, amplitude, omega, bottom, theta, sine, cosine, down, up, speed, along
    cdef double t = at[0]
    cdef double x = at[1]
    cdef double y = at[2]
    cdef double z = 0.0 if at[3] < 0.0 else at[3]
    cdef const double* lane
    cdef size_t stride
    cdef int i, j
    for j in range(56):
        lanes[j] = 0.0
    for i from 0 <= i < n by 8:
        lane = eight_waves(waves, n, i, rest)
        stride = 8 if lane == rest else n
        for j in range(8):
            omega = lane[WAVES_OMEGA * stride + j]
            north = lane[WAVES_NORTH * stride + j]
            east = lane[WAVES_EAST * stride + j]
            number = lane[WAVES_NUMBER * stride + j]
            amplitude = lane[WAVES_AMPLITUDE * stride + j]
            bottom = lane[WAVES_BOTTOM * stride + j]
            theta = (north * x + east * y) - omega * t + lane[WAVES_PHASE * stride + j]
            wide_sine_cosine(theta, &sine, &cosine)
            sine *= amplitude
            cosine *= amplitude
            down = wide_exp(-z * number)
            up = bottom / down
            speed = omega / (1.0 - bottom)
            along = speed * (down + up) / (number + 1e-300) * cosine
            lanes[j] += cosine
            lanes[8 + j] -= north * sine
            lanes[16 + j] -= east * sine
            lanes[24 + j] += north * along
            lanes[32 + j] += east * along
            lanes[40 + j] -= speed * (down - up) * sine
            lanes[48 + j] += (down + up) / (1.0 + bottom) * cosine
    for j in range(56):
        sums[j] = lanes[j]


cdef inline void elevation_sums "kb_elevation_sums"(
    const double* waves, int n, const double* at, double* sums
) noexcept nogil:
    """Sum over the components in 8 lanes; at: t, x, y."""
    cdef double rest[56]
    cdef double lanes[8]
    cdef double theta, sine, cosine
    cdef double t = at[0]
    cdef double x = at[1]
    cdef double y = at[2]
    cdef const double* lane
    cdef size_t stride
    cdef int i, j
    for j in range(8):
        lanes[j] = 0.0
    for i from 0 <= i < n by 8:
        lane = eight_waves(waves, n, i, rest)
        stride = 8 if lane == rest else n
        for j in range(8):
            theta = (lane[WAVES_NORTH * stride + j] * x + lane[WAVES_EAST * stride + j] * y) \
                - lane[WAVES_OMEGA * stride + j] * t + lane[WAVES_PHASE * stride + j]
            wide_sine_cosine(theta, &sine, &cosine)
            lanes[j] += lane[WAVES_AMPLITUDE * stride + j] * cosine
    for j in range(8):
        sums[j] = lanes[j]


cdef inline void sea_surface_outputs(const View* b, double t) noexcept nogil:
    """u: waves, position; p: density, gravity; y: elevation, slope, velocity, pressure; n: components."""
    cdef double at[4]
    cdef double sums[56]
    at[0] = t
    at[1] = b.u[1][0]
    at[2] = b.u[1][1]
    at[3] = b.u[1][2]
    surface_sums(b.u[0], b.n[0], at, sums)
    b.y[0][0] = sum_of_lanes(sums)
    b.y[1][0] = sum_of_lanes(sums + 8)
    b.y[1][1] = sum_of_lanes(sums + 16)
    b.y[2][0] = sum_of_lanes(sums + 24)
    b.y[2][1] = sum_of_lanes(sums + 32)
    b.y[2][2] = sum_of_lanes(sums + 40)
    b.y[3][0] = b.p[0][0] * b.p[1][0] * sum_of_lanes(sums + 48)


cdef inline void wave_gauges_outputs(const View* b, double t) noexcept nogil:
    """u: waves; p: positions; y: elevation at each; n: components, positions."""
    cdef double at[3]
    cdef double sums[8]
    cdef int i
    at[0] = t
    for i in range(b.n[1]):
        at[1] = b.p[0][2 * i]
        at[2] = b.p[0][2 * i + 1]
        elevation_sums(b.u[0], b.n[0], at, sums)
        b.y[0][i] = sum_of_lanes(sums)
