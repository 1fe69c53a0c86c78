"""Kernel of a wind with gusts: the spectrum cut into bands of equal energy, each of which becomes one harmonic.

What the bands are made of is shared with irregular seas, see `bands.pxd`. Random numbers are functions of the seed and
the number of the band alone.
"""

from libc.math cimport cos, pow, sin, sqrt

from cython_kernels.environment.sea cimport sea_nodes
from cython_kernels.mathematics.bands cimport Band, Table, band_of, integrate_table, place_in, table_at
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.random cimport random_pair
from cython_kernels.mathematics.wide cimport sum_of_lanes, wide_sine_cosine
from cython_kernels.mathematics.wide_paths cimport each_lane, widest
from cython_kernels.view cimport View

cdef extern from *:
    """
    static inline void kb_gust_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_gust_sums(KB_OF_SUMS) KB_WIDE;
    KB_VERSIONS(kb_gust_sums)
    """

cdef enum:
    GUST_NODES = 513                # of the table of the spectrum, as in gusting_wind.py

    GUST_SPEED = 0                  # parameters
    GUST_DIRECTION = 1
    GUST_SPECTRUM = 2               # 0 Davenport, 1 Harris, 2 NORSOK
    GUST_HARMONICS = 3
    GUST_DRAG = 4
    GUST_LOWER = 5
    GUST_UPPER = 6
    GUST_SEED = 7

    GUST_DEVIATION = 0              # derived constants: deviation, direction, harmonics in three rows, table
    GUST_COSINE = 1
    GUST_SINE = 2
    GUST_ROWS = 3

    GUST_STREAM = 2                 # random numbers: other than those of a sea with the same seed


cdef inline int gust_stride(int n) noexcept nogil:
    """Room for n harmonics in eights."""
    return (n + 7) // 8 * 8


cdef inline double gust_density(int spectrum, double f, double speed, double drag) noexcept nogil:
    """One-sided density of the gusts along the wind, m^2/s^2/Hz."""
    cdef double x
    if spectrum == 0:
        x = 1200.0 * f / speed
        return 4.0 * drag * speed * speed * x * x / (f * pow(1.0 + x * x, 4.0 / 3.0))
    if spectrum == 1:
        x = 1800.0 * f / speed
        return 4.0 * drag * speed * speed * x / (f * pow(2.0 + x * x, 5.0 / 6.0))
    x = 172.0 * f * pow(speed / 10.0, -0.75)
    return 3.2 * speed * speed / pow(1.0 + pow(x, 0.468), 5.0 / (3.0 * 0.468))


cdef inline void gusting_wind_setup(const View* b, double t) noexcept nogil:
    """w: standard deviation, where the wind blows to, frequencies, amplitudes and phases, table of the spectrum."""
    cdef int n = b.n[0]
    cdef int stride = gust_stride(n)
    cdef double* harmonics = b.w + GUST_ROWS
    cdef double speed = b.p[GUST_SPEED][0]
    cdef double amplitude
    cdef double random[2]
    cdef Table table = table_at(harmonics + 3 * stride, GUST_NODES)
    cdef Band band
    cdef int i
    for i in range(3 * stride):
        harmonics[i] = 0.0
    b.w[GUST_DEVIATION] = 0.0
    b.w[GUST_COSINE] = -cos(b.p[GUST_DIRECTION][0])
    b.w[GUST_SINE] = -sin(b.p[GUST_DIRECTION][0])
    if speed == 0.0:
        return
    sea_nodes(&table, b.p[GUST_LOWER][0], b.p[GUST_UPPER][0])
    for i in range(GUST_NODES):
        table.y[i] = gust_density(<int>b.p[GUST_SPECTRUM][0], table.x[i], speed, b.p[GUST_DRAG][0])
    integrate_table(&table)
    if not table.sum[GUST_NODES - 1] > 0.0:
        return
    b.w[GUST_DEVIATION] = sqrt(table.sum[GUST_NODES - 1])
    amplitude = b.w[GUST_DEVIATION] * sqrt(2.0 / n)
    for i in range(n):
        band = band_of(&table, i, n, False, 0.0, 0.0)
        random_pair(b.p[GUST_SEED][0], 0, i, 0, GUST_STREAM, random)
        harmonics[i] = 2.0 * KB_PI * place_in(&table, &band, random[0])
        harmonics[stride + i] = amplitude
        harmonics[2 * stride + i] = 2.0 * KB_PI * random[1]


cdef inline void gust_lane "kb_gust_lane"(
    const double* harmonic, size_t stride, const void* t, double* sums, int j
) noexcept nogil:
    """One harmonic."""
    cdef double sine, cosine
    wide_sine_cosine(harmonic[j] * (<const double*>t)[0] + harmonic[2 * stride + j], &sine, &cosine)
    sums[j] += harmonic[stride + j] * cosine


cdef inline void gust_sums "kb_gust_sums"(const double* harmonics, int n, const void* t, double* sums) noexcept nogil:
    """Sums over the harmonics in 8 lanes."""
    cdef double lanes[8]
    cdef int i
    for i in range(8):
        lanes[i] = 0.0
    for i from 0 <= i < n by 8:
        each_lane(8, gust_lane, harmonics + i, n, t, lanes)
    for i in range(8):
        sums[i] = lanes[i]


cdef inline void gusting_wind_outputs(const View* b, double t) noexcept nogil:
    """y: wind. It comes from where the direction says, hence the signs in w."""
    cdef double lanes[8]
    cdef double speed
    widest(gust_sums, b.w + GUST_ROWS, gust_stride(b.n[0]), &t, lanes)
    speed = b.p[GUST_SPEED][0] + sum_of_lanes(lanes)
    b.y[0][0] = speed * b.w[GUST_COSINE]
    b.y[0][1] = speed * b.w[GUST_SINE]
    b.y[0][2] = 0.0
