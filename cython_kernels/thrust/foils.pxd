"""What foils in water and air share: their parameters, lift and drag.

The flow at the centre of pressure has a part u along the hull and a part s across the foil at rest. With the foil
turned by delta the chord meets it at the angle of attack alpha, V sin alpha = a and V cos alpha = b below, so that
V^2 sin 2 alpha = 2 a b and V^2 (1 - cos 2 alpha) = 2 a^2 need no angle and have no trouble in still water.
"""

from libc.math cimport sqrt

from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.lever_arm cimport wrench_of
from cython_kernels.views.thrust.foils cimport FoilSetParameters

ctypedef struct FoilFlow:
    double u                            # velocity of the foil through the fluid, along the hull
    double s                            # and across the foil at rest
    double a                            # V sin alpha
    double b                            # V cos alpha
    double lift
    double drag
    double along                        # force along the hull
    double across                       # and across the foil at rest


cdef inline void foil_forces(const FoilSetParameters* p, double angle, FoilFlow* flow) noexcept nogil:
    """Lift and drag of a foil turned by `angle`, leading edge against the positive direction of s."""
    cdef double pressure_area = 0.5 * p.density[0] * p.area[0]
    cdef double u = flow.u
    cdef double s = flow.s
    cdef double speed = sqrt(u * u + s * s)
    cdef double sine, cosine
    sine_cosine(angle, &sine, &cosine)
    flow.a = u * sine + s * cosine
    flow.b = u * cosine - s * sine
    flow.lift = pressure_area * p.lift_coefficient[0] * 2.0 * flow.a * flow.b
    flow.drag = pressure_area * p.drag_coefficient[0] * 2.0 * flow.a * flow.a
    if speed == 0.0:
        flow.along = 0.0
        flow.across = 0.0
    else:
        flow.along = (flow.lift * s - flow.drag * u) / speed
        flow.across = -(flow.lift * u + flow.drag * s) / speed


cdef inline void foil_in_the_water(
    const FoilSetParameters* p, FoilFlow* flow, double angle, double sine_cant, double cosine_cant,
    double* wrench, double* lift, double* drag, double* angle_of_attack,
) noexcept nogil:
    """Wrench, lift, drag and angle of attack, as far as they are wanted; u and s of the flow are known."""
    cdef double force[3]
    foil_forces(p, angle, flow)
    if wrench != NULL:
        force[0] = flow.along
        force[1] = cosine_cant * flow.across
        force[2] = 0.0 if sine_cant == 0.0 else sine_cant * flow.across  # upright: not even the sign of a zero
        wrench_of(force, p.position, wrench)
    if lift != NULL:
        lift[0] = flow.lift
    if drag != NULL:
        drag[0] = flow.drag
    if angle_of_attack != NULL:
        angle_of_attack[0] = atan2(flow.a, flow.b)


cdef inline double foil_commanded_angle(const FoilSetParameters* p, double command) noexcept nogil:
    """The wanted angle within its limit."""
    return clamp(command, -p.angle_limit[0], p.angle_limit[0])
