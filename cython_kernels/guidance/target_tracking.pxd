"""Kernel of guidance to a target that moves."""

from libc.math cimport sqrt

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.views.guidance.target_tracking cimport TARGET_TRACKING_LAW_CONSTANT_BEARING, TargetTrackingView

cdef extern from *:
    """
    #define KB_AT_TARGET 1e-6       /* a speed this much smaller than that of approach has no course */
    """
    const double KB_AT_TARGET


cdef inline void target_tracking_outputs(const TargetTrackingView* b, double t) noexcept nogil:
    """y: heading, speed, depth, distance."""
    cdef const double* eta = b.u.eta
    cdef const double* offset = b.p.offset
    cdef bint meets = b.p.law[0] == TARGET_TRACKING_LAW_CONSTANT_BEARING
    cdef double north = b.u.target[0] + offset[0] - eta[0]
    cdef double east = b.u.target[1] + offset[1] - eta[1]
    cdef double reach = b.p.approach_distance[0]
    cdef double pull = b.p.approach_speed[0] / sqrt(north * north + east * east + reach * reach)
    cdef double velocity_north = pull * north
    cdef double velocity_east = pull * east
    cdef double speed
    if meets:
        velocity_north += b.u.target_velocity[0]
        velocity_east += b.u.target_velocity[1]
    speed = length_of(velocity_north, velocity_east)
    if b.y.heading != NULL:
        if speed > KB_AT_TARGET * b.p.approach_speed[0]:
            b.y.heading[0] = atan2(velocity_east, velocity_north)
        else:
            b.y.heading[0] = wrap_angle(eta[5])
    if b.y.speed != NULL:
        b.y.speed[0] = speed
    if b.y.depth != NULL:
        b.y.depth[0] = b.u.target[2] + offset[2]
    if b.y.distance != NULL:
        b.y.distance[0] = length_of(north, east)
