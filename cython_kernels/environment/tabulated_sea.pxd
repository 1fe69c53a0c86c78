"""Kernel of the sea whose spectrum is given by points."""

from libc.math cimport sqrt

from cython_kernels.environment.sea cimport SEA_TABLE_DENSITIES, SEA_TABLE_FREQUENCIES, sea_setup, sea_table
from cython_kernels.mathematics.bands cimport Table, integrate_table
from cython_kernels.view cimport View


cdef inline void tabulated_sea_setup(const View* b, double t) noexcept nogil:
    """p: frequencies, densities. The peak is the first of the greatest densities, halfway on if that is at 0 Hz."""
    cdef Table table = sea_table(b, b.n[1])
    cdef int k, peak = 0
    cdef double scale
    for k in range(table.count):
        table.x[k] = b.p[SEA_TABLE_FREQUENCIES][k]
        table.y[k] = b.p[SEA_TABLE_DENSITIES][k]
        if table.y[k] > table.y[peak]:
            peak = k
    integrate_table(&table)
    scale = table.x[peak] if table.x[peak] > 0.0 else 0.5 * (table.x[0] + table.x[1])
    for k in range(table.count):
        table.x[k] /= scale
    sea_setup(b, &table, 4.0 * sqrt(table.sum[table.count - 1]), scale)
