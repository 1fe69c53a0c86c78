"""Kernel of the satellite receiver: where its antenna is and how it moves, when it sees the sky."""

from libc.math cimport atan2

from cython_kernels.mathematics.frames cimport body_to_ned, length_of, rotation_from_euler
from cython_kernels.mathematics.geodesy cimport TangentPlane, geodetic_from_local
from cython_kernels.navigation.tangent_plane cimport geodetic_setup
from cython_kernels.sensors.instrument cimport (
    drift_setup, drift_start, drift_step, instrument_noise, instrument_start, ring_row, velocity_at,
)
from cython_kernels.view cimport View

cdef enum:
    # parameters, after those of the tangent plane
    GNSS_SEED = 5                   # then the delay, n[0]
    GNSS_ARM = 7
    GNSS_HORIZONTAL_NOISE = 8
    GNSS_VERTICAL_NOISE = 9
    GNSS_VELOCITY_NOISE = 10
    GNSS_BIAS = 11
    GNSS_HORIZONTAL_DRIFT = 12
    GNSS_VERTICAL_DRIFT = 13
    GNSS_DRIFT_TIME = 14
    GNSS_PERIOD = 15

    # discrete states, after the number of the sample
    GNSS_FIXES = 1                  # number of the last fix
    GNSS_HELD = 2                   # its position, course and speed
    GNSS_DRIFTING = 7               # north, east, down
    GNSS_RING = 10

    # derived constants, after the tangent plane
    GNSS_W_DRIFT = 10               # two numbers each, horizontal and vertical

    # a row of the ring
    GNSS_COURSE = 3                 # after the position
    GNSS_SPEED = 4
    GNSS_FRESH = 5
    GNSS_ROW = 6


cdef inline void gnss_measure(const View* b, double* row) noexcept nogil:
    """Position, course and speed of the antenna, and whether there is a fix."""
    cdef const double* eta = b.u[0]
    cdef const double* nu = b.u[1]
    cdef const double* arm = b.p[GNSS_ARM]
    cdef double seed = b.p[GNSS_SEED][0]
    cdef double r[9]
    cdef double velocity[3]
    cdef double over_ground[3]
    cdef double place[3]
    cdef int i
    rotation_from_euler(eta + 3, r)
    body_to_ned(r, arm, place)
    velocity_at(nu, arm, velocity)
    body_to_ned(r, velocity, over_ground)
    for i in range(3):
        row[i] = (
            eta[i] + place[i] + b.p[GNSS_BIAS][i] + b.z[GNSS_DRIFTING + i]
            + instrument_noise(b, b.p[GNSS_VERTICAL_NOISE if i == 2 else GNSS_HORIZONTAL_NOISE][0], seed, i)
        )
    for i in range(2):
        over_ground[i] += instrument_noise(b, b.p[GNSS_VELOCITY_NOISE][0], seed, 3 + i)
    row[GNSS_COURSE] = atan2(over_ground[1], over_ground[0])
    row[GNSS_SPEED] = length_of(over_ground[0], over_ground[1])
    row[GNSS_FRESH] = b.u[2][0] >= 0.5


cdef inline void gnss_setup(const View* b, double t) noexcept nogil:
    """w: the tangent plane at the origin, and drift from one sample to the next."""
    cdef double interval = b.p[GNSS_PERIOD][0] / b.p[GNSS_DRIFT_TIME][0]
    geodetic_setup(b, t)
    drift_setup(b.w + GNSS_W_DRIFT, b.p[GNSS_HORIZONTAL_DRIFT][0], interval)
    drift_setup(b.w + GNSS_W_DRIFT + 2, b.p[GNSS_VERTICAL_DRIFT][0], interval)


cdef inline void gnss_start(const View* b, double t) noexcept nogil:
    cdef double nothing[GNSS_ROW]
    cdef double seed = b.p[GNSS_SEED][0]
    cdef int i
    for i in range(GNSS_ROW):
        nothing[i] = 0.0
        b.z[GNSS_FIXES + i] = 0.0
    instrument_start(b, t, b.p[GNSS_PERIOD][0], b.z + GNSS_RING, nothing, GNSS_ROW)
    drift_start(b.key, b.z[0], b.z + GNSS_DRIFTING, 2, b.p[GNSS_HORIZONTAL_DRIFT][0], seed, 0)
    drift_start(b.key, b.z[0], b.z + GNSS_DRIFTING + 2, 1, b.p[GNSS_VERTICAL_DRIFT][0], seed, 2)


cdef inline void gnss_outputs(const View* b, double t) noexcept nogil:
    """y = latitude, longitude, height, position, course, speed, valid, fix; u = eta, nu, available."""
    cdef double now[GNSS_ROW]
    cdef double geodetic[3]
    cdef const double* row = now
    cdef bint fresh
    cdef int i
    if b.n[0]:
        row = ring_row(b, b.z + GNSS_RING, GNSS_ROW)
    else:
        gnss_measure(b, now)
    fresh = row[GNSS_FRESH] >= 0.5
    if not fresh:
        row = b.z + GNSS_HELD
    if b.y[0] != NULL or b.y[1] != NULL or b.y[2] != NULL:
        geodetic_from_local(<const TangentPlane*>b.w, row, geodetic)
        for i in range(3):
            if b.y[i] != NULL:
                b.y[i][0] = geodetic[i]
    if b.y[3] != NULL:
        for i in range(3):
            b.y[3][i] = row[i]
    if b.y[4] != NULL:
        b.y[4][0] = row[GNSS_COURSE]
    if b.y[5] != NULL:
        b.y[5][0] = row[GNSS_SPEED]
    if b.y[6] != NULL:
        b.y[6][0] = fresh
    if b.y[7] != NULL:
        b.y[7][0] = b.z[GNSS_FIXES] + fresh


cdef inline void gnss_update(const View* b, double t) noexcept nogil:
    """Keep what is shown; it reads position, course, speed and fix from y."""
    cdef double seed = b.p[GNSS_SEED][0]
    cdef int i
    for i in range(3):
        b.z[GNSS_HELD + i] = b.y[3][i]
    b.z[GNSS_HELD + GNSS_COURSE] = b.y[4][0]
    b.z[GNSS_HELD + GNSS_SPEED] = b.y[5][0]
    b.z[GNSS_FIXES] = b.y[7][0]
    if b.n[0]:
        gnss_measure(b, ring_row(b, b.z + GNSS_RING, GNSS_ROW))
    drift_step(b.key, b.z[0], b.z + GNSS_DRIFTING, 2, b.w + GNSS_W_DRIFT, seed, 0)
    drift_step(b.key, b.z[0], b.z + GNSS_DRIFTING + 2, 1, b.w + GNSS_W_DRIFT + 2, seed, 2)
    b.z[0] += 1.0
