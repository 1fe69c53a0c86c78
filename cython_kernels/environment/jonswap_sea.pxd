"""Kernel of the JONSWAP sea, and the setup of the seas that are special cases of it."""

from libc.math cimport log

from cython_kernels.environment.sea cimport SEA_LOWER, SEA_NODES, SEA_OWN, SEA_UPPER, sea_nodes, sea_setup, sea_table
from cython_kernels.environment.spectra cimport bretschneider_density, jonswap_density
from cython_kernels.mathematics.bands cimport Table
from cython_kernels.view cimport View


cdef inline void jonswap_setup_of(const View* b, double height, double period, double peakedness) noexcept nogil:
    """A JONSWAP sea; with a peakedness of 1 it is Bretschneider's."""
    cdef Table table = sea_table(b, SEA_NODES)
    cdef double log_peakedness = log(peakedness)
    cdef int k
    sea_nodes(&table, b.p[SEA_LOWER][0], b.p[SEA_UPPER][0])
    if peakedness == 1.0:
        for k in range(table.count):
            table.y[k] = bretschneider_density(table.x[k])
    else:
        for k in range(table.count):
            table.y[k] = jonswap_density(table.x[k], log_peakedness)
    sea_setup(b, &table, height, 1.0 / period)


cdef inline void jonswap_sea_setup(const View* b, double t) noexcept nogil:
    """p: height, peak period, peakedness."""
    jonswap_setup_of(b, b.p[SEA_OWN][0], b.p[SEA_OWN + 1][0], b.p[SEA_OWN + 2][0])
