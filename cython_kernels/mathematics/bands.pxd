"""Densities given by points, straight in between, and the bands that they are cut into."""

from libc.math cimport sqrt

from cython_kernels.mathematics.limits cimport smaller
from cython_kernels.mathematics.tables cimport table_interval


ctypedef struct Table:          # a piecewise linear density
    double* x
    double* y
    double* sum                 # integral from the first point to each
    int count


ctypedef struct Band:
    double low                  # part of the integral below it, and up to its end
    double high
    double middle


cdef inline Table table_at(double* w, int count) noexcept nogil:
    """A table of `count` points in 3 * count numbers."""
    cdef Table table
    table.x = w
    table.y = w + count
    table.sum = w + 2 * count
    table.count = count
    return table


cdef inline void integrate_table(const Table* table) noexcept nogil:
    """Integral up to each point."""
    cdef int k
    table.sum[0] = 0.0
    for k in range(1, table.count):
        table.sum[k] = table.sum[k - 1] + 0.5 * (table.x[k] - table.x[k - 1]) * (table.y[k] + table.y[k - 1])


cdef inline double part_below(const Table* table, double x) noexcept nogil:
    """Which part of the integral lies below x: 0 to 1."""
    cdef int k, last = table.count - 1
    cdef double d, slope
    if x <= table.x[0]:
        return 0.0
    if x >= table.x[last]:
        return 1.0
    k = table_interval(table.x, table.count, x)
    d = x - table.x[k]
    slope = (table.y[k + 1] - table.y[k]) / (table.x[k + 1] - table.x[k])
    return (table.sum[k] + d * (table.y[k] + 0.5 * slope * d)) / table.sum[last]


cdef inline double place_of(const Table* table, double part) noexcept nogil:
    """The x below which that part of the integral lies: the inverse of `part_below`."""
    cdef double wanted = part * table.sum[table.count - 1]
    cdef int k = table_interval(table.sum, table.count, wanted)
    cdef double rest = wanted - table.sum[k]
    cdef double y = table.y[k]
    cdef double step = table.x[k + 1] - table.x[k]
    cdef double root = y * y + 2.0 * (table.y[k + 1] - y) / step * rest
    cdef double below = y + sqrt(root if root > 0.0 else 0.0)
    if not below > 0.0:
        return table.x[k]
    return table.x[k] + smaller(2.0 * rest / below, step)


cdef inline Band band_of(
    const Table* table, int i, int count, bint equal_step, double first, double last
) noexcept nogil:
    """Band i of so many, of equal integral, or of equal width between first and last."""
    cdef Band band
    cdef double width, start
    if equal_step:
        width = (last - first) / count
        start = first + i * width
        band.low = part_below(table, start) if i else 0.0
        band.high = part_below(table, first + (i + 1) * width) if i + 1 < count else 1.0
        band.middle = start + 0.5 * width
    else:
        band.low = <double>i / count
        band.high = (i + 1.0) / count
        band.middle = place_of(table, (i + 0.5) / count)
    return band


cdef inline double place_in(const Table* table, const Band* band, double random) noexcept nogil:
    """Drawn from the band with the probability that its energy has."""
    return place_of(table, band.low + random * (band.high - band.low))


cdef inline void scale_table(const Table* table, double x, double y) noexcept nogil:
    cdef int k
    for k in range(table.count):
        table.x[k] *= x
        table.y[k] *= y
