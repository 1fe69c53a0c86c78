"""Line of sight with integral action.

Source: Børhaug, Pavlov and Pettersen (2008), Integral LOS control for path following of underactuated marine surface
vessels in the presence of constant ocean currents.
"""

from libc.math cimport atan2

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
from cython_kernels.view cimport View

cdef enum:
    # parameters of integral_line_of_sight
    ILOS_GAIN = STEERING_PARAMETERS


cdef inline double integral_line_of_sight_heading(const View* b, const Leg* leg) noexcept nogil:
    """ψ_d."""
    cdef double total
    if keeps_heading(leg):
        return heading_kept(b, leg)
    total = cross_track(leg, b.u[0]) + b.p[ILOS_GAIN][0] * b.x[0]
    return heading_for(b, leg.course - atan2(total, b.p[STEERING_LOOKAHEAD][0]))


cdef inline void integral_line_of_sight_outputs(const View* b, double t) noexcept nogil:
    """y: those of every law."""
    cdef Leg leg = active_leg(b)
    steering_outputs(b, &leg, integral_line_of_sight_heading(b, &leg) if wants_heading(b) else 0.0)


cdef inline void integral_line_of_sight_update(const View* b, double t) noexcept nogil:
    """Go on to the next leg when one is done."""
    follow_legs(b, t, integral_line_of_sight_heading, False)


cdef inline void integral_line_of_sight_derivatives(const View* b, double t) noexcept nogil:
    """dy_int/dt = Δ y_e/(Δ² + (y_e + κ y_int)²) within the limit; at rest where there is no leg to follow."""
    cdef double lookahead = b.p[STEERING_LOOKAHEAD][0]
    cdef double held = b.p[ILOS_GAIN][0] * b.x[0]
    cdef double error, total
    cdef Leg leg = active_leg(b)
    b.dx[0] = 0.0
    if not keeps_heading(&leg):
        error = cross_track(&leg, b.u[0])
        total = error + held
        b.dx[0] = projected(
            lookahead * error / (lookahead * lookahead + total * total), held, lookahead * integral_limit(b)
        )
