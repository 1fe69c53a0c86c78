"""Line of sight along legs: lookahead-based, enclosure-based, and as a PI controller of the cross-track error.

Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.3.2.
"""

from libc.math cimport asin, atan, atan2

from cython_kernels.guidance.steering cimport (
    STEERING_LOOKAHEAD,
    STEERING_PARAMETERS,
    follow_legs,
    heading_for,
    integral_limit,
    projected,
    steering_outputs,
    wants_heading,
)
from cython_kernels.guidance.waypoints cimport Leg, active_leg, cross_track, heading_kept, keeps_heading
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.view cimport View

cdef enum:
    # parameters of line_of_sight
    LOS_STEERING = STEERING_PARAMETERS
    LOS_ENCLOSURE = STEERING_PARAMETERS + 1
    LOS_KP = STEERING_PARAMETERS + 2
    LOS_KI = STEERING_PARAMETERS + 3

    LOS_BY_LOOKAHEAD = 0
    LOS_BY_ENCLOSURE = 1
    LOS_BY_PI = 2


cdef inline double line_of_sight_heading(const View* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    cdef double error, off
    if keeps_heading(leg):
        return heading_kept(b, leg)
    error = cross_track(leg, b.u[0])
    if b.p[LOS_STEERING][0] == LOS_BY_LOOKAHEAD:
        off = atan2(error, b.p[STEERING_LOOKAHEAD][0])
    elif b.p[LOS_STEERING][0] == LOS_BY_ENCLOSURE:
        off = asin(clamp(error / b.p[LOS_ENCLOSURE][0], -1.0, 1.0))     # out of reach: to the nearest point
    else:
        off = atan(b.p[LOS_KP][0] * error + b.p[LOS_KI][0] * b.x[0])
    return heading_for(b, leg.course - off)


cdef inline void line_of_sight_outputs(const View* b, double t) noexcept nogil:
    """y: those of every law."""
    cdef Leg leg = active_leg(b)
    steering_outputs(b, &leg, line_of_sight_heading(b, &leg) if wants_heading(b) else 0.0)


cdef inline void line_of_sight_update(const View* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    follow_legs(b, t, line_of_sight_heading, False)


cdef inline void line_of_sight_pi_derivatives(const View* b, double t) noexcept nogil:
    """d(∫e)/dt = e within the limit; at rest where there is no leg to follow."""
    cdef double ki = b.p[LOS_KI][0]
    cdef Leg leg = active_leg(b)
    b.dx[0] = 0.0
    if not keeps_heading(&leg):
        b.dx[0] = projected(cross_track(&leg, b.u[0]), ki * b.x[0], integral_limit(b))
