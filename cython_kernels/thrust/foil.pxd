"""Kernels of foils in the water: a fixed or turning one at any cant, and a rudder with its steering gear.

The flow at the centre of pressure has a part u along the hull and a part s across the foil at rest. With the foil
turned by delta the chord meets it at the angle of attack alpha, V sin alpha = a and V cos alpha = b below, so that
V^2 sin 2 alpha = 2 a b and V^2 (1 - cos 2 alpha) = 2 a^2 need no angle and have no trouble in still water.
"""

from libc.math cimport atan2, copysign, fabs, sqrt

from cython_kernels.mathematics.limits cimport clamp
from cython_kernels.mathematics.trigonometry cimport sine_cosine
from cython_kernels.thrust.actuator cimport RESPONSE_INSTANT, actuator_rate
from cython_kernels.thrust.propellers cimport disc_velocity
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

cdef enum:                              # of the foil
    FOIL_CANT = FOIL_PARAMETERS

cdef enum:                              # of the rudder
    RUDDER_RESPONSE = FOIL_PARAMETERS
    RUDDER_TIME_CONSTANT
    RUDDER_RATE_LIMIT
    RUDDER_PROPELLER                    # its diameter; 0: there is none ahead
    RUDDER_SLIPSTREAM_SHARE
    RUDDER_SLIPSTREAM_GAIN


cdef inline void velocity_at(const double* nu, const double* r, double* out) noexcept nogil:
    """v + omega x r."""
    out[0] = nu[0] + nu[4] * r[2] - nu[5] * r[1]
    out[1] = nu[1] + nu[5] * r[0] - nu[3] * r[2]
    out[2] = nu[2] + nu[3] * r[1] - nu[4] * r[0]


cdef inline void wrench_of(const double* force, const double* r, double* out) noexcept nogil:
    """(F, r x F)."""
    out[0] = force[0]
    out[1] = force[1]
    out[2] = force[2]
    out[3] = r[1] * force[2] - r[2] * force[1]
    out[4] = r[2] * force[0] - r[0] * force[2]
    out[5] = r[0] * force[1] - r[1] * force[0]


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


cdef inline void foil_setup(const View* b, double t) noexcept nogil:
    """w: sine and cosine of the cant."""
    sine_cosine(b.p[FOIL_CANT][0], &b.w[0], &b.w[1])


cdef inline void foil_outputs(const View* b, double t) noexcept nogil:
    """A foil that follows its command at once."""
    cdef double angle = foil_commanded_angle(b)
    cdef FoilFlow flow
    cdef double v[3]
    if b.y[0] != NULL or b.y[1] != NULL or b.y[2] != NULL or b.y[3] != NULL:
        velocity_at(b.u[1], b.p[FOIL_POSITION], v)
        flow.u = v[0]
        flow.s = b.w[1] * v[1] + b.w[0] * v[2]
        foil_in_the_water(b, &flow, angle, b.w[0], b.w[1])
    if b.y[4] != NULL:
        b.y[4][0] = angle


cdef inline double behind_a_propeller(const View* b, double v) noexcept nogil:
    """Velocity along the hull through the water at a rudder behind a propeller that pushes ahead.

    Its square is the mean over the rudder of the squares in the slipstream and outside of it.
    """
    cdef double thrust = b.u[2][0]
    cdef double share = b.p[RUDDER_SLIPSTREAM_SHARE][0]
    cdef double within, square
    if thrust <= 0.0:
        return v
    within = v + 2.0 * b.p[RUDDER_SLIPSTREAM_GAIN][0] * (
        disc_velocity(thrust, fabs(v), b.p[RUDDER_PROPELLER][0], b.p[FOIL_DENSITY][0]) - fabs(v)
    )
    square = share * within * fabs(within) + (1.0 - share) * v * fabs(v)
    return copysign(sqrt(fabs(square)), square)


cdef inline void rudder_outputs(const View* b, double t) noexcept nogil:
    """An upright foil at the angle of its steering gear."""
    cdef double angle = foil_commanded_angle(b) if b.p[RUDDER_RESPONSE][0] == RESPONSE_INSTANT else b.x[0]
    cdef FoilFlow flow
    cdef double v[3]
    if b.y[0] != NULL or b.y[1] != NULL or b.y[2] != NULL or b.y[3] != NULL:
        velocity_at(b.u[1], b.p[FOIL_POSITION], v)
        flow.u = v[0] if b.p[RUDDER_PROPELLER][0] == 0.0 else behind_a_propeller(b, v[0])
        flow.s = v[1]
        foil_in_the_water(b, &flow, angle, 0.0, 1.0)
    if b.y[4] != NULL:
        b.y[4][0] = angle


cdef inline void rudder_derivatives(const View* b, double t) noexcept nogil:
    """ddelta/dt = (delta_c - delta) / T, within +-rate if rate-limited."""
    b.dx[0] = actuator_rate(
        foil_commanded_angle(b) - b.x[0], b.p[RUDDER_TIME_CONSTANT][0], b.p[RUDDER_RESPONSE][0],
        b.p[RUDDER_RATE_LIMIT][0],
    )
