"""Kernel of the floor under a hull: penalty with damping that never pulls, and elastoplastic friction."""

from libc.math cimport sqrt

from cython_kernels.environment.line_ends cimport add_pull, end_motion
from cython_kernels.mathematics.frames cimport ned_to_body, rotation_from_euler
from cython_kernels.mathematics.limits cimport NO_LIMIT
from cython_kernels.views.environment.seabed_contact cimport SeabedContactView


ctypedef struct Touch:
    double depth                # s, into the floor, m
    double push                 # N
    double slip[3]              # v_t, north, east, down, m/s
    double up[3]                # normal of the floor


cdef inline void touch(const SeabedContactView* b, const double* rotation, int i, Touch* out) noexcept nogil:
    """How point i touches the floor."""
    cdef double place[3]
    cdef double velocity[3]
    cdef double rate
    cdef double north = b.p.slope[0]
    cdef double east = b.p.slope[1]
    cdef double steep = 1.0 / sqrt(1.0 + north * north + east * east)
    cdef int k
    end_motion(rotation, b.u.eta, b.u.nu, b.p.points + 3 * i, place, velocity)
    out.up[0] = -steep * north
    out.up[1] = -steep * east
    out.up[2] = -steep
    out.depth = steep * (place[2] - b.p.depth[0] + b.u.rise[0] + north * place[0] + east * place[1])
    rate = -(velocity[0] * out.up[0] + velocity[1] * out.up[1] + velocity[2] * out.up[2])
    out.push = 1.0 + b.p.damping[i] * rate
    out.push = 0.0 if out.depth <= 0.0 or out.push <= 0.0 else b.p.stiffness[i] * out.depth * out.push
    for k in range(3):
        out.slip[k] = velocity[k] + rate * out.up[k]


cdef inline double hold(const SeabedContactView* b, int i, const Touch* at, double* force) noexcept nogil:
    """The force along the floor. Returns which part of it friction can hold."""
    cdef double limit = b.p.friction[i] * at.push
    cdef double size = 0.0
    cdef double share = 1.0
    cdef int k
    for k in range(3):
        force[k] = -b.p.shear_stiffness[i] * (b.x.shear[3 * i + k] + b.p.shear_time[0] * at.slip[k])
        size += force[k] * force[k]
    size = sqrt(size)
    if size > limit:
        share = limit / size
        for k in range(3):
            force[k] *= share
    return share


cdef inline void seabed_contact_outputs(const SeabedContactView* b, double t) noexcept nogil:
    """y: disturbance, normal_force, clearance; those that are asked for."""
    cdef double rotation[9]
    cdef double force[3]
    cdef double body[3]
    cdef double deepest = -NO_LIMIT
    cdef Touch at
    cdef int i, k
    rotation_from_euler(b.u.eta + 3, rotation)
    if b.y.disturbance != NULL:
        for k in range(6):
            b.y.disturbance[k] = 0.0
    for i in range(b.n.n):
        touch(b, rotation, i, &at)
        deepest = at.depth if at.depth > deepest else deepest + 0.0 * at.depth
        if b.y.normal_force != NULL:
            b.y.normal_force[i] = at.push
        if b.y.disturbance != NULL and at.push != 0.0:
            hold(b, i, &at, force)
            for k in range(3):
                force[k] += at.push * at.up[k]
            ned_to_body(rotation, force, body)
            add_pull(body, b.p.points + 3 * i, b.y.disturbance)
    if b.y.clearance != NULL:
        b.y.clearance[0] = -deepest


cdef inline void seabed_contact_derivatives(const SeabedContactView* b, double t) noexcept nogil:
    cdef double rotation[9]
    cdef double force[3]
    cdef double share, size, along, limit, yielding, back
    cdef const double* e
    cdef Touch at
    cdef int i, k
    cdef double quick = 1.0 / b.p.shear_time[0]
    rotation_from_euler(b.u.eta + 3, rotation)
    for i in range(b.n.n):
        e = b.x.shear + 3 * i
        touch(b, rotation, i, &at)
        if at.depth <= 0.0:
            for k in range(3):
                b.dx.shear[3 * i + k] = -quick * e[k]
            continue
        share = hold(b, i, &at, force)
        size = along = 0.0
        for k in range(3):
            size += e[k] * e[k]
            along += e[k] * at.slip[k]
        limit = b.p.friction[i] * at.push
        yielding = b.p.shear_stiffness[i] * sqrt(size)
        back = 0.0 if yielding <= limit else quick * (1.0 - limit / yielding)
        yielding = elastoplastic(yielding, limit)
        yielding = 1.0 - share if 1.0 - share > yielding else yielding
        yielding = yielding * along / size if along > 0.0 else 0.0
        for k in range(3):
            b.dx.shear[3 * i + k] = at.slip[k] - (yielding + back) * e[k]


cdef inline double elastoplastic(double size, double limit) noexcept nogil:
    """beta: 0 up to 0.8 of the limit, 1 from there on, smooth in between."""
    cdef double x = 5.0 * size - 4.0 * limit
    if x <= 0.0:
        return 0.0
    if x >= limit:
        return 1.0
    x /= limit
    return x * x * (3.0 - 2.0 * x)
