"""Kernel of the tether: a cable under drag and weight between two points, without inertia."""

from libc.math cimport cbrt, fabs, sqrt

from cython_kernels.mathematics.frames cimport KB_PI, body_to_ned, ned_to_body, rotation_from_euler
from cython_kernels.mathematics.tables cimport table_value
from cython_kernels.thrust.lever_arm cimport velocity_at, wrench_of
from cython_kernels.view cimport View

cdef enum:                              # parameters
    TETHER_POSITION = 0
    TETHER_LENGTH = 1
    TETHER_DIAMETER = 2
    TETHER_WEIGHT = 3
    TETHER_STIFFNESS = 4
    TETHER_NORMAL_DRAG = 5
    TETHER_TANGENTIAL_DRAG = 6
    TETHER_DENSITY = 7
    TETHER_SEGMENTS = 8
    TETHER_DEPTHS = 9
    TETHER_FACTORS = 10


cdef inline double chord_tension(double length, double stiffness, double chord, double load) noexcept nogil:
    """The H > 0 with L (1 + H/EA) = c (1 + F^2 / (24 H^2)), or 0 for a slack cable without load.

    As a cubic in H it has one positive root, and is convex from there on up, so that Newton's method falls to the root
    from the bound at which it begins.
    """
    cdef double slope = length / stiffness
    cdef double slack = length - chord
    cdef double square = chord * load * load / 24.0
    cdef double tension = (-slack / slope if slack < 0.0 else 0.0) + cbrt(square / slope)
    cdef double step
    cdef int _iteration
    if square == 0.0:
        return tension
    for _iteration in range(100):
        step = (
            ((slope * tension + slack) * tension * tension - square)
            / ((3.0 * slope * tension + 2.0 * slack) * tension)
        )
        tension -= step
        if fabs(step) <= 1e-14 * tension:
            break
    return tension


cdef inline void tether_outputs(const View* b, double t) noexcept nogil:
    """y = force, tension, top_force; u = eta, nu, current, top, top_velocity."""
    cdef const double* eta = b.u[0]
    cdef const double* current = b.u[2]
    cdef const double* top = b.u[3]
    cdef const double* top_velocity = b.u[4]
    cdef const double* r = b.p[TETHER_POSITION]
    cdef double density = b.p[TETHER_DENSITY][0]
    cdef double diameter = b.p[TETHER_DIAMETER][0]
    cdef int segments = <int>b.p[TETHER_SEGMENTS][0]
    cdef double part = b.p[TETHER_LENGTH][0] / segments
    cdef double normal = 0.5 * density * diameter * b.p[TETHER_NORMAL_DRAG][0] * part
    cdef double tangential = 0.5 * density * KB_PI * diameter * b.p[TETHER_TANGENTIAL_DRAG][0] * part
    cdef double rotation[9]
    cdef double body[3]
    cdef double along[3]
    cdef double arm[3]
    cdef double velocity[3]
    cdef double water[3]
    cdef double pull[3]                 # of the loads on the end at the vehicle
    cdef double total[3]
    cdef double chord, place, factor, v_t, v_n, force, tension
    cdef int i, k
    rotation_from_euler(eta + 3, rotation)
    velocity_at(b.u[1], r, body)
    body_to_ned(rotation, body, velocity)
    body_to_ned(rotation, r, arm)
    chord = 0.0
    for i in range(3):
        along[i] = eta[i] + arm[i] - top[i]
        chord += along[i] * along[i]
        pull[i] = 0.0
        total[i] = 0.0
    chord = sqrt(chord)
    for i in range(3):
        along[i] = along[i] / chord if chord > 0.0 else 0.0
    for k in range(segments):
        place = (k + 0.5) / segments
        factor = table_value(
            b.p[TETHER_DEPTHS], b.p[TETHER_FACTORS], b.n[0], top[2] + place * chord * along[2], True
        )
        v_t = 0.0
        for i in range(3):
            water[i] = factor * current[i] - top_velocity[i] - place * (velocity[i] - top_velocity[i])
            v_t += water[i] * along[i]
        v_n = 0.0
        for i in range(3):
            water[i] -= v_t * along[i]
            v_n += water[i] * water[i]
        v_n = sqrt(v_n)
        for i in range(3):
            force = normal * v_n * water[i] + tangential * fabs(v_t) * v_t * along[i]
            if i == 2:
                force += b.p[TETHER_WEIGHT][0] * part
            pull[i] += place * force
            total[i] += force
    v_t = 0.0
    for i in range(3):
        v_t += total[i] * along[i]
    force = 0.0
    for i in range(3):
        force += (total[i] - v_t * along[i]) * (total[i] - v_t * along[i])
    tension = chord_tension(b.p[TETHER_LENGTH][0], b.p[TETHER_STIFFNESS][0], chord, sqrt(force))
    for i in range(3):
        pull[i] -= tension * along[i]
        b.y[2][i] = total[i] - pull[i]
    ned_to_body(rotation, pull, body)
    wrench_of(body, r, b.y[0])
    b.y[1][0] = tension
