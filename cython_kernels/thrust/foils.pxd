"""What foils in water and air share: their parameters, lift and drag.

The flow at the centre of pressure has a part u along the hull and a part s across the foil at rest. With the foil
turned by delta the chord meets it at the angle of attack alpha, V sin alpha = a and V cos alpha = b below, so that
V^2 sin 2 alpha = 2 a b and V^2 (1 - cos 2 alpha) = 2 a^2 need no angle and have no trouble in still water.
"""

from libc.math cimport atan2, sqrt

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.lever_arm cimport wrench_of
from cython_kernels.view cimport View

ctypedef struct FoilFlow:
    double u                            # velocity of the foil through the fluid, along the hull
    double s                            # and across the foil at rest
    double a                            # V sin alpha
    double b                            # V cos alpha
    double lift
    double drag
    double along                        # force along the hull
    double across                       # and across the foil at rest

cdef enum:                              # parameters that all foils share, first and in this order
    FOIL_POSITION = 0
    FOIL_AREA = 1
    FOIL_LIFT = 2
    FOIL_DRAG = 3
    FOIL_DENSITY = 4
    FOIL_ANGLE_LIMIT = 5
    FOIL_PARAMETERS = 6


cdef inline void foil_forces(const View* b, double angle, FoilFlow* flow) noexcept nogil:
    """Lift and drag of a foil turned by `angle`, leading edge against the positive direction of s."""
    cdef double pressure_area = 0.5 * b.p[FOIL_DENSITY][0] * b.p[FOIL_AREA][0]
    cdef double u = flow.u
    cdef double s = flow.s
    cdef double speed = sqrt(u * u + s * s)
    cdef double sine, cosine
    sine_cosine(angle, &sine, &cosine)
    flow.a = u * sine + s * cosine
    flow.b = u * cosine - s * sine
    flow.lift = pressure_area * b.p[FOIL_LIFT][0] * 2.0 * flow.a * flow.b
    flow.drag = pressure_area * b.p[FOIL_DRAG][0] * 2.0 * flow.a * flow.a
    if speed == 0.0:
        flow.along = 0.0
        flow.across = 0.0
    else:
        flow.along = (flow.lift * s - flow.drag * u) / speed
        flow.across = -(flow.lift * u + flow.drag * s) / speed


cdef inline void foil_in_the_water(
    const View* b, FoilFlow* flow, double angle, double sine_cant, double cosine_cant
) noexcept nogil:
    """y = force, lift, drag, angle_of_attack; u and s of the flow are known."""
    cdef double force[3]
    foil_forces(b, angle, flow)
    if b.y[0] != NULL:
        force[0] = flow.along
        force[1] = cosine_cant * flow.across
        force[2] = 0.0 if sine_cant == 0.0 else sine_cant * flow.across  # upright: not even the sign of a zero
        wrench_of(force, b.p[FOIL_POSITION], b.y[0])
    if b.y[1] != NULL:
        b.y[1][0] = flow.lift
    if b.y[2] != NULL:
        b.y[2][0] = flow.drag
    if b.y[3] != NULL:
        b.y[3][0] = atan2(flow.a, flow.b)


cdef inline double foil_commanded_angle(const View* b) noexcept nogil:
    """The wanted angle within its limit."""
    return clamp(b.u[0][0], -b.p[FOIL_ANGLE_LIMIT][0], b.p[FOIL_ANGLE_LIMIT][0])
