"""Kernel of the current that is given on a grid."""

from cython_kernels.environment.velocity_field cimport VelocityGrid, field_velocity
from cython_kernels.views.environment.current_field cimport (
    CURRENT_FIELD_OUTSIDE_FILL, CURRENT_FIELD_TIME_OUTSIDE_HOLD, CurrentFieldView,
)


cdef inline void current_field_outputs(const CurrentFieldView* b, double t) noexcept nogil:
    """The velocity where the vehicle is."""
    cdef VelocityGrid grid
    cdef int fault
    grid.times = b.p.times
    grid.depths = b.p.depths
    grid.x = b.p.x
    grid.y = b.p.y
    grid.nt = b.n.nt
    grid.nz = b.n.nz
    grid.nx = b.n.nx
    grid.ny = b.n.ny
    grid.north = b.p.north
    grid.east = b.p.east
    grid.is_filled = b.p.outside[0] == CURRENT_FIELD_OUTSIDE_FILL
    grid.fill = b.p.fill
    grid.is_held = b.p.time_outside[0] == CURRENT_FIELD_TIME_OUTSIDE_HOLD
    fault = field_velocity(&grid, b.u.eta, t, b.y.current)
    if fault != 0:
        b.fault[0] = fault
