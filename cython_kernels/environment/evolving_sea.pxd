"""Kernel of a sea that grows and veers: components that stay, and energy that goes from one to the other.

The share of a band is Simpson's rule over its edges and its middle, of the spectrum and of the spreading of the moment.
"""

from libc.math cimport sqrt
from libc.string cimport memcpy

from cython_kernels.environment.spectra cimport dnv_peakedness, jonswap_density
from cython_kernels.environment.waves cimport WAVES_AMPLITUDE, WAVES_ROWS, put_wave, wave_number
from cython_kernels.mathematics.elementary.exponential cimport exp
from cython_kernels.mathematics.elementary.logarithmic cimport log
from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.elementary.trigonometric cimport cos
from cython_kernels.mathematics.frames cimport KB_PI, wrap_angle
from cython_kernels.mathematics.limits cimport larger, smaller
from cython_kernels.mathematics.random cimport random_pair, random_uniform
from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part
from cython_kernels.views.environment.evolving_sea cimport (
    EVOLVING_SEA_PEAK_ENHANCEMENT_DNV, EvolvingSeaView,
)

cdef enum:
    EVOLVING_PHASES = 0         # streams of random numbers
    EVOLVING_PLACES = 1


cdef inline double spreading_reach(double exponent) noexcept nogil:
    """How far to both sides of the mean direction there is anything of cos^2s."""
    return smaller(0.5 * KB_PI, 8.5 / sqrt(2.0 * exponent)) if exponent > 0.0 else 0.5 * KB_PI


cdef inline double spread_density(double angle, double exponent, double reach) noexcept nogil:
    """cos^2s, up to a factor."""
    if not (-reach < angle < reach):
        return 0.0
    return exp(2.0 * exponent * log(cos(angle))) if exponent > 0.0 else 1.0


cdef inline void evolving_sea_setup(const EvolvingSeaView* b, double t) noexcept nogil:
    """Bands that cover the schedule, and a component in each, of no height."""
    cdef int frequencies = b.n.frequencies
    cdef int directions = b.n.directions
    cdef int n = b.n.n
    cdef double* f = b.w.bands
    cdef double* angle = b.w.sectors
    cdef double shortest = b.p.peak_period[0]
    cdef double longest = shortest
    cdef double least = b.p.direction[0]
    cdef double greatest = least
    cdef double reach = spreading_reach(b.p.spreading[0])
    cdef double factor, step, omega, direction, x
    cdef double random[2]
    cdef int i, j, k
    for k in range(1, b.n.m):
        shortest = smaller(shortest, b.p.peak_period[k])
        longest = larger(longest, b.p.peak_period[k])
        least = smaller(least, b.p.direction[k])
        greatest = larger(greatest, b.p.direction[k])
    x = b.p.lower_limit[0] / longest
    factor = pow(b.p.upper_limit[0] / shortest / x, 0.5 / frequencies)
    for i in range(2 * frequencies + 1):
        f[i] = x
        x *= factor
    if directions > 1:
        least -= reach
        greatest = smaller(greatest + reach, least + 2.0 * KB_PI)
    step = (greatest - least) / (2 * directions)
    for j in range(2 * directions + 1):
        angle[j] = least + j * step
    for i in range(frequencies):
        for j in range(directions):
            random_pair(b.p.seed[0], 0, i, j, EVOLVING_PLACES, random)
            omega = 2.0 * KB_PI * (f[2 * i] + random[0] * (f[2 * i + 2] - f[2 * i]))
            direction = angle[2 * j] + random[1] * (angle[2 * j + 2] - angle[2 * j])
            put_wave(
                b.w.components, n, i * directions + j, omega, wave_number(omega, b.p.depth[0], b.p.gravity[0]),
                direction, 0.0, 2.0 * KB_PI * random_uniform(b.p.seed[0], 0, i, j, EVOLVING_PHASES), b.p.depth[0],
            )


cdef inline void evolving_sea_outputs(const EvolvingSeaView* b, double t) noexcept nogil:
    """Amplitudes of this moment."""
    cdef int frequencies = b.n.frequencies
    cdef int directions = b.n.directions
    cdef int n = b.n.n
    cdef double* amplitude = b.y.waves + <size_t>WAVES_AMPLITUDE * n
    cdef double* share
    cdef const double* f = b.w.bands
    cdef const double* angle = b.w.sectors
    cdef double exponent = b.p.spreading[0]
    cdef double reach = spreading_reach(exponent)
    cdef int k = table_interval(b.p.times, b.n.m, t)
    cdef double part = table_part(b.p.times, k, t, True)
    cdef double height = table_between(b.p.significant_height[k], b.p.significant_height[k + 1], part)
    cdef double period = table_between(b.p.peak_period[k], b.p.peak_period[k + 1], part)
    cdef double mean = table_between(b.p.direction[k], b.p.direction[k + 1], part)
    cdef double gamma = b.p.peakedness[0]
    cdef double logarithm, before, after, middle, total = 0.0, energy = 0.0, size
    cdef int i, j
    if b.p.peak_enhancement[0] == EVOLVING_SEA_PEAK_ENHANCEMENT_DNV:
        gamma = dnv_peakedness(height, period)
    logarithm = log(gamma)
    memcpy(b.y.waves, b.w.components, WAVES_ROWS * <size_t>n * sizeof(double))
    share = amplitude               # of the first frequency, which is done last
    after = spread_density(wrap_angle(angle[0] - mean), exponent, reach)
    for j in range(directions):
        before = after
        after = spread_density(wrap_angle(angle[2 * j + 2] - mean), exponent, reach)
        middle = spread_density(wrap_angle(angle[2 * j + 1] - mean), exponent, reach)
        share[j] = before + 4.0 * middle + after if directions > 1 else 1.0
        total += share[j]
    after = jonswap_density(f[2 * frequencies] * period, logarithm)
    for i in range(frequencies - 1, -1, -1):
        before = jonswap_density(f[2 * i] * period, logarithm)
        middle = jonswap_density(f[2 * i + 1] * period, logarithm)
        size = (f[2 * i + 2] - f[2 * i]) * (before + 4.0 * middle + after)
        after = before
        energy += size
        for j in range(directions):
            amplitude[i * directions + j] = size * share[j]
    size = height * height / (8.0 * energy * total) if energy * total > 0.0 else 0.0
    for i in range(n):
        amplitude[i] = sqrt(size * amplitude[i])
