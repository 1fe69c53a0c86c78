"""Kernel of guidance to a station."""

from libc.math cimport atan2, fabs

from cython_kernels.mathematics.events cimport side
from cython_kernels.mathematics.frames cimport length_of, wrap_angle
from cython_kernels.view cimport View

cdef enum:
    # parameters
    STATION_POSITION = 0
    STATION_RADIUS = 1
    STATION_OUTER_RADIUS = 2
    STATION_SPEED = 3
    STATION_DISTANCE = 4

    # discrete states
    STATION_HOLDING = 0
    STATION_HEADING = 1


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
