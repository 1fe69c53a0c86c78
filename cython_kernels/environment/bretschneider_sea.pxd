"""Kernel of the Bretschneider sea."""

from libc.math cimport pow

from cython_kernels.environment.jonswap_sea cimport jonswap_setup_of
from cython_kernels.environment.sea cimport SEA_OWN
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.view cimport View


cdef inline void bretschneider_sea_setup(const View* b, double t) noexcept nogil:
    """p: height, period, which period (0 peak, 1 mean, 2 zero-crossing).

    By the moments of its spectrum T_1 = T_p (4/5)^(1/4)/Gamma(3/4) and T_z = T_p (4/5)^(1/4)/pi^(1/4).
    """
    cdef double period = b.p[SEA_OWN + 1][0]
    if b.p[SEA_OWN + 2][0] == 1.0:
        period *= 1.2254167024651776 / pow(0.8, 0.25)
    elif b.p[SEA_OWN + 2][0] == 2.0:
        period *= pow(KB_PI / 0.8, 0.25)
    jonswap_setup_of(b, b.p[SEA_OWN][0], period, 1.0)
