"""Currents and winds that are given on a grid, over north and east, depth and time: straight in each."""

from cython_kernels.mathematics.tables cimport table_between, table_interval, table_part

cdef enum:                      # faults
    FIELD_OUTSIDE = 1
    FIELD_OTHER_TIME = 2

ctypedef struct VelocityGrid:
    const double* times
    const double* depths
    const double* x
    const double* y
    int nt
    int nz
    int nx
    int ny
    const double* north         # velocities at each node: time, depth, x, y
    const double* east
    bint is_filled              # outside; otherwise that is a fault
    const double* fill
    bint is_held                # before the first and after the last time; otherwise that is a fault

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


cdef inline int field_velocity(const VelocityGrid* grid, const double* eta, double t, double* velocity) noexcept nogil:
    """Velocity at a pose and a time. Returns a fault, 0: none."""
    cdef size_t level = <size_t>grid.nx * grid.ny
    cdef FieldPlace place
    cdef int fault = 0
    velocity[2] = 0.0
    if grid.nt > 1 and not grid.is_held and outside_of(grid.times, grid.nt, t):
        fault = FIELD_OTHER_TIME
    if outside_of(grid.x, grid.nx, eta[0]) or outside_of(grid.y, grid.ny, eta[1]):
        velocity[0] = grid.fill[0]
        velocity[1] = grid.fill[1]
        return fault if grid.is_filled else FIELD_OUTSIDE
    place.time = spot_on(grid.times, grid.nt, t, level * grid.nz)
    place.depth = spot_on(grid.depths, grid.nz, eta[2], level)
    place.x = spot_on(grid.x, grid.nx, eta[0], grid.ny)
    place.y = spot_on(grid.y, grid.ny, eta[1], 1)
    velocity[0] = field_value(grid.north, &place)
    velocity[1] = field_value(grid.east, &place)
    return fault
