"""Kernel of the sea whose spectrum is given by points."""

from libc.math cimport sqrt

from cython_kernels.environment.sea cimport sea_components, sea_from_table
from cython_kernels.mathematics.bands cimport Table, integrate_table, table_at
from cython_kernels.views.environment.sea cimport IrregularSeaView
from cython_kernels.views.environment.tabulated_sea cimport TabulatedSeaView, tabulated_sea_as_irregular_sea


cdef inline void tabulated_sea_setup(const TabulatedSeaView* b, double t) noexcept nogil:
    """The peak is the first of the greatest densities, halfway on if that is at 0 Hz."""
    cdef IrregularSeaView sea = tabulated_sea_as_irregular_sea(b)
    cdef Table table = table_at(b.w.spectrum, b.n.m)
    cdef int k, peak = 0
    cdef double height, scale
    for k in range(table.count):
        table.x[k] = b.p.table_frequencies[k]
        table.y[k] = b.p.densities[k]
        if table.y[k] > table.y[peak]:
            peak = k
    integrate_table(&table)
    scale = table.x[peak] if table.x[peak] > 0.0 else 0.5 * (table.x[0] + table.x[1])
    for k in range(table.count):
        table.x[k] /= scale
    height = 4.0 * sqrt(table.sum[table.count - 1])
    b.w.significant_height[0] = height
    b.w.peak_period[0] = 1.0 / scale
    sea_from_table(&sea, &table, height, scale)


cdef inline void tabulated_sea_outputs(const IrregularSeaView* b, double t) noexcept nogil:
    """As at all times."""
    sea_components(b)
