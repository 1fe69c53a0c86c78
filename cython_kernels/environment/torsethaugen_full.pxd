"""Torsethaugen's spectrum of 1996 with all its terms: two systems whose exponents depend on the height.

Source: Torsethaugen (1996), Model for a doubly peaked wave spectrum, SINTEF STF22 A96204; DNV-RP-C205 (2010), app. A.
"""

from libc.math cimport sqrt

from cython_kernels.environment.spectra cimport TwoPeaks, peak_exponent
from cython_kernels.mathematics.elementary.exponential cimport exp
from cython_kernels.mathematics.elementary.logarithmic cimport log
from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.gamma cimport log_gamma
from cython_kernels.mathematics.limits cimport larger, smaller


ctypedef struct FullPeaks:
    TwoPeaks peaks
    double tail                 # N, exponent of both tails
    double width                # M of the primary system
    double second_width


cdef inline double unit_energy(double n, double m) noexcept nogil:
    """G_0, by which x^-N exp(-N/M x^-M) has an integral of 1."""
    cdef double part = (n - 1.0) / m
    return m * exp(part * log(n / m) - log_gamma(part))


cdef inline double peak_factor(double n, double m, double log_peakedness) noexcept nogil:
    """A_gamma, by which the energy stays what it was when the peak is raised."""
    cdef double f1 = 4.1 * pow(n - 2.0 * pow(m, 0.28) + 5.3, 0.96 - 1.45 * pow(m, 0.1))
    cdef double f2 = (2.2 * pow(m, -3.3) + 0.57) * pow(n, 0.53 - 0.58 * pow(m, 0.37)) + 0.94 - 1.04 * pow(m, -1.9)
    if not log_peakedness > 0.0:
        return 1.0
    return (1.0 + f1 * pow(log_peakedness, f2)) * exp(-log_peakedness)


cdef inline void full_peaks(double height, double period, double gravity, FullPeaks* found) noexcept nogil:
    """How the energy is shared by wind sea and swell, and their exponents. A secondary system of less than 0.1 % has no
    say in limits; gamma is at least 1."""
    cdef TwoPeaks* peaks = &found.peaks
    cdef double full = 6.6 * pow(height, 1.0 / 3.0)         # peak period of a fully developed wind sea
    cdef double part, share, gamma, second_period, energy, steep
    found.tail = 0.5 * sqrt(height) + 3.2
    found.width = found.second_width = 4.0
    peaks.ratio = peaks.lowest = peaks.highest = 1.0
    peaks.first = 1.0
    peaks.log_peakedness = peaks.second = 0.0
    if not height > 0.0:
        return
    steep = 35.0 * (1.0 + 3.5 * exp(-height))
    if period <= full:                                      # wind sea
        part = smaller((full - period) / (full - 2.0 * sqrt(height)), 1.0)
        share = 0.7 + 0.3 * exp(-4.0 * part * part)
        gamma = steep * pow(2.0 * KB_PI / gravity * share * height / (period * period), 0.857)
        second_period = full + 2.0
    else:                                                   # swell
        part = larger(0.0, smaller((period - full) / (25.0 - full), 1.0))
        share = 0.6 + 0.4 * exp(-part * part / 0.09)
        gamma = steep * pow(2.0 * KB_PI / gravity * height / (full * full), 0.857) * (1.0 + 6.0 * part)
        found.second_width = 4.0 * (1.0 - 0.7 * exp(-height / 3.0))
        energy = larger(0.01, 0.08 * (1.0 - exp(-height / 3.0)))
        second_period = 2.5
        if share < 1.0:
            second_period = larger(2.5, pow(
                16.0 * energy * pow(0.4, found.tail)
                / (unit_energy(found.tail, found.second_width) * (1.0 - share * share) * height * height),
                -1.0 / (found.tail - 1.0),
            ))
    peaks.log_peakedness = log(larger(gamma, 1.0))
    peaks.first = share * share * unit_energy(found.tail, found.width) * peak_factor(
        found.tail, found.width, peaks.log_peakedness
    )
    peaks.second = (1.0 - share * share) * unit_energy(found.tail, found.second_width)
    peaks.ratio = period / second_period
    if 1.0 - share * share > 0.001:
        peaks.lowest = smaller(peaks.ratio, 1.0)
        peaks.highest = larger(peaks.ratio, 1.0)


cdef inline double system_density(double x, double n, double m, double log_peak) noexcept nogil:
    """x^-N exp(-N/M x^-M) gamma^..., for x over the system's own peak."""
    cdef double logarithm = log(x)
    return exp(-n * logarithm - n / m * exp(-m * logarithm) + log_peak)


cdef inline double full_density(double x, const FullPeaks* found) noexcept nogil:
    """Sum of the two systems, over x of the primary one."""
    cdef const TwoPeaks* peaks = &found.peaks
    cdef double first = system_density(x, found.tail, found.width, peaks.log_peakedness * peak_exponent(x))
    if not peaks.second > 0.0:
        return peaks.first * first
    return peaks.first * first \
        + peaks.second / peaks.ratio * system_density(x / peaks.ratio, found.tail, found.second_width, 0.0)
