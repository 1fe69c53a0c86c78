"""Kernel of the JONSWAP sea, and the setup of the seas that are special cases of it."""

from cython_kernels.environment.sea cimport SEA_NODES, sea_components, sea_from_table, sea_nodes
from cython_kernels.environment.spectra cimport bretschneider_density, dnv_peakedness, jonswap_density
from cython_kernels.mathematics.bands cimport Table, table_at
from cython_kernels.mathematics.elementary.logarithmic cimport log
from cython_kernels.views.environment.jonswap_sea cimport (
    JONSWAP_SEA_PEAK_ENHANCEMENT_DNV, JonswapSeaView, jonswap_sea_as_peaked_sea,
)
from cython_kernels.views.environment.sea cimport IrregularSeaView, PeakedSeaView, peaked_sea_as_irregular_sea


cdef inline void sea_after_jonswap(
    const PeakedSeaView* b, double height, double period, double peakedness
) noexcept nogil:
    """A JONSWAP sea; with a peakedness of 1 it is Bretschneider's."""
    cdef IrregularSeaView sea = peaked_sea_as_irregular_sea(b)
    cdef Table table = table_at(b.w.spectrum, SEA_NODES)
    cdef double log_peakedness = log(peakedness)
    cdef int k
    sea_nodes(&table, b.p.lower_limit[0], b.p.upper_limit[0])
    if peakedness == 1.0:
        for k in range(table.count):
            table.y[k] = bretschneider_density(table.x[k])
    else:
        for k in range(table.count):
            table.y[k] = jonswap_density(table.x[k], log_peakedness)
    sea_from_table(&sea, &table, height, 1.0 / period)


cdef inline void jonswap_sea_setup(const JonswapSeaView* b, double t) noexcept nogil:
    """All of it is given, or the peak follows from the steepness."""
    cdef PeakedSeaView sea = jonswap_sea_as_peaked_sea(b)
    cdef double height = b.p.significant_height[0]
    cdef double period = b.p.peak_period[0]
    cdef double peakedness = b.p.peakedness[0]
    if b.p.peak_enhancement[0] == JONSWAP_SEA_PEAK_ENHANCEMENT_DNV:
        peakedness = dnv_peakedness(height, period)
    b.w.gamma[0] = peakedness
    sea_after_jonswap(&sea, height, period, peakedness)


cdef inline void jonswap_sea_outputs(const IrregularSeaView* b, double t) noexcept nogil:
    """As at all times."""
    sea_components(b)
