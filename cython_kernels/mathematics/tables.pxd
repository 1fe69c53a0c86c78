"""Piecewise linear functions of one variable, given by points."""


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
