"""Line of sight that learns the sideslip.

Sources: Fossen (2023), An adaptive line-of-sight (ALOS) guidance law for path following of aircraft and marine craft;
Fossen and Aguiar (2024), A uniform semiglobal exponential stable adaptive line-of-sight (ALOS) guidance law for 3-D
path following.
"""

from libc.math cimport atan2

from cython_kernels.guidance.steering cimport (
    STEERING_LOOKAHEAD,
    STEERING_PARAMETERS,
    STEERING_SIDESLIP_LIMIT,
    follow_legs,
    heading_for,
    projected,
    steering_outputs,
    wants_heading,
)
from cython_kernels.guidance.waypoints cimport Leg, active_leg, cross_track, heading_kept, keeps_heading
from cython_kernels.mathematics.frames cimport length_of
from cython_kernels.view cimport View

cdef enum:
    # parameters of adaptive_line_of_sight
    ALOS_GAIN = STEERING_PARAMETERS


cdef inline double adaptation(
    double gain, double lookahead, double error, double estimate, double limit
) noexcept nogil:
    """γ Δ e/√(Δ² + e²), within the limit of the estimate [rad/s]."""
    return projected(gain * lookahead * error / length_of(lookahead, error), estimate, limit)


cdef inline double adaptive_line_of_sight_heading(const View* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    if keeps_heading(leg):
        return heading_kept(b, leg)
    return heading_for(b, leg.course - b.x[0] - atan2(cross_track(leg, b.u[0]), b.p[STEERING_LOOKAHEAD][0]))


cdef inline void adaptive_line_of_sight_outputs(const View* b, double t) noexcept nogil:
    """y: those of every law."""
    cdef Leg leg = active_leg(b)
    steering_outputs(b, &leg, adaptive_line_of_sight_heading(b, &leg) if wants_heading(b) else 0.0)


cdef inline void adaptive_line_of_sight_update(const View* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    follow_legs(b, t, adaptive_line_of_sight_heading, False)


cdef inline void adaptive_line_of_sight_derivatives(const View* b, double t) noexcept nogil:
    """dβ̂/dt; at rest where there is no leg to follow."""
    cdef Leg leg = active_leg(b)
    b.dx[0] = 0.0
    if not keeps_heading(&leg):
        b.dx[0] = adaptation(
            b.p[ALOS_GAIN][0], b.p[STEERING_LOOKAHEAD][0], cross_track(&leg, b.u[0]),
            b.x[0], b.p[STEERING_SIDESLIP_LIMIT][0],
        )
