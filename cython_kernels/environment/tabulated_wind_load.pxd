"""Kernel of wind loads from tables of coefficients over the angle of attack."""

from cython_kernels.environment.headings cimport half_turn, whole_turn
from cython_kernels.environment.wind_by_angle cimport (
    WIND_NODE, Air, air_past, mirrored_slopes, put_coefficients, turned_slopes, wind_coefficients,
)
from cython_kernels.views.environment.tabulated_wind_load cimport (
    TabulatedWindLoadView, tabulated_wind_load_as_wind_load_by_angle,
)
from cython_kernels.views.environment.wind_by_angle cimport WindLoadByAngleView


cdef inline void tabulated_wind_load_setup(const TabulatedWindLoadView* b, double t) noexcept nogil:
    """The table as cubics, closed by its mirror image or by its first angle a turn later."""
    cdef const double* angles = b.p.angles
    cdef double* turns = b.w.turns
    cdef double* node = b.w.nodes
    cdef int c, j
    cdef int count = b.n.k
    cdef int last = whole_turn(angles, count, turns)
    b.w.intervals[0] = last
    for j in range(count):
        node[0] = b.p.surge[j]
        node[1] = b.p.sway[j]
        node[2] = b.p.roll[j]
        node[3] = b.p.yaw[j]
        node += WIND_NODE
    for c in range(WIND_NODE):
        node[c] = b.w.nodes[c] if c < 4 else 0.0
    if half_turn(angles, count):
        mirrored_slopes(turns, count, b.w.nodes)
        return
    for c in range(4):
        b.w.nodes[WIND_NODE * last + c] = b.w.nodes[c]
    turned_slopes(turns, last, b.w.nodes)


cdef inline void tabulated_wind_load_outputs(const TabulatedWindLoadView* b, double t) noexcept nogil:
    """Coefficients of this angle, times the pressure of this wind."""
    cdef WindLoadByAngleView ship = tabulated_wind_load_as_wind_load_by_angle(b)
    cdef Air air = air_past(&ship)
    cdef double found[4]
    wind_coefficients(
        b.w.turns, <int>b.w.intervals[0], b.w.nodes, b.p.angles[0], half_turn(b.p.angles, b.n.k), &air, found
    )
    put_coefficients(&ship, &air, found)
