"""Kernel of the satellite receiver: where its antenna is and how it moves, when it sees the sky."""

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport body_to_ned, length_of, rotation_from_euler
from cython_kernels.mathematics.geodesy cimport TangentPlane, geodetic_from_local
from cython_kernels.navigation.tangent_plane cimport plane_at_origin
from cython_kernels.sensors.instrument cimport (
    drift_setup, drift_start, drift_step, instrument_noise, instrument_start, ring_row, velocity_at,
)
from cython_kernels.views.navigation.tangent_plane cimport TangentPlaneView
from cython_kernels.views.sensors.gnss cimport GnssView, gnss_as_instrument, gnss_as_tangent_plane
from cython_kernels.views.sensors.instrument cimport InstrumentView

cdef enum:                          # a row of the ring
    GNSS_COURSE = 3                 # after the position
    GNSS_SPEED = 4
    GNSS_FRESH = 5
    GNSS_ROW = 6


cdef inline void gnss_measure(const GnssView* b, double* row) noexcept nogil:
    """Position, course and speed of the antenna, and whether there is a fix."""
    cdef InstrumentView instrument = gnss_as_instrument(b)
    cdef const double* eta = b.u.eta
    cdef const double* arm = b.p.lever_arm
    cdef double r[9]
    cdef double velocity[3]
    cdef double over_ground[3]
    cdef double place[3]
    cdef int i
    rotation_from_euler(eta + 3, r)
    body_to_ned(r, arm, place)
    velocity_at(b.u.nu, arm, velocity)
    body_to_ned(r, velocity, over_ground)
    for i in range(3):
        row[i] = (
            eta[i] + place[i] + b.p.bias[i] + b.z.drift[i]
            + instrument_noise(&instrument, b.p.vertical_noise[0] if i == 2 else b.p.horizontal_noise[0], i)
        )
    for i in range(2):
        over_ground[i] += instrument_noise(&instrument, b.p.velocity_noise[0], 3 + i)
    row[GNSS_COURSE] = atan2(over_ground[1], over_ground[0])
    row[GNSS_SPEED] = length_of(over_ground[0], over_ground[1])
    row[GNSS_FRESH] = b.u.available[0] >= 0.5


cdef inline void gnss_setup(const GnssView* b, double t) noexcept nogil:
    """w: the tangent plane at the origin, and drift from one sample to the next."""
    cdef TangentPlaneView origin = gnss_as_tangent_plane(b)
    cdef double interval = b.p.period[0] / b.p.drift_time[0]
    plane_at_origin(&origin)
    drift_setup(b.w.horizontal_step, b.p.horizontal_drift[0], interval)
    drift_setup(b.w.vertical_step, b.p.vertical_drift[0], interval)


cdef inline void gnss_start(const GnssView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = gnss_as_instrument(b)
    cdef double nothing[GNSS_ROW]
    cdef int i
    b.z.fixes[0] = 0.0
    for i in range(GNSS_ROW):
        nothing[i] = 0.0
    for i in range(GNSS_FRESH):
        b.z.held[i] = 0.0
    instrument_start(&instrument, t, b.p.period[0], b.z.ring, nothing, GNSS_ROW)
    drift_start(b.key, b.z.sample[0], b.z.drift, 2, b.p.horizontal_drift[0], b.p.seed[0], 0)
    drift_start(b.key, b.z.sample[0], b.z.drift + 2, 1, b.p.vertical_drift[0], b.p.seed[0], 2)


cdef inline void gnss_outputs(const GnssView* b, double t) noexcept nogil:
    cdef InstrumentView instrument = gnss_as_instrument(b)
    cdef double now[GNSS_ROW]
    cdef double geodetic[3]
    cdef const double* row = now
    cdef bint fresh
    cdef int i
    if b.n.delay:
        row = ring_row(&instrument, b.z.ring, GNSS_ROW)
    else:
        gnss_measure(b, now)
    fresh = row[GNSS_FRESH] >= 0.5
    if not fresh:
        row = b.z.held
    if b.y.latitude != NULL or b.y.longitude != NULL or b.y.height != NULL:
        geodetic_from_local(<const TangentPlane*>b.w.plane, row, geodetic)
        if b.y.latitude != NULL:
            b.y.latitude[0] = geodetic[0]
        if b.y.longitude != NULL:
            b.y.longitude[0] = geodetic[1]
        if b.y.height != NULL:
            b.y.height[0] = geodetic[2]
    if b.y.position != NULL:
        for i in range(3):
            b.y.position[i] = row[i]
    if b.y.course != NULL:
        b.y.course[0] = row[GNSS_COURSE]
    if b.y.speed != NULL:
        b.y.speed[0] = row[GNSS_SPEED]
    if b.y.valid != NULL:
        b.y.valid[0] = fresh
    if b.y.fix != NULL:
        b.y.fix[0] = b.z.fixes[0] + fresh


cdef inline void gnss_update(const GnssView* b, double t) noexcept nogil:
    """Keep what is shown; it reads position, course, speed and fix from y."""
    cdef InstrumentView instrument = gnss_as_instrument(b)
    cdef int i
    for i in range(3):
        b.z.held[i] = b.y.position[i]
    b.z.held[GNSS_COURSE] = b.y.course[0]
    b.z.held[GNSS_SPEED] = b.y.speed[0]
    b.z.fixes[0] = b.y.fix[0]
    if b.n.delay:
        gnss_measure(b, ring_row(&instrument, b.z.ring, GNSS_ROW))
    drift_step(b.key, b.z.sample[0], b.z.drift, 2, b.w.horizontal_step, b.p.seed[0], 0)
    drift_step(b.key, b.z.sample[0], b.z.drift + 2, 1, b.w.vertical_step, b.p.seed[0], 2)
    b.z.sample[0] += 1.0
