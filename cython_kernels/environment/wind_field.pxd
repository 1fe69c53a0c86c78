"""Kernel of the wind that is given on a grid."""

from cython_kernels.environment.velocity_field cimport VelocityGrid, field_velocity
from cython_kernels.views.environment.wind_field cimport (
    WIND_FIELD_OUTSIDE_FILL, WIND_FIELD_TIME_OUTSIDE_HOLD, WindFieldView,
)


cdef inline void wind_field_outputs(const WindFieldView* b, double t) noexcept nogil:
    """The velocity where the vehicle is."""
    cdef VelocityGrid grid
    cdef int fault
    grid.times = b.p.times
    grid.depths = NULL
    grid.x = b.p.x
    grid.y = b.p.y
    grid.nt = b.n.nt
    grid.nz = 1
    grid.nx = b.n.nx
    grid.ny = b.n.ny
    grid.north = b.p.north
    grid.east = b.p.east
    grid.is_filled = b.p.outside[0] == WIND_FIELD_OUTSIDE_FILL
    grid.fill = b.p.fill
    grid.is_held = b.p.time_outside[0] == WIND_FIELD_TIME_OUTSIDE_HOLD
    fault = field_velocity(&grid, b.u.eta, t, b.y.wind)
    if fault != 0:
        b.fault[0] = fault
