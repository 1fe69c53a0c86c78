"""Kernel of guidance to a target that moves."""

from libc.math cimport atan2, sqrt

from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.view cimport View

cdef extern from *:
    """
    #define KB_AT_TARGET 1e-6       /* a speed this much smaller than that of approach has no course */
    """
    const double KB_AT_TARGET

cdef enum:                      # parameters
    TARGET_LAW = 0              # 0 constant bearing, 1 pure pursuit
    TARGET_OFFSET = 1
    TARGET_SPEED = 2
    TARGET_DISTANCE = 3


cdef inline void target_tracking_outputs(const View* b, double t) noexcept nogil:
    """y: heading, speed, depth, distance. u: eta, target, target velocity."""
    cdef const double* eta = b.u[0]
    cdef const double* offset = b.p[TARGET_OFFSET]
    cdef bint meets = b.p[TARGET_LAW][0] == 0.0
    cdef double north = b.u[1][0] + offset[0] - eta[0]
    cdef double east = b.u[1][1] + offset[1] - eta[1]
    cdef double reach = b.p[TARGET_DISTANCE][0]
    cdef double pull = b.p[TARGET_SPEED][0] / sqrt(north * north + east * east + reach * reach)
    cdef double velocity_north = pull * north
    cdef double velocity_east = pull * east
    cdef double speed
    if meets:
        velocity_north += b.u[2][0]
        velocity_east += b.u[2][1]
    speed = length_of(velocity_north, velocity_east)
    if b.y[0] != NULL:
        if speed > KB_AT_TARGET * b.p[TARGET_SPEED][0]:
            b.y[0][0] = atan2(velocity_east, velocity_north)
        else:
            b.y[0][0] = wrap_angle(eta[5])
    if b.y[1] != NULL:
        b.y[1][0] = speed
    if b.y[2] != NULL:
        b.y[2][0] = b.u[1][2] + offset[2]
    if b.y[3] != NULL:
        b.y[3][0] = length_of(north, east)
