"""Irregular seas: a spectrum and a spreading function cut into bands, each of which becomes one wave.

Both are taken as piecewise linear densities, tables of points with the integral up to each. A band is a part of the
integral, so that however few there are, all of the energy is in them. Random numbers are functions of the seed and the
numbers of the bands, and of nothing else.
"""

from libc.math cimport sqrt

from cython_kernels.mathematics.elementary.exponential cimport exp
from cython_kernels.mathematics.elementary.logarithmic cimport log
from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.elementary.trigonometric cimport cos

from libc.string cimport memcpy

from cython_kernels.environment.waves cimport WAVES_ROWS, put_wave, wave_number
from cython_kernels.mathematics.bands cimport Band, Table, band_of, integrate_table, place_in, scale_table, table_at
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport NO_LIMIT, smaller
from cython_kernels.mathematics.random cimport random_pair, random_uniform
from cython_kernels.views.environment.sea cimport (
    IRREGULAR_SEA_BANDS_EQUAL_STEP, IRREGULAR_SEA_PLACEMENT_DRAWN, IrregularSeaView,
)

cdef enum:
    SEA_NODES = 513             # of the table of a spectrum
    SEA_RAYS = 129              # of the table of the spreading

    SEA_PHASES = 0              # streams of random numbers
    SEA_PLACES = 1


cdef inline void spread_rays(const Table* rays, double exponent) noexcept nogil:
    """cos^2s about the mean direction, as far as it is not negligible, and the same on both sides to the last bit."""
    cdef int k, centre = rays.count // 2
    cdef double reach = 0.5 * KB_PI
    cdef double angle
    if exponent > 0.0:
        reach = smaller(reach, 8.5 / sqrt(2.0 * exponent))
    for k in range(centre + 1):
        angle = k * (reach / centre)
        rays.x[centre + k] = angle
        rays.x[centre - k] = -angle
        rays.y[centre + k] = rays.y[centre - k] = exp(2.0 * exponent * log(cos(angle))) if exponent > 0.0 else 1.0
    integrate_table(rays)


cdef inline void sea_nodes(const Table* table, double first, double last) noexcept nogil:
    """Points of the table of a spectrum: each the same factor above the one before."""
    cdef double x = first
    cdef double factor = pow(last / first, 1.0 / (table.count - 1))
    cdef int k
    for k in range(table.count):
        table.x[k] = x
        x *= factor
    table.x[table.count - 1] = last


cdef inline void sea_from_table(
    const IrregularSeaView* b, const Table* table, double height, double frequency
) noexcept nogil:
    """Everything from the table of the spectrum over f/`frequency`, the significant height and the peak frequency."""
    cdef double* waves = b.w.components
    cdef int n = b.n.n
    cdef int directions = <int>b.p.directions[0]
    cdef int frequencies = n // directions
    cdef bint equal_step = b.p.bands[0] == IRREGULAR_SEA_BANDS_EQUAL_STEP
    cdef bint drawn = b.p.placement[0] == IRREGULAR_SEA_PLACEMENT_DRAWN
    cdef double depth = b.p.depth[0]
    cdef double gravity = b.p.gravity[0]
    cdef double seed = b.p.seed[0]
    cdef Table rays = table_at(b.w.rays, SEA_RAYS)
    cdef double first = table.x[0]
    cdef double last = table.x[table.count - 1]
    cdef double mean = 0.0
    cdef double square = 0.0
    cdef double x, angle, share, phase, omega = 0.0, number = 0.0
    cdef double random[2]
    cdef Band band, ray
    cdef int i, j
    random[0] = random[1] = 0.5
    integrate_table(table)
    spread_rays(&rays, b.p.spreading[0])
    for i in range(frequencies):
        band = band_of(table, i, frequencies, equal_step, first, last)
        for j in range(directions):
            share = band.high - band.low
            if drawn:
                random_pair(seed, 0, i, j, SEA_PLACES, random)
            if drawn or j == 0:
                x = place_in(table, &band, random[0]) if drawn else band.middle
                omega = 2.0 * KB_PI * frequency * x
                number = wave_number(omega, depth, gravity)
            angle = b.p.direction[0]
            if directions > 1:
                ray = band_of(&rays, j, directions, equal_step, -0.5 * KB_PI, 0.5 * KB_PI)
                share *= ray.high - ray.low
                angle += place_in(&rays, &ray, random[1]) if drawn else ray.middle
            phase = 2.0 * KB_PI * random_uniform(seed, 0, i, j, SEA_PHASES)
            put_wave(
                waves, n, i * directions + j, omega, number, angle, 0.25 * height * sqrt(2.0 * share), phase, depth
            )
            mean += share * omega
            square += share * omega * omega
    b.w.mean_period[0] = 2.0 * KB_PI / mean
    b.w.zero_crossing_period[0] = 2.0 * KB_PI / sqrt(square)
    b.w.steepness[0] = 2.0 * KB_PI * height * frequency * frequency / gravity
    b.w.repetition_period[0] = NO_LIMIT
    if n == 1 or (frequencies == 1 and not drawn):
        b.w.repetition_period[0] = 2.0 * KB_PI / omega
    elif equal_step and not drawn:
        b.w.repetition_period[0] = frequencies / ((last - first) * frequency)
    scale_table(table, frequency, height * height / (16.0 * table.sum[table.count - 1] * frequency))
    scale_table(&rays, 1.0, 1.0 / rays.sum[rays.count - 1])


cdef inline void sea_components(const IrregularSeaView* b) noexcept nogil:
    """The waves, which are the same at all times."""
    memcpy(b.y.waves, b.w.components, WAVES_ROWS * <size_t>b.n.n * sizeof(double))
