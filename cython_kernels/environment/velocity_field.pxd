"""Currents and winds that are given on a grid, over north and east, depth and time: straight in each."""

from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part
from cython_kernels.view cimport View

cdef enum:
    FIELD_OUTSIDE = 1           # numbers of faults
    FIELD_OTHER_TIME = 2

ctypedef struct Spot:           # between two points of an axis
    int k                       # the first of them
    double part                 # 0 there, 1 at the second
    size_t step                 # how many numbers the second is further on; 0 where the axis has one point only

ctypedef struct FieldPlace:
    Spot time
    Spot depth
    Spot x
    Spot y


cdef inline Spot spot_on(const double* points, int count, double value, size_t step) noexcept nogil:
    """Where a value lies on an axis; at the end that is nearer, if it lies outside."""
    cdef Spot spot
    spot.k = 0
    spot.part = 0.0
    spot.step = 0
    if count > 1:
        spot.k = table_interval(points, count, value)
        spot.part = table_part(points, spot.k, value, True)
        spot.step = step
    return spot


cdef inline bint outside_of(const double* points, int count, double value) noexcept nogil:
    """What is no number is not outside: it makes the result none either."""
    return value < points[0] or value > points[count - 1]


cdef inline double field_level(const double* corner, const FieldPlace* place) noexcept nogil:
    """Bilinear on one level at one time; `corner` is the one to the south-west."""
    cdef const double* further = corner + place.x.step
    return table_between(
        table_between(corner[0], corner[1], place.y.part), table_between(further[0], further[1], place.y.part),
        place.x.part,
    )


cdef inline double field_column(const double* corner, const FieldPlace* place) noexcept nogil:
    """At one time."""
    cdef double first = field_level(corner, place)
    if place.depth.step == 0:
        return first
    return table_between(first, field_level(corner + place.depth.step, place), place.depth.part)


cdef inline double field_value(const double* values, const FieldPlace* place) noexcept nogil:
    """Row by row: time, depth, north, east."""
    cdef const double* corner = (
        values + place.time.k * place.time.step + place.depth.k * place.depth.step + place.x.k * place.x.step
        + place.y.k
    )
    cdef double first = field_column(corner, place)
    if place.time.step == 0:
        return first
    return table_between(first, field_column(corner + place.time.step, place), place.time.part)


cdef inline void field_outputs(
    const View* b, double t, const double* depths, int levels, const double** grid, const int* n, int times,
) noexcept nogil:
    """y: velocity; u: eta; grid: x, y, times, north, east, outside, fill, time_outside; n: numbers of x and y."""
    cdef const double* eta = b.u[0]
    cdef size_t level = <size_t>n[0] * n[1]
    cdef FieldPlace place
    b.y[0][2] = 0.0
    if times > 1 and grid[7][0] != 0.0 and outside_of(grid[2], times, t):
        b.fault[0] = FIELD_OTHER_TIME
    if outside_of(grid[0], n[0], eta[0]) or outside_of(grid[1], n[1], eta[1]):
        if grid[5][0] == 0.0:
            b.fault[0] = FIELD_OUTSIDE
        b.y[0][0] = grid[6][0]
        b.y[0][1] = grid[6][1]
        return
    place.time = spot_on(grid[2], times, t, level * levels)
    place.depth = spot_on(depths, levels, eta[2], level)
    place.x = spot_on(grid[0], n[0], eta[0], n[1])
    place.y = spot_on(grid[1], n[1], eta[1], 1)
    b.y[0][0] = field_value(grid[3], &place)
    b.y[0][1] = field_value(grid[4], &place)
