"""Regular waves: what a sea is made of, and how their length follows from their frequency.

A sea is a matrix of WAVES_ROWS rows with one column per component; row by row, component i stands at [row * n + i].
Elevation, positive up: a cos(k_north x + k_east y - omega t + phase), so that a component travels towards where its
wave number points.
"""

from libc.math cimport fabs

from cython_kernels.mathematics.elementary.exponential cimport exp, expm1
from cython_kernels.mathematics.elementary.hyperbolic cimport tanh
from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin
from cython_kernels.mathematics.wide_paths cimport each_lane

cdef extern from *:
    """
    static inline void kb_height_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline double kb_wave_phase(
        const double *wave, size_t stride, int j, double t, double x, double y) KB_ALWAYS_INLINE;
    static inline const double *kb_keep(int skip) {
        static const double keep[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
        return keep + 8 - skip;
    }
    """
    const double* kept "kb_keep"(int skip) noexcept nogil

cdef enum:                      # rows of `waves`
    WAVES_OMEGA = 0             # angular frequency
    WAVES_NORTH = 1             # wave number, towards where the wave goes, north and east
    WAVES_EAST = 2
    WAVES_NUMBER = 3            # its magnitude
    WAVES_AMPLITUDE = 4
    WAVES_PHASE = 5
    WAVES_BOTTOM = 6            # e^(-2 k h): 0 in deep water
    WAVES_ROWS = 7

    DEEP = 20                   # tanh of this is 1 in double precision


cdef inline double wave_number(double omega, double depth, double gravity) noexcept nogil:
    """k of omega^2 = g k tanh(k h), by Newton's method from Guo's explicit solution, which is within 0.8 %.

    Source: Guo (2002), Simple and explicit solution of wave dispersion equation, Coastal Engineering 45.
    """
    cdef double deep = omega * omega / gravity
    cdef double x = deep * depth
    cdef double kh, th, change
    cdef int _step
    if not x < DEEP:
        return deep
    if not x > 0.0:
        return 0.0
    kh = x * pow(-expm1(-pow(x, 1.25)), -0.4)
    for _step in range(6):
        th = tanh(kh)
        change = (kh * th - x) / (th + kh * (1.0 - th * th))
        kh -= change
        if fabs(change) < 1e-15 * kh:
            break
    return kh / depth


cdef inline void put_wave(
    double* waves, int n, int i, double omega, double number, double direction, double amplitude, double phase,
    double depth,
) noexcept nogil:
    """Component i of n: travelling to `direction`, from north, clockwise."""
    cdef double kh = number * depth
    waves[WAVES_OMEGA * n + i] = omega
    waves[WAVES_NORTH * n + i] = number * cos(direction)
    waves[WAVES_EAST * n + i] = number * sin(direction)
    waves[WAVES_NUMBER * n + i] = number
    waves[WAVES_AMPLITUDE * n + i] = amplitude
    waves[WAVES_PHASE * n + i] = phase
    waves[WAVES_BOTTOM * n + i] = exp(-2.0 * kh) if kh < DEEP else 0.0


cdef inline double wave_phase "kb_wave_phase"(
    const double* wave, size_t stride, int j, double t, double x, double y
) noexcept nogil:
    """k . (x, y) - omega t + phase of component j from `wave` on."""
    return (wave[WAVES_NORTH * stride + j] * x + wave[WAVES_EAST * stride + j] * y) \
        - wave[WAVES_OMEGA * stride + j] * t + wave[WAVES_PHASE * stride + j]


cdef inline void height_lane "kb_height_lane"(
    const double* wave, size_t stride, const void* keep, double* heights, int j
) noexcept nogil:
    """The amplitude of one component if it is to be kept."""
    heights[j] = wave[WAVES_AMPLITUDE * stride + j] * (<const double*>keep)[j]


cdef inline const double* eight_waves(const double* waves, int n, int i, double* rest, double* heights) noexcept nogil:
    """Components i to i + 7, to go through in steps of 8; they stand `wave_stride(n)` apart.

    Where there are fewer the last eight, of which `heights`, that is amplitudes, are 0 for those that were there
    before. Where there are no eight, they stand in `rest`, filled up with waves of no height.
    """
    cdef int j, k
    cdef int start = i
    if n < 8:
        for k in range(WAVES_ROWS):
            for j in range(8):
                rest[8 * k + j] = waves[<size_t>k * n + j] if j < n else 0.0
        waves = rest
    elif i + 8 > n:
        start = n - 8
    each_lane(8, height_lane, waves + start, wave_stride(n), kept(i - start), heights)
    return waves + start


cdef inline size_t wave_stride(int n) noexcept nogil:
    """How far apart the rows are of what `eight_waves` gives."""
    return 8 if n < 8 else n
