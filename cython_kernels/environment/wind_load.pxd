"""Kernel of the wind load."""

from libc.math cimport sqrt

from cython_kernels.mathematics.frames cimport ned_to_body, rotation_from_euler
from cython_kernels.views.environment.wind_load cimport WIND_LOAD_REFERENCE_APPARENT, WindLoadView


cdef inline void wind_load_setup(const WindLoadView* b, double t) noexcept nogil:
    """Loads per squared speed."""
    cdef double density = b.p.density[0]
    cdef double lateral = b.p.lateral_area[0]
    b.w.surge_load[0] = 0.5 * density * b.p.surge_coefficient[0] * b.p.frontal_area[0]
    b.w.sway_load[0] = 0.5 * density * b.p.sway_coefficient[0] * lateral
    b.w.yaw_load[0] = density * b.p.yaw_coefficient[0] * lateral * b.p.length[0]


cdef inline void wind_load_outputs(const WindLoadView* b, double t) noexcept nogil:
    """Forces and the yaw moment.

    With the air's velocity (a, c) forward and to starboard, V = |(a, c)|: V^2 cos gamma = -V a, V^2 sin gamma = -V c
    and V^2 sin 2 gamma = 2 a c, so no angle has to be found and still air needs no special case.
    """
    cdef double* load = b.y.disturbance
    cdef double r[9]
    cdef double air[3]
    cdef double speed
    rotation_from_euler(b.u.eta + 3, r)
    ned_to_body(r, b.u.wind, air)
    if b.p.reference[0] == WIND_LOAD_REFERENCE_APPARENT:
        air[0] -= b.u.nu[0]
        air[1] -= b.u.nu[1]
    speed = sqrt(air[0] * air[0] + air[1] * air[1])
    load[0] = b.w.surge_load[0] * speed * air[0]
    load[1] = b.w.sway_load[0] * speed * air[1]
    load[2] = 0.0
    load[3] = 0.0
    load[4] = 0.0
    load[5] = -b.w.yaw_load[0] * air[0] * air[1]
