"""The waypoint schedule in space: the slope of a leg, the distance from it up and down, and spheres of acceptance.

A law that uses it keeps the slopes behind the derived constants of the schedule. Source: Fossen and Aguiar (2024), A
uniform semiglobal exponential stable adaptive line-of-sight (ALOS) guidance law for 3-D path following, Automatica.
"""

from libc.math cimport atan2, sqrt

from cython_kernels.guidance.waypoints cimport (
    LEG_FIELDS,
    LEG_LENGTH,
    SCHEDULE_RADIUS,
    SCHEDULE_SWITCHING,
    SCHEDULE_WAYPOINT,
    SCHEDULE_WAYPOINTS,
    SWITCHING_ALONG_TRACK,
    Leg,
    active_leg,
    along_track,
    distance_to_pass,
    distance_to_switch,
)
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.view cimport View

cdef enum:
    # derived constants of the slope of a leg, kept at LEG_FIELDS n + SLOPE_FIELDS × the index where it ends
    SLOPE_ANGLE = 0     # up from the horizontal: α_v [rad]
    SLOPE_COSINE = 1
    SLOPE_SINE = 2
    SLOPE_FIELDS = 3


cdef inline void slopes_setup(const View* b) noexcept nogil:
    """The slope of every leg, after `schedule_setup`."""
    cdef int n = b.n[0]
    cdef int i
    cdef double down, level, length
    cdef const double* points = b.p[SCHEDULE_WAYPOINTS]
    cdef double* slope
    for i in range(n):
        down = points[3 * i + 2] - points[3 * ((i + n - 1) % n) + 2]
        level = b.w[LEG_FIELDS * i + LEG_LENGTH]
        length = length_of(level, down)
        slope = b.w + LEG_FIELDS * n + SLOPE_FIELDS * i
        slope[SLOPE_ANGLE] = atan2(-down, level)
        # a loop that is closed has a leg without length, which is never active
        slope[SLOPE_COSINE] = level / length if length > 0.0 else 1.0
        slope[SLOPE_SINE] = -down / length if length > 0.0 else 0.0


cdef inline const double* active_slope(const View* b) noexcept nogil:
    """SLOPE_… of the leg that is being followed."""
    cdef int n = b.n[0]
    return b.w + LEG_FIELDS * n + SLOPE_FIELDS * place_in(b.z[SCHEDULE_WAYPOINT] - 1.0, n)


cdef inline double vertical_track(const double* slope, const Leg* leg, const double* eta) noexcept nogil:
    """z_e: distance from the leg at right angles to it in its vertical plane, positive below it [m]."""
    return along_track(leg, eta) * slope[SLOPE_SINE] + (eta[2] - leg.begin[2]) * slope[SLOPE_COSINE]


cdef inline double distance_to_pass_3d(const View* b, const Leg* leg) noexcept nogil:
    """How far it is along the leg until the vehicle is abeam of the waypoint [m]."""
    cdef const double* eta = b.u[0]
    cdef const double* slope
    if leg.finished or leg.length == 0.0:
        return distance_to_pass(leg, eta)
    slope = active_slope(b)
    return (leg.length - along_track(leg, eta)) * slope[SLOPE_COSINE] - (leg.end[2] - eta[2]) * slope[SLOPE_SINE]


cdef inline double distance_to_switch_3d(const View* b, const Leg* leg) noexcept nogil:
    """How far it is until the leg is done [m]; it is done when this is not positive."""
    cdef const double* eta = b.u[0]
    cdef double north, east, down
    if leg.finished or leg.length == 0.0:
        return distance_to_switch(b, leg)
    if b.p[SCHEDULE_SWITCHING][0] == SWITCHING_ALONG_TRACK:
        return distance_to_pass_3d(b, leg) - b.p[SCHEDULE_RADIUS][0]
    north = leg.end[0] - eta[0]
    east = leg.end[1] - eta[1]
    down = leg.end[2] - eta[2]
    return sqrt(north * north + east * east + down * down) - b.p[SCHEDULE_RADIUS][0]


cdef inline void schedule_crossings_3d(const View* b) noexcept nogil:
    """g: as `schedule_crossings`, in space."""
    cdef Leg leg = active_leg(b)
    b.g[0] = distance_to_switch_3d(b, &leg)
    b.g[1] = distance_to_pass_3d(b, &leg)
