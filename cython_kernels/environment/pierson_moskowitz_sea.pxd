"""Kernel of the Pierson-Moskowitz sea."""

from libc.math cimport sqrt

from cython_kernels.environment.jonswap_sea cimport sea_after_jonswap
from cython_kernels.environment.sea cimport sea_components
from cython_kernels.mathematics.elementary.power cimport pow
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.environment.pierson_moskowitz_sea cimport (
    PiersonMoskowitzSeaView, pierson_moskowitz_sea_as_peaked_sea,
)
from cython_kernels.views.environment.sea cimport IrregularSeaView, PeakedSeaView


cdef inline void pierson_moskowitz_sea_setup(const PiersonMoskowitzSeaView* b, double t) noexcept nogil:
    """H_s = 4 sqrt(A/(4 B)) and f_p = (4 B/5)^(1/4), written out with A = alpha g^2/(2 pi)^4, B = beta (g/(2 pi U))^4.

    Source: Pierson and Moskowitz (1964), A proposed spectral form for fully developed wind seas based on the
    similarity theory of S. A. Kitaigorodskii, J. Geophys. Res. 69(24); U at 19.5 m, alpha = 8.10e-3, beta = 0.74.
    """
    cdef PeakedSeaView sea = pierson_moskowitz_sea_as_peaked_sea(b)
    cdef double speed = b.p.wind_speed[0]
    cdef double gravity = b.p.gravity[0]
    cdef double height = 2.0 * sqrt(8.10e-3 / 0.74) * speed * speed / gravity
    cdef double period = 2.0 * KB_PI * speed / (gravity * pow(0.8 * 0.74, 0.25))
    b.w.significant_height[0] = height
    b.w.peak_period[0] = period
    sea_after_jonswap(&sea, height, period, 1.0)


cdef inline void pierson_moskowitz_sea_outputs(const IrregularSeaView* b, double t) noexcept nogil:
    """As at all times."""
    sea_components(b)
