"""Kernels of the lookup tables."""

from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part, table_value
from cython_kernels.view cimport View


cdef inline void lookup_table_1d_outputs(const View* b, double t) noexcept nogil:
    """p = breakpoints, table, extrapolation (0 clip, 1 linear); n = width, breakpoints."""
    cdef int i
    for i in range(b.n[0]):
        b.y[0][i] = table_value(b.p[0], b.p[1], b.n[1], b.u[0][i], b.p[2][0] == 0.0)


cdef inline void lookup_table_2d_outputs(const View* b, double t) noexcept nogil:
    """Bilinear; p = rows, columns, table, extrapolation (0 clip, 1 linear); n = width, rows, columns."""
    cdef int columns = b.n[2]
    cdef bint clip = b.p[3][0] == 0.0
    cdef const double* corner
    cdef double down, across
    cdef int i, row, column
    for i in range(b.n[0]):
        row = table_interval(b.p[0], b.n[1], b.u[0][i])
        column = table_interval(b.p[1], columns, b.u[1][i])
        down = table_part(b.p[0], row, b.u[0][i], clip)
        across = table_part(b.p[1], column, b.u[1][i], clip)
        corner = b.p[2] + row * columns + column
        b.y[0][i] = table_between(
            table_between(corner[0], corner[1], across),
            table_between(corner[columns], corner[columns + 1], across),
            down,
        )
