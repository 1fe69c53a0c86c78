"""Kernel of the sail."""

from libc.math cimport sqrt

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.thrust.apparent_wind cimport velocity_through_air
from cython_kernels.thrust.foils cimport FoilFlow, foil_forces
from cython_kernels.thrust.lever_arm cimport wrench_of
from cython_kernels.views.thrust.foils cimport FoilSetView
from cython_kernels.views.thrust.sail cimport SailView, sail_as_foil_set


cdef inline void sail_outputs(const SailView* b, double t) noexcept nogil:
    """A sail whose sheet lets the boom go as far as the command says."""
    cdef FoilSetView foil = sail_as_foil_set(b)
    cdef const double* r = b.p.position
    cdef FoilFlow flow
    cdef double v[3]
    cdef double force[3]
    cdef double sheet, wind_angle, angle
    velocity_through_air(b.u.eta, b.u.nu, b.u.wind, r, v)
    flow.u = v[0]
    flow.s = v[1]
    wind_angle = atan2(flow.s, flow.u)
    if b.y.force != NULL or b.y.lift != NULL or b.y.drag != NULL or b.y.angle != NULL:
        sheet = clamp(b.u.command[0], 0.0, b.p.angle_limit[0])
        angle = clamp(wind_angle, -sheet, sheet)
        if sheet != sheet:                  # no limit, but no number either
            angle = sheet
        foil_forces(foil.p, -angle, &flow)
        if b.y.force != NULL:
            force[0] = flow.along
            force[1] = flow.across
            force[2] = 0.0
            wrench_of(force, r, b.y.force)
        if b.y.lift != NULL:
            b.y.lift[0] = flow.lift
        if b.y.drag != NULL:
            b.y.drag[0] = flow.drag
        if b.y.angle != NULL:
            b.y.angle[0] = angle
    if b.y.apparent_wind_speed != NULL:
        b.y.apparent_wind_speed[0] = sqrt(flow.u * flow.u + flow.s * flow.s)
    if b.y.apparent_wind_angle != NULL:
        b.y.apparent_wind_angle[0] = wind_angle
