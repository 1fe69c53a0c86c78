"""Wave spectra: densities over x = f/f_p, up to a factor, for the discretisation scales them to the wanted energy.

Written for x, so that where components stand relative to the peak does not depend on the peak.
"""

from libc.math cimport sqrt

from cython_kernels.mathematics.elementary.exponential cimport exp
from cython_kernels.mathematics.elementary.logarithmic cimport log
from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.mathematics.limits cimport larger, smaller


cdef inline double bretschneider_density(double x) noexcept nogil:
    """x^-5 exp(-5/4 x^-4). Pierson and Moskowitz's has the same shape.

    Source: Bretschneider (1959), Wave variability and wave spectra for wind-generated gravity waves, US Army Corps of
    Engineers, Beach Erosion Board, Tech. Memo. 118.
    """
    cdef double r = 1.0 / (x * x)
    return r * r / x * exp(-1.25 * r * r)


cdef inline double peak_exponent(double x) noexcept nogil:
    """Power of the peakedness: exp(-(x - 1)^2/(2 sigma^2)), sigma 0.07 below the peak and 0.09 above."""
    cdef double part = (x - 1.0) / (0.07 if x <= 1.0 else 0.09)
    return exp(-0.5 * part * part)


cdef inline double jonswap_density(double x, double log_peakedness) noexcept nogil:
    """Bretschneider's times gamma^peak_exponent; takes ln(gamma).

    Source: Hasselmann et al. (1973), Measurements of wind-wave growth and swell decay during the Joint North Sea Wave
    Project, Deutsche Hydrographische Zeitschrift A8(12).
    """
    return bretschneider_density(x) * exp(log_peakedness * peak_exponent(x))


cdef inline double dnv_peakedness(double height, double period) noexcept nogil:
    """gamma of a JONSWAP sea from its steepness.

    Source: DNV-RP-C205 (2010), 3.5.5.5.
    """
    cdef double ratio
    if not height > 0.0:
        return 1.0
    ratio = period / sqrt(height)
    if ratio <= 3.6:
        return 5.0
    return exp(5.75 - 1.15 * ratio) if ratio < 5.0 else 1.0


ctypedef struct TwoPeaks:       # Torsethaugen's spectrum
    double first                # energy of the primary system times its normalising factor
    double log_peakedness       # of the primary system
    double second               # energy of the secondary system
    double ratio                # its peak frequency over that of the primary one
    double lowest               # least and greatest peak frequency over that of the primary system
    double highest


cdef inline void torsethaugen_peaks(double height, double period, double gravity, TwoPeaks* peaks) noexcept nogil:
    """How the energy is shared by wind sea and swell. A secondary system of less than 0.1 % has no say in limits.

    Source: Torsethaugen and Haver (2004), Simplified double peak spectral model for ocean waves, ISOPE 2004-JSC-193;
    DNV-RP-C205 (2010), sec. 3.5.5. gamma is at least 1, where they say nothing.
    """
    cdef double full = 6.6 * pow(height, 1.0 / 3.0)         # peak period of a fully developed wind sea
    cdef double part, share, steepness, second_period, gamma, second_height
    if not height > 0.0:
        peaks.first = 1.0
        peaks.log_peakedness = peaks.second = 0.0
        peaks.ratio = peaks.lowest = peaks.highest = 1.0
        return
    if period <= full:                                      # wind sea
        part = smaller((full - period) / (full - 2.0 * sqrt(height)), 1.0)
        share = 0.7 + 0.3 * exp(-4.0 * part * part)
        steepness = 2.0 * KB_PI / gravity * share * height / (period * period)
        gamma = 35.0 * pow(steepness, 0.857)
        second_height = sqrt(1.0 - share * share) * height
        second_period = full + 2.0
    else:                                                   # swell
        part = larger(0.0, smaller((period - full) / (25.0 - full), 1.0))
        share = 0.6 + 0.4 * exp(-part * part / 0.09)
        steepness = 2.0 * KB_PI / gravity * height / (full * full)
        gamma = 35.0 * pow(steepness, 0.857) * (1.0 + 6.0 * part)
        second_height = sqrt(1.0 - share * share) * height
        second_period = 6.6 * pow(second_height, 1.0 / 3.0)
    gamma = larger(gamma, 1.0)
    peaks.log_peakedness = log(gamma)
    peaks.first = share * share * (1.0 + 1.1 * pow(peaks.log_peakedness, 1.19)) / gamma
    peaks.second = 1.0 - share * share
    peaks.ratio = peaks.lowest = peaks.highest = 1.0
    if second_period > 0.0:
        peaks.ratio = period / second_period
    if peaks.second > 0.001:
        peaks.lowest = smaller(peaks.ratio, 1.0)
        peaks.highest = larger(peaks.ratio, 1.0)


cdef inline double torsethaugen_density(double x, const TwoPeaks* peaks) noexcept nogil:
    """Sum of two systems x^-4 exp(-x^-4), each over its own peak frequency."""
    cdef double r = 1.0 / (x * x)
    cdef double first = r * r * exp(-r * r + peaks.log_peakedness * peak_exponent(x))
    cdef double second
    if not peaks.second > 0.0:
        return peaks.first * first
    r *= peaks.ratio * peaks.ratio
    second = r * r * exp(-r * r) / peaks.ratio              # density over x of a unit of energy
    return peaks.first * first + peaks.second * second
