"""Kernel of Torsethaugen's sea."""

from cython_kernels.environment.sea cimport SEA_NODES, sea_components, sea_from_table, sea_nodes
from cython_kernels.environment.spectra cimport TwoPeaks, torsethaugen_density, torsethaugen_peaks
from cython_kernels.environment.torsethaugen_full cimport FullPeaks, full_density, full_peaks
from cython_kernels.mathematics.bands cimport Table, table_at
from cython_kernels.views.environment.sea cimport IrregularSeaView
from cython_kernels.views.environment.torsethaugen_sea cimport (
    TORSETHAUGEN_SEA_FORM_FULL, TorsethaugenSeaView, torsethaugen_sea_as_irregular_sea,
)


cdef inline void torsethaugen_sea_setup(const TorsethaugenSeaView* b, double t) noexcept nogil:
    """The limits are those of the lower and of the higher peak."""
    cdef IrregularSeaView sea = torsethaugen_sea_as_irregular_sea(b)
    cdef double height = b.p.significant_height[0]
    cdef double period = b.p.peak_period[0]
    cdef Table table = table_at(b.w.spectrum, SEA_NODES)
    cdef TwoPeaks peaks
    cdef FullPeaks full
    cdef int k
    if b.p.form[0] == TORSETHAUGEN_SEA_FORM_FULL:
        full_peaks(height, period, b.p.gravity[0], &full)
        sea_nodes(&table, b.p.lower_limit[0] * full.peaks.lowest, b.p.upper_limit[0] * full.peaks.highest)
        for k in range(table.count):
            table.y[k] = full_density(table.x[k], &full)
        sea_from_table(&sea, &table, height, 1.0 / period)
        return
    torsethaugen_peaks(height, period, b.p.gravity[0], &peaks)
    sea_nodes(&table, b.p.lower_limit[0] * peaks.lowest, b.p.upper_limit[0] * peaks.highest)
    for k in range(table.count):
        table.y[k] = torsethaugen_density(table.x[k], &peaks)
    sea_from_table(&sea, &table, height, 1.0 / period)


cdef inline void torsethaugen_sea_outputs(const IrregularSeaView* b, double t) noexcept nogil:
    """As at all times."""
    sea_components(b)
