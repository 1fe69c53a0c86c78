"""Kernel of the tether: a cable under drag and weight between two points, without inertia."""

from libc.math cimport fabs, sqrt

from cython_kernels.mathematics.elementary.power cimport cbrt
from cython_kernels.mathematics.frames cimport KB_PI, body_to_ned, ned_to_body, rotation_from_euler
from cython_kernels.mathematics.tables cimport table_value
from cython_kernels.thrust.lever_arm cimport velocity_at, wrench_of
from cython_kernels.views.thrust.tether cimport TetherView


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


cdef inline void tether_outputs(const TetherView* b, double t) noexcept nogil:
    cdef const double* eta = b.u.eta
    cdef const double* current = b.u.current
    cdef const double* top = b.u.top
    cdef const double* top_velocity = b.u.top_velocity
    cdef const double* r = b.p.position
    cdef double density = b.p.density[0]
    cdef double diameter = b.p.diameter[0]
    cdef int segments = <int>b.p.segments[0]
    cdef double part = b.p.length[0] / segments
    cdef double normal = 0.5 * density * diameter * b.p.normal_drag[0] * part
    cdef double tangential = 0.5 * density * KB_PI * diameter * b.p.tangential_drag[0] * part
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
    velocity_at(b.u.nu, r, body)
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
            b.p.profile_depths, b.p.profile_factors, b.n.m, top[2] + place * chord * along[2], True
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
                force += b.p.weight[0] * part
            pull[i] += place * force
            total[i] += force
    v_t = 0.0
    for i in range(3):
        v_t += total[i] * along[i]
    force = 0.0
    for i in range(3):
        force += (total[i] - v_t * along[i]) * (total[i] - v_t * along[i])
    tension = chord_tension(b.p.length[0], b.p.axial_stiffness[0], chord, sqrt(force))
    for i in range(3):
        pull[i] -= tension * along[i]
        b.y.top_force[i] = total[i] - pull[i]
    ned_to_body(rotation, pull, body)
    wrench_of(body, r, b.y.force)
    b.y.tension[0] = tension
