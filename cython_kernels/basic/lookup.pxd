"""Kernels of the lookup tables."""

from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part, table_value
from cython_kernels.views.basic.lookup cimport (
    LOOKUP_TABLE_1D_EXTRAPOLATION_CLIP,
    LOOKUP_TABLE_2D_EXTRAPOLATION_CLIP,
    LookupTable1DView,
    LookupTable2DView,
)


cdef inline void lookup_table_1d_outputs(const LookupTable1DView* b, double t) noexcept nogil:
    cdef int i
    for i in range(b.n.n):
        b.y.y[i] = table_value(
            b.p.breakpoints, b.p.table, b.n.m, b.u.u[i], b.p.extrapolation[0] == LOOKUP_TABLE_1D_EXTRAPOLATION_CLIP
        )


cdef inline void lookup_table_2d_outputs(const LookupTable2DView* b, double t) noexcept nogil:
    """Bilinear."""
    cdef int columns = b.n.k
    cdef bint clip = b.p.extrapolation[0] == LOOKUP_TABLE_2D_EXTRAPOLATION_CLIP
    cdef const double* corner
    cdef double down, across
    cdef int i, row, column
    for i in range(b.n.n):
        row = table_interval(b.p.rows, b.n.m, b.u.u1[i])
        column = table_interval(b.p.columns, columns, b.u.u2[i])
        down = table_part(b.p.rows, row, b.u.u1[i], clip)
        across = table_part(b.p.columns, column, b.u.u2[i], clip)
        corner = b.p.table + row * columns + column
        b.y.y[i] = table_between(
            table_between(corner[0], corner[1], across),
            table_between(corner[columns], corner[columns + 1], across),
            down,
        )
