"""Kernel of the Pierson-Moskowitz sea."""

from libc.math cimport pow, sqrt

from cython_kernels.environment.jonswap_sea cimport jonswap_setup_of
from cython_kernels.environment.sea cimport SEA_GRAVITY, SEA_OWN
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.view cimport View


cdef inline void pierson_moskowitz_sea_setup(const View* b, double t) noexcept nogil:
    """H_s = 4 sqrt(A/(4 B)) and f_p = (4 B/5)^(1/4), written out with A = alpha g^2/(2 pi)^4, B = beta (g/(2 pi U))^4.

    Source: Pierson and Moskowitz (1964), A proposed spectral form for fully developed wind seas based on the
    similarity theory of S. A. Kitaigorodskii, J. Geophys. Res. 69(24); U at 19.5 m, alpha = 8.10e-3, beta = 0.74.
    """
    cdef double speed = b.p[SEA_OWN][0]
    cdef double gravity = b.p[SEA_GRAVITY][0]
    cdef double height = 2.0 * sqrt(8.10e-3 / 0.74) * speed * speed / gravity
    jonswap_setup_of(b, height, 2.0 * KB_PI * speed / (gravity * pow(0.8 * 0.74, 0.25)), 1.0)
