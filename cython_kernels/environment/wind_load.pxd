"""Kernel of the wind load."""

from libc.math cimport sqrt

from cython_kernels.mathematics.frames cimport ned_to_body, rotation_from_euler
from cython_kernels.view cimport View

cdef enum:                              # parameters
    WIND_REFERENCE = 0                  # 0 apparent, 1 true
    WIND_FRONTAL_AREA = 1
    WIND_LATERAL_AREA = 2
    WIND_LENGTH = 3
    WIND_SURGE_COEFFICIENT = 4
    WIND_SWAY_COEFFICIENT = 5
    WIND_YAW_COEFFICIENT = 6
    WIND_DENSITY = 7

    WIND_APPARENT = 0


cdef inline void wind_load_setup(const View* b, double t) noexcept nogil:
    """w: rho c_x A_F / 2, rho c_y A_L / 2, rho c_n A_L L."""
    cdef double density = b.p[WIND_DENSITY][0]
    cdef double lateral = b.p[WIND_LATERAL_AREA][0]
    b.w[0] = 0.5 * density * b.p[WIND_SURGE_COEFFICIENT][0] * b.p[WIND_FRONTAL_AREA][0]
    b.w[1] = 0.5 * density * b.p[WIND_SWAY_COEFFICIENT][0] * lateral
    b.w[2] = density * b.p[WIND_YAW_COEFFICIENT][0] * lateral * b.p[WIND_LENGTH][0]


cdef inline void wind_load_outputs(const View* b, double t) noexcept nogil:
    """y: disturbance.

    With the air's velocity (a, c) forward and to starboard, V = |(a, c)|: V^2 cos gamma = -V a, V^2 sin gamma = -V c
    and V^2 sin 2 gamma = 2 a c, so no angle has to be found and still air needs no special case.
    """
    cdef double* load = b.y[0]
    cdef double r[9]
    cdef double air[3]
    cdef double speed
    rotation_from_euler(b.u[1] + 3, r)
    ned_to_body(r, b.u[0], air)
    if b.p[WIND_REFERENCE][0] == WIND_APPARENT:
        air[0] -= b.u[2][0]
        air[1] -= b.u[2][1]
    speed = sqrt(air[0] * air[0] + air[1] * air[1])
    load[0] = b.w[0] * speed * air[0]
    load[1] = b.w[1] * speed * air[1]
    load[2] = 0.0
    load[3] = 0.0
    load[4] = 0.0
    load[5] = -b.w[2] * air[0] * air[1]
