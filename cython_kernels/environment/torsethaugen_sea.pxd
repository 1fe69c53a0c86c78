"""Kernel of Torsethaugen's sea."""

from cython_kernels.environment.sea cimport (
    SEA_GRAVITY, SEA_LOWER, SEA_NODES, SEA_OWN, SEA_UPPER, sea_nodes, sea_setup, sea_table,
)
from cython_kernels.environment.spectra cimport TwoPeaks, torsethaugen_density, torsethaugen_peaks
from cython_kernels.mathematics.bands cimport Table
from cython_kernels.view cimport View


cdef inline void torsethaugen_sea_setup(const View* b, double t) noexcept nogil:
    """p: height, peak period. The limits are those of the lower and of the higher peak."""
    cdef double height = b.p[SEA_OWN][0]
    cdef double period = b.p[SEA_OWN + 1][0]
    cdef Table table = sea_table(b, SEA_NODES)
    cdef TwoPeaks peaks
    cdef int k
    torsethaugen_peaks(height, period, b.p[SEA_GRAVITY][0], &peaks)
    sea_nodes(&table, b.p[SEA_LOWER][0] * peaks.lowest, b.p[SEA_UPPER][0] * peaks.highest)
    for k in range(table.count):
        table.y[k] = torsethaugen_density(table.x[k], &peaks)
    sea_setup(b, &table, height, 1.0 / period)
