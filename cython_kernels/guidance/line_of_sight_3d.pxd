"""Line of sight in space, by heading and pitch, plain or adaptive.

Source: Fossen and Aguiar (2024), A uniform semiglobal exponential stable adaptive line-of-sight (ALOS) guidance law for
3-D path following.
"""

from libc.math cimport atan2

from cython_kernels.guidance.adaptive_line_of_sight cimport adaptation
from cython_kernels.guidance.steering cimport (
    STEERING_LOOKAHEAD,
    STEERING_OUTPUTS,
    STEERING_PARAMETERS,
    STEERING_SIDESLIP,
    STEERING_SIDESLIP_LIMIT,
    STEERING_SIDESLIP_SPEED,
    follow_legs,
    sideslip,
    steering_outputs,
    wants_heading,
)
from cython_kernels.guidance.waypoints cimport Leg, active_leg, cross_track, heading_kept, keeps_heading, schedule_setup
from cython_kernels.guidance.waypoints_3d cimport (
    SLOPE_ANGLE,
    active_slope,
    schedule_crossings_3d,
    slopes_setup,
    vertical_track,
)
from cython_kernels.mathematics.frames cimport wrap_angle
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.view cimport View

cdef enum:
    # parameters of line_of_sight_3d
    LOS3_VERTICAL_LOOKAHEAD = STEERING_PARAMETERS
    LOS3_PITCH_LIMIT = STEERING_PARAMETERS + 1
    LOS3_ADAPTIVE = STEERING_PARAMETERS + 2
    LOS3_GAIN = STEERING_PARAMETERS + 3
    LOS3_VERTICAL_GAIN = STEERING_PARAMETERS + 4


cdef inline double crab_angle(const View* b, bint vertical) noexcept nogil:
    """Between where the vehicle heads and where it moves over ground, to starboard; or vertically, down [rad]."""
    cdef const double* eta = b.u[0]
    cdef const double* nu = b.u[1]
    cdef double sphi, cphi, stheta, ctheta, below
    cdef double full_speed = b.p[STEERING_SIDESLIP_SPEED][0]
    sine_cosine(eta[3], &sphi, &cphi)
    below = nu[1] * sphi + nu[2] * cphi
    if vertical:
        return sideslip(nu[0], below, full_speed)
    sine_cosine(eta[4], &stheta, &ctheta)
    return sideslip(nu[0] * ctheta + below * stheta, nu[1] * cphi - nu[2] * sphi, full_speed)


cdef inline double line_of_sight_3d_heading(const View* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    cdef double heading
    if keeps_heading(leg):
        return heading_kept(b, leg)
    heading = leg.course - atan2(cross_track(leg, b.u[0]), b.p[STEERING_LOOKAHEAD][0])
    if b.p[LOS3_ADAPTIVE][0] != 0.0:
        heading -= b.x[0]
    if b.p[STEERING_SIDESLIP][0] != 0.0:
        heading -= crab_angle(b, False)
    return wrap_angle(heading)


cdef inline double line_of_sight_3d_pitch(const View* b, const Leg* leg) noexcept nogil:
    """θ_d."""
    cdef const double* slope = active_slope(b)
    cdef double pitch
    if keeps_heading(leg):
        return 0.0
    pitch = slope[SLOPE_ANGLE] + atan2(vertical_track(slope, leg, b.u[0]), b.p[LOS3_VERTICAL_LOOKAHEAD][0])
    if b.p[LOS3_ADAPTIVE][0] != 0.0:
        pitch += b.x[1]
    if b.p[STEERING_SIDESLIP][0] != 0.0:
        pitch += crab_angle(b, True)
    return clamp(pitch, -b.p[LOS3_PITCH_LIMIT][0], b.p[LOS3_PITCH_LIMIT][0])


cdef inline void line_of_sight_3d_setup(const View* b, double t) noexcept nogil:
    """w: four constants per leg, and then three of each slope."""
    schedule_setup(b)
    slopes_setup(b)


cdef inline void line_of_sight_3d_outputs(const View* b, double t) noexcept nogil:
    """y: those of every law, pitch, vertical-track error."""
    cdef double** y = b.y + STEERING_OUTPUTS
    cdef Leg leg = active_leg(b)
    steering_outputs(b, &leg, line_of_sight_3d_heading(b, &leg) if wants_heading(b) else 0.0)
    if y[0] != NULL:
        y[0][0] = line_of_sight_3d_pitch(b, &leg)
    if y[1] != NULL:
        y[1][0] = vertical_track(active_slope(b), &leg, b.u[0])


cdef inline void line_of_sight_3d_update(const View* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    follow_legs(b, t, line_of_sight_3d_heading, True)


cdef inline void line_of_sight_3d_derivatives(const View* b, double t) noexcept nogil:
    """dβ̂/dt and dα̂/dt; at rest where there is no leg to follow."""
    cdef double limit = b.p[STEERING_SIDESLIP_LIMIT][0]
    cdef Leg leg = active_leg(b)
    b.dx[0] = 0.0
    b.dx[1] = 0.0
    if not keeps_heading(&leg):
        b.dx[0] = adaptation(
            b.p[LOS3_GAIN][0], b.p[STEERING_LOOKAHEAD][0], cross_track(&leg, b.u[0]), b.x[0], limit
        )
        b.dx[1] = adaptation(
            b.p[LOS3_VERTICAL_GAIN][0], b.p[LOS3_VERTICAL_LOOKAHEAD][0],
            vertical_track(active_slope(b), &leg, b.u[0]), b.x[1], limit,
        )


cdef inline void line_of_sight_3d_crossings(const View* b, double t) noexcept nogil:
    """g: those of the schedule, in space."""
    schedule_crossings_3d(b)
