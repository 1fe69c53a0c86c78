"""Kernels of the lookup tables."""

from cython_kernels.view cimport View


cdef inline int table_interval(const double* points, int count, double value) noexcept nogil:
    """The last point, but never the very last one, that is not above `value`; 0 if all are above. By bisection."""
    cdef int low = 0
    cdef int high = count - 1
    cdef int middle
    while high - low > 1:
        middle = (low + high) // 2
        if value >= points[middle]:
            low = middle
        else:
            high = middle
    return low


cdef inline double table_part(const double* points, int k, double value, bint clip) noexcept nogil:
    """How far `value` lies from point k (0) to the next one (1); with `clip` never outside."""
    cdef double part = (value - points[k]) / (points[k + 1] - points[k])
    if clip:
        if part < 0.0:
            return 0.0
        if part > 1.0:
            return 1.0
    return part


cdef inline double table_between(double first, double second, double part) noexcept nogil:
    """Linear interpolation that meets both ends exactly."""
    return second if part == 1.0 else first + part * (second - first)


cdef inline double table_value(
    const double* points, const double* values, int count, double value, bint clip
) noexcept nogil:
    """The piecewise linear function through (points[k], values[k]); outside, clipped or continued straight."""
    cdef int k = table_interval(points, count, value)
    return table_between(values[k], values[k + 1], table_part(points, k, value, clip))


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
