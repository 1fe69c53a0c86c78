"""Kernels of control surfaces by their derivatives."""

from libc.math cimport fabs

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.thrust.actuator cimport actuator_rate
from cython_kernels.views.thrust.control_surfaces cimport CONTROL_SURFACES_RESPONSE_RATE_LIMITED, ControlSurfacesView


cdef inline double control_surface_commanded(const ControlSurfacesView* b, int i) noexcept nogil:
    """The commanded angle of surface i within its limit."""
    return clamp(b.u.command[i], -b.p.angle_limit[i], b.p.angle_limit[i])


cdef inline double control_surface_angle(const ControlSurfacesView* b, bint instant, int i) noexcept nogil:
    """delta of surface i: as commanded, or as reached."""
    return control_surface_commanded(b, i) if instant else b.x.angle[i]


cdef inline void control_surfaces_at(const ControlSurfacesView* b, bint instant) noexcept nogil:
    """y; the angles alone do not need the flow, which may not be there yet."""
    cdef const double* nu_r = b.u.nu_r
    cdef double total[6]
    cdef double angle, along, u, pressure
    cdef int i, j
    if b.y.angle != NULL:
        for i in range(b.n.n):
            b.y.angle[i] = control_surface_angle(b, instant, i)
    if b.y.force == NULL:
        return
    u = nu_r[0]
    pressure = fabs(u) * u
    for j in range(6):
        total[j] = 0.0
    for i in range(b.n.n):
        angle = control_surface_angle(b, instant, i)
        along = 0.0
        for j in range(6):
            along += b.p.surge_coupling[6 * i + j] * nu_r[j]
            total[j] += pressure * angle * b.p.effect[6 * i + j]
        total[0] += angle * (u * along - pressure * b.p.drag[i] * angle)
    for j in range(6):
        b.y.force[j] = total[j]


cdef inline void control_surfaces_outputs(const ControlSurfacesView* b, double t) noexcept nogil:
    """Without states: at the angles that are wanted."""
    control_surfaces_at(b, True)


cdef inline void control_surfaces_lag_outputs(const ControlSurfacesView* b, double t) noexcept nogil:
    """At the angles that are reached."""
    control_surfaces_at(b, False)


cdef inline void control_surfaces_lag_derivatives(const ControlSurfacesView* b, double t) noexcept nogil:
    """ddelta/dt = (delta_c - delta) / T, within +-rate if rate-limited."""
    cdef bint limited = b.p.response[0] == CONTROL_SURFACES_RESPONSE_RATE_LIMITED
    cdef int i
    for i in range(b.n.n):
        b.dx.angle[i] = actuator_rate(
            control_surface_commanded(b, i) - b.x.angle[i], b.p.time_constant[i], limited, b.p.rate_limit[i]
        )
