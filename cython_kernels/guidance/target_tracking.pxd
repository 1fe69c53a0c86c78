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


cdef inline double pursuit(
    double north, double east, const double* velocity, double speed, double reach, double* course,
) noexcept nogil:
    """How fast to go over ground to a place that moves, and the course if there is one: constant bearing [m/s].

    north, east: to the place [m]; velocity: of it, NULL for pure pursuit; speed, reach: U and Δ.
    """
    cdef double pull = speed / sqrt(north * north + east * east + reach * reach)
    cdef double velocity_north = pull * north
    cdef double velocity_east = pull * east
    cdef double wanted
    if velocity != NULL:
        velocity_north += velocity[0]
        velocity_east += velocity[1]
    wanted = length_of(velocity_north, velocity_east)
    if wanted > KB_AT_TARGET * speed:
        course[0] = atan2(velocity_east, velocity_north)
    return wanted


cdef inline void target_tracking_outputs(const TargetTrackingView* b, double t) noexcept nogil:
    """y: heading, speed, depth, distance."""
    cdef const double* eta = b.u.eta
    cdef const double* offset = b.p.offset
    cdef bint meets = b.p.law[0] == TARGET_TRACKING_LAW_CONSTANT_BEARING
    cdef double north = b.u.target[0] + offset[0] - eta[0]
    cdef double east = b.u.target[1] + offset[1] - eta[1]
    cdef double course = wrap_angle(eta[5])
    cdef double speed = pursuit(
        north, east, b.u.target_velocity if meets else NULL, b.p.approach_speed[0], b.p.approach_distance[0], &course
    )
    if b.y.heading != NULL:
        b.y.heading[0] = course
    if b.y.speed != NULL:
        b.y.speed[0] = speed
    if b.y.depth != NULL:
        b.y.depth[0] = b.u.target[2] + offset[2]
    if b.y.distance != NULL:
        b.y.distance[0] = length_of(north, east)
