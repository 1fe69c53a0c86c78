"""Kernel of wind loads by the type of the ship, after Blendermann."""

from libc.math cimport fabs

from cython_kernels.environment.wind_by_angle cimport Air, air_past, put_wind_load
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.environment.blendermann_wind_load cimport (
    BLENDERMANN_WIND_LOAD_SHIP_TYPE_GIVEN, BlendermannWindLoadView, blendermann_wind_load_as_wind_load_by_angle,
)
from cython_kernels.views.environment.wind_by_angle cimport WindLoadByAngleView

cdef extern from *:
    """
    static inline double kb_blendermann(int type, int column) {
        static const double table[17][5] = {
            {0.95, 0.55, 0.60, 0.80, 1.2},
            {0.85, 0.65, 0.55, 0.40, 1.7},
            {0.85, 0.55, 0.50, 0.40, 1.4},
            {0.90, 0.55, 0.55, 0.40, 1.4},
            {0.85, 0.60, 0.65, 0.65, 1.1},
            {0.90, 0.60, 0.80, 0.55, 1.7},
            {1.00, 0.85, 0.925, 0.10, 1.7},
            {0.90, 0.45, 0.50, 0.80, 1.1},
            {0.95, 0.70, 0.70, 0.40, 1.1},
            {0.70, 0.60, 0.65, 0.50, 1.1},
            {0.90, 0.55, 0.80, 0.55, 1.2},
            {0.90, 0.40, 0.40, 0.80, 1.2},
            {0.85, 0.55, 0.65, 0.60, 1.4},
            {0.90, 0.55, 0.60, 0.60, 1.1},
            {0.70, 0.90, 0.55, 0.40, 3.1},
            {0.70, 0.75, 0.55, 0.40, 2.2},
            {0.85, 0.55, 0.55, 0.65, 1.1}};
        return table[type][column];
    }
    """
    double of_type "kb_blendermann"(int type, int column) noexcept nogil


cdef inline void blendermann_wind_load_setup(const BlendermannWindLoadView* b, double t) noexcept nogil:
    """The five numbers of the ship: C_t, C_l from ahead and astern, delta, kappa."""
    cdef int i
    if b.p.ship_type[0] == BLENDERMANN_WIND_LOAD_SHIP_TYPE_GIVEN:
        b.w.ship[0] = b.p.drag_across[0]
        b.w.ship[1] = b.p.drag_ahead[0]
        b.w.ship[2] = b.p.drag_astern[0]
        b.w.ship[3] = b.p.cross_force[0]
        b.w.ship[4] = b.p.rolling[0]
        return
    for i in range(5):
        b.w.ship[i] = of_type(<int>b.p.ship_type[0], i)


cdef inline void blendermann_wind_load_outputs(const BlendermannWindLoadView* b, double t) noexcept nogil:
    """sin^2 2 gamma = 4 cos^2 gamma sin^2 gamma, so only the yaw moment asks for the angle."""
    cdef WindLoadByAngleView view = blendermann_wind_load_as_wind_load_by_angle(b)
    cdef Air air = air_past(&view)
    cdef double front = b.p.frontal_area[0]
    cdef double lateral = b.p.lateral_area[0]
    cdef const double* ship = b.w.ship
    cdef double along = ship[1] if air.ahead >= 0.0 else ship[2]
    cdef double sine = 0.0, part, speed_squared = air.square
    cdef double x, y, angle
    if speed_squared > 0.0:
        sine = 4.0 * (air.ahead * air.ahead / speed_squared) * (air.starboard * air.starboard / speed_squared)
    part = 0.5 * b.p.density[0] / (1.0 - 0.5 * ship[3] * (1.0 - along * front / (ship[0] * lateral)) * sine)
    part *= air.speed
    x = -part * along * air.ahead * front
    y = -part * ship[0] * air.starboard * lateral
    angle = atan2(fabs(air.starboard), air.ahead) - 0.5 * KB_PI
    put_wind_load(
        &view, x, y, ship[4] * b.p.centroid_height[0] * y,
        (b.p.centroid_forward[0] - 0.18 * angle * b.p.length[0]) * y,
    )
