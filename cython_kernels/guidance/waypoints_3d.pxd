"""The waypoint schedule in space: the slope of a leg, the distance from it up and down, and spheres of acceptance.

Source: Fossen and Aguiar (2024), A uniform semiglobal exponential stable adaptive line-of-sight (ALOS) guidance law for
3-D path following, Automatica.
"""

from libc.math cimport sqrt

from cython_kernels.guidance.waypoints cimport (
    Leg,
    LegLine,
    active_leg,
    along_track,
    distance_to_pass,
    distance_to_switch,
)
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.mathematics.limits cimport place_in
from cython_kernels.views.guidance.line_of_sight_3d cimport LineOfSight3DView, line_of_sight_3d_as_line_of_sight_law
from cython_kernels.views.guidance.line_of_sight_law cimport LineOfSightLawView
from cython_kernels.views.guidance.waypoints cimport WAYPOINT_GUIDANCE_SWITCHING_ALONG_TRACK

ctypedef struct Slope:          # derived constants of the leg that ends at a waypoint
    double angle                # up from the horizontal: α_v [rad]
    double cosine
    double sine


cdef inline void slopes_setup(const LineOfSight3DView* b) noexcept nogil:
    """The slope of every leg, after `schedule_setup`."""
    cdef int n = b.n.n
    cdef int i
    cdef double down, level, length
    cdef const double* points = b.p.waypoints
    cdef Slope* slope
    for i in range(n):
        down = points[3 * i + 2] - points[3 * ((i + n - 1) % n) + 2]
        level = (<const LegLine*>b.w.legs + i).length
        length = length_of(level, down)
        slope = <Slope*>b.w.slopes + i
        slope.angle = atan2(-down, level)
        # a loop that is closed has a leg without length, which is never active
        slope.cosine = level / length if length > 0.0 else 1.0
        slope.sine = -down / length if length > 0.0 else 0.0


cdef inline const Slope* active_slope(const LineOfSight3DView* b) noexcept nogil:
    """That of the leg that is being followed."""
    return <const Slope*>b.w.slopes + place_in(b.z.active_waypoint[0] - 1.0, b.n.n)


cdef inline double vertical_track(const Slope* slope, const Leg* leg, const double* eta) noexcept nogil:
    """z_e: distance from the leg at right angles to it in its vertical plane, positive below it [m]."""
    return along_track(leg, eta) * slope.sine + (eta[2] - leg.begin[2]) * slope.cosine


cdef inline double distance_to_pass_3d(const LineOfSight3DView* b, const Leg* leg) noexcept nogil:
    """How far it is along the leg until the vehicle is abeam of the waypoint [m]."""
    cdef const double* eta = b.u.eta
    cdef const Slope* slope
    if leg.finished or leg.length == 0.0:
        return distance_to_pass(leg, eta)
    slope = active_slope(b)
    return (leg.length - along_track(leg, eta)) * slope.cosine - (leg.end[2] - eta[2]) * slope.sine


cdef inline double distance_to_switch_3d(const LineOfSight3DView* b, const Leg* leg) noexcept nogil:
    """How far it is until the leg is done [m]; it is done when this is not positive."""
    cdef LineOfSightLawView law = line_of_sight_3d_as_line_of_sight_law(b)
    cdef const double* eta = b.u.eta
    cdef double north, east, down
    if leg.finished or leg.length == 0.0:
        return distance_to_switch(&law, leg)
    if b.p.switching[0] == WAYPOINT_GUIDANCE_SWITCHING_ALONG_TRACK:
        return distance_to_pass_3d(b, leg) - b.p.acceptance_radius[0]
    north = leg.end[0] - eta[0]
    east = leg.end[1] - eta[1]
    down = leg.end[2] - eta[2]
    return sqrt(north * north + east * east + down * down) - b.p.acceptance_radius[0]


cdef inline bint leg_done_3d(const LineOfSight3DView* b, Leg* leg) noexcept nogil:
    """As `leg_done`, in space."""
    cdef LineOfSightLawView law = line_of_sight_3d_as_line_of_sight_law(b)
    leg[0] = active_leg(&law)
    return not distance_to_switch_3d(b, leg) > 0.0
