"""Kernel of the sail."""

from libc.math cimport atan2, sqrt

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.thrust.apparent_wind cimport velocity_through_air
from cython_kernels.thrust.foils cimport FOIL_ANGLE_LIMIT, FOIL_POSITION, FoilFlow, foil_forces
from cython_kernels.thrust.lever_arm cimport wrench_of
from cython_kernels.view cimport View


cdef inline void sail_outputs(const View* b, double t) noexcept nogil:
    """y = force, lift, drag, angle, apparent_wind_speed, apparent_wind_angle; u = command, eta, nu, wind."""
    cdef const double* r = b.p[FOIL_POSITION]
    cdef FoilFlow flow
    cdef double v[3]
    cdef double force[3]
    cdef double sheet, wind_angle, angle
    velocity_through_air(b.u[1], b.u[2], b.u[3], r, v)
    flow.u = v[0]
    flow.s = v[1]
    wind_angle = atan2(flow.s, flow.u)
    if b.y[0] != NULL or b.y[1] != NULL or b.y[2] != NULL or b.y[3] != NULL:
        sheet = clamp(b.u[0][0], 0.0, b.p[FOIL_ANGLE_LIMIT][0])
        angle = clamp(wind_angle, -sheet, sheet)
        if sheet != sheet:                  # no limit, but no number either
            angle = sheet
        foil_forces(b, -angle, &flow)
        if b.y[0] != NULL:
            force[0] = flow.along
            force[1] = flow.across
            force[2] = 0.0
            wrench_of(force, r, b.y[0])
        if b.y[1] != NULL:
            b.y[1][0] = flow.lift
        if b.y[2] != NULL:
            b.y[2][0] = flow.drag
        if b.y[3] != NULL:
            b.y[3][0] = angle
    if b.y[4] != NULL:
        b.y[4][0] = sqrt(flow.u * flow.u + flow.s * flow.s)
    if b.y[5] != NULL:
        b.y[5][0] = wind_angle
