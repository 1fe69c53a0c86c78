"""Kernel of a wind with gusts: the spectrum cut into bands of equal energy, each of which becomes one harmonic.

What the bands are made of is shared with irregular seas, see `bands.pxd`. Random numbers are functions of the seed and
the number of the band alone.
"""

from libc.math cimport sqrt

from cython_kernels.environment.sea cimport sea_nodes
from cython_kernels.mathematics.bands cimport Band, Table, band_of, integrate_table, place_in, table_at
from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.elementary.trigonometric cimport cos, sin
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.random cimport random_pair
from cython_kernels.mathematics.wide cimport sum_of_lanes, wide_sine_cosine
from cython_kernels.mathematics.wide_paths cimport each_lane, widest
from cython_kernels.views.environment.gusting_wind cimport (
    GUSTING_WIND_SPECTRUM_DAVENPORT, GUSTING_WIND_SPECTRUM_HARRIS, GustingWindView,
)

cdef extern from *:
    """
    static inline void kb_gust_lane(KB_OF_A_LANE) KB_ALWAYS_INLINE;
    static inline void kb_gust_sums(KB_OF_SUMS) KB_WIDE;
    KB_VERSIONS(kb_gust_sums)
    """

cdef enum:
    GUST_NODES = 513                # of the table of the spectrum, as in gusting_wind.py

    GUST_STREAM = 2                 # random numbers: other than those of a sea with the same seed


cdef inline int gust_stride(int n) noexcept nogil:
    """Room for n harmonics in eights."""
    return (n + 7) // 8 * 8


cdef inline double gust_density(int spectrum, double f, double speed, double drag) noexcept nogil:
    """One-sided density of the gusts along the wind, m^2/s^2/Hz."""
    cdef double x
    if spectrum == GUSTING_WIND_SPECTRUM_DAVENPORT:
        x = 1200.0 * f / speed
        return 4.0 * drag * speed * speed * x * x / (f * pow(1.0 + x * x, 4.0 / 3.0))
    if spectrum == GUSTING_WIND_SPECTRUM_HARRIS:
        x = 1800.0 * f / speed
        return 4.0 * drag * speed * speed * x / (f * pow(2.0 + x * x, 5.0 / 6.0))
    x = 172.0 * f * pow(speed / 10.0, -0.75)
    return 3.2 * speed * speed / pow(1.0 + pow(x, 0.468), 5.0 / (3.0 * 0.468))


cdef inline void gusting_wind_setup(const GustingWindView* b, double t) noexcept nogil:
    """The table of the spectrum, and frequencies, amplitudes and phases from its bands."""
    cdef int n = b.n.n
    cdef int stride = gust_stride(n)
    cdef double* harmonics = b.w.bands
    cdef double speed = b.p.speed[0]
    cdef double amplitude
    cdef double random[2]
    cdef Table table = table_at(b.w.table, GUST_NODES)
    cdef Band band
    cdef int i
    for i in range(3 * stride):
        harmonics[i] = 0.0
    b.w.standard_deviation[0] = 0.0
    b.w.to_north[0] = -cos(b.p.direction[0])
    b.w.to_east[0] = -sin(b.p.direction[0])
    if speed == 0.0:
        return
    sea_nodes(&table, b.p.lower_frequency[0], b.p.upper_frequency[0])
    for i in range(GUST_NODES):
        table.y[i] = gust_density(<int>b.p.spectrum[0], table.x[i], speed, b.p.drag_coefficient[0])
    integrate_table(&table)
    if not table.sum[GUST_NODES - 1] > 0.0:
        return
    b.w.standard_deviation[0] = sqrt(table.sum[GUST_NODES - 1])
    amplitude = b.w.standard_deviation[0] * sqrt(2.0 / n)
    for i in range(n):
        band = band_of(&table, i, n, False, 0.0, 0.0)
        random_pair(b.p.seed[0], 0, i, 0, GUST_STREAM, random)
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


cdef inline void gusting_wind_outputs(const GustingWindView* b, double t) noexcept nogil:
    """It comes from where the direction says, hence the signs of `to_north` and `to_east`."""
    cdef double lanes[8]
    cdef double speed
    widest(gust_sums, b.w.bands, gust_stride(b.n.n), &t, lanes)
    speed = b.p.speed[0] + sum_of_lanes(lanes)
    b.y.wind[0] = speed * b.w.to_north[0]
    b.y.wind[1] = speed * b.w.to_east[0]
    b.y.wind[2] = 0.0
