"""Kernel of guidance to a station."""

from libc.math cimport fabs

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.views.guidance.station_keeping cimport StationKeepingView


cdef inline double approach_speed(double distance, double speed, double slow_distance) noexcept nogil:
    """U, and less in proportion to the distance where that is less than Δ [m/s]."""
    cdef double part = distance / slow_distance
    return speed * (1.0 if part >= 1.0 else part)


cdef inline double station_distance(const StationKeepingView* b) noexcept nogil:
    """From the vessel to the station, over the water [m]."""
    return length_of(b.p.station[0] - b.u.eta[0], b.p.station[1] - b.u.eta[1])


cdef inline void station_keeping_outputs(const StationKeepingView* b, double t) noexcept nogil:
    """y: heading, speed, depth, distance, holding."""
    cdef const double* eta = b.u.eta
    cdef const double* station = b.p.station
    cdef double distance = station_distance(b)
    cdef bint holding = b.z.holding[0] != 0.0
    if b.y.heading != NULL:
        if holding:
            b.y.heading[0] = b.z.kept_heading[0]
        elif distance == 0.0:
            b.y.heading[0] = wrap_angle(eta[5])
        else:
            b.y.heading[0] = atan2(station[1] - eta[1], station[0] - eta[0])
    if b.y.speed != NULL:
        b.y.speed[0] = 0.0
        if not holding:
            b.y.speed[0] = approach_speed(distance, b.p.approach_speed[0], b.p.slow_distance[0])
    if b.y.depth != NULL:
        b.y.depth[0] = station[2]
    if b.y.distance != NULL:
        b.y.distance[0] = distance
    if b.y.holding != NULL:
        b.y.holding[0] = b.z.holding[0]


cdef inline double station_beyond(const StationKeepingView* b) noexcept nogil:
    """How far the vessel is beyond the circle at which the mode changes [m]; positive where it is to change."""
    cdef double distance = station_distance(b)
    if b.z.holding[0] != 0.0:
        return distance - b.p.outer_radius[0]
    return b.p.radius[0] - distance


cdef inline void station_keeping_update(const StationKeepingView* b, double t) noexcept nogil:
    """Hold from the inner circle on, with the heading there; approach anew from the outer one on."""
    if station_beyond(b) < 0.0:
        return
    if b.z.holding[0] == 0.0:
        b.z.holding[0] = 1.0
        b.z.kept_heading[0] = wrap_angle(b.u.eta[5])
    else:
        b.z.holding[0] = 0.0


cdef inline void station_keeping_crossings(const StationKeepingView* b, double t) noexcept nogil:
    """g: the circle at which the mode changes."""
    cdef double beyond = station_beyond(b)
    b.g.mode_change[0] = side(beyond >= 0.0, fabs(beyond))
