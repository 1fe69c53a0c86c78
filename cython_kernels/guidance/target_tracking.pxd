"""Kernels of guidance to a point: a target that moves, and a station."""

from libc.math cimport atan2, fabs, sqrt

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.view cimport View

cdef extern from *:
    """
    #define KB_AT_TARGET 1e-6       /* a speed this much smaller than that of approach has no course */
    """
    const double KB_AT_TARGET

cdef enum:
    # parameters of target_tracking
    TARGET_LAW = 0              # 0 constant bearing, 1 pure pursuit
    TARGET_OFFSET = 1
    TARGET_SPEED = 2
    TARGET_DISTANCE = 3

    # parameters of station_keeping
    STATION_POSITION = 0
    STATION_RADIUS = 1
    STATION_OUTER_RADIUS = 2
    STATION_SPEED = 3
    STATION_DISTANCE = 4

    # discrete states of station_keeping
    STATION_HOLDING = 0
    STATION_HEADING = 1


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


cdef inline double station_distance(const View* b) noexcept nogil:
    """From the vessel to the station, over the water [m]."""
    return length_of(b.p[STATION_POSITION][0] - b.u[0][0], b.p[STATION_POSITION][1] - b.u[0][1])


cdef inline void station_keeping_outputs(const View* b, double t) noexcept nogil:
    """y: heading, speed, depth, distance, holding."""
    cdef const double* eta = b.u[0]
    cdef const double* station = b.p[STATION_POSITION]
    cdef double distance = station_distance(b)
    cdef double part = distance / b.p[STATION_DISTANCE][0]
    cdef bint holding = b.z[STATION_HOLDING] != 0.0
    if b.y[0] != NULL:
        if holding:
            b.y[0][0] = b.z[STATION_HEADING]
        elif distance == 0.0:
            b.y[0][0] = wrap_angle(eta[5])
        else:
            b.y[0][0] = atan2(station[1] - eta[1], station[0] - eta[0])
    if b.y[1] != NULL:
        b.y[1][0] = 0.0 if holding else b.p[STATION_SPEED][0] * (part if part < 1.0 else 1.0)
    if b.y[2] != NULL:
        b.y[2][0] = station[2]
    if b.y[3] != NULL:
        b.y[3][0] = distance
    if b.y[4] != NULL:
        b.y[4][0] = b.z[STATION_HOLDING]


cdef inline double station_beyond(const View* b) noexcept nogil:
    """How far the vessel is beyond the circle at which the mode changes [m]; positive where it is to change."""
    cdef double distance = station_distance(b)
    if b.z[STATION_HOLDING] != 0.0:
        return distance - b.p[STATION_OUTER_RADIUS][0]
    return b.p[STATION_RADIUS][0] - distance


cdef inline void station_keeping_update(const View* b, double t) noexcept nogil:
    """Hold from the inner circle on, with the heading there; approach anew from the outer one on."""
    if station_beyond(b) < 0.0:
        return
    if b.z[STATION_HOLDING] == 0.0:
        b.z[STATION_HOLDING] = 1.0
        b.z[STATION_HEADING] = wrap_angle(b.u[0][5])
    else:
        b.z[STATION_HOLDING] = 0.0


cdef inline void station_keeping_crossings(const View* b, double t) noexcept nogil:
    """g: the circle at which the mode changes."""
    cdef double beyond = station_beyond(b)
    b.g[0] = side(beyond >= 0.0, fabs(beyond))
