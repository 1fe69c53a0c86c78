"""Kernel of wind loads by physical components, after Fujiwara, Ueno and Ikeda."""

from libc.math cimport fabs

from cython_kernels.environment.wind_by_angle cimport Air, air_past, put_wind_load
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport KB_PI
from cython_kernels.views.environment.fujiwara_wind_load cimport (
    FujiwaraWindLoadView, fujiwara_wind_load_as_wind_load_by_angle,
)
from cython_kernels.views.environment.wind_by_angle cimport WindLoadByAngleView


cdef inline void fujiwara_wind_load_setup(const FujiwaraWindLoadView* b, double t) noexcept nogil:
    """Regressions of the components of flow."""
    cdef double front = b.p.frontal_area[0]
    cdef double lateral = b.p.lateral_area[0]
    cdef double deck = b.p.superstructure_area[0]
    cdef double length = b.p.length[0]
    cdef double breadth = b.p.breadth[0]
    cdef double bridge = b.p.bridge_height[0]
    cdef double slender = breadth / length
    cdef double block = front / (breadth * bridge)
    cdef double side = lateral / (length * bridge)
    cdef double lift = KB_PI * lateral / (length * length)
    b.w.cross[0] = 0.404 + 0.368 * block + 0.902 * bridge / length
    b.w.fore[0] = 0.922 - 0.507 * lateral / (length * breadth) - 1.162 * b.p.centroid_forward[0] / length
    b.w.fore[1] = -0.458 - 3.245 * side + 2.313 * block
    b.w.fore[2] = 0.585 + 0.906 * deck / lateral - 3.239 * slender
    b.w.fore[3] = lift + 0.116 + 3.345 * front / (length * breadth)
    b.w.aft[0] = -0.018 + 5.091 * slender - 10.367 * b.p.centroid_height[0] / length \
        + 3.011 * deck / (length * length) + 0.341 * front / (breadth * breadth)
    b.w.aft[1] = 1.901 - 12.727 * side - 24.407 * front / lateral + 40.310 * slender + 5.481 * block
    b.w.aft[2] = 0.314 + 1.117 * deck / lateral
    b.w.aft[3] = lift + 0.446 + 2.192 * front / (length * length)


cdef inline void fujiwara_wind_load_outputs(const FujiwaraWindLoadView* b, double t) noexcept nogil:
    """Components of flow along and across, and lift."""
    cdef WindLoadByAngleView view = fujiwara_wind_load_as_wind_load_by_angle(b)
    cdef Air air = air_past(&view)
    cdef double speed = air.speed if air.speed > 0.0 else 1.0
    cdef double cosine = air.ahead / speed
    cdef double sine = fabs(air.starboard) / speed
    cdef const double* flow = &b.w.fore[0] if cosine > 0.0 else &b.w.aft[0]
    cdef double q = 0.5 * b.p.density[0] * air.square
    cdef double both = sine * cosine
    cdef double c2 = cosine * cosine
    cdef double x, y, angle
    x = flow[0] * cosine + (flow[1] * (1.0 - 0.5 * c2) * sine + flow[2] * c2) * both
    y = b.w.cross[0] * sine * sine + flow[3] * (1.0 + 0.5 * sine * sine) * cosine * both
    angle = atan2(sine, cosine) - 0.5 * KB_PI
    x *= -q * b.p.frontal_area[0]
    y *= (q if air.starboard < 0.0 else -q) * b.p.lateral_area[0]
    put_wind_load(
        &view, x, y, b.p.centroid_height[0] * y,
        (b.p.yaw_lever[0] * b.p.centroid_forward[0] - 0.149 * angle * b.p.length[0]) * y,
    )
