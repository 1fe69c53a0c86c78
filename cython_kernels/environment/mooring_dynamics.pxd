"""Kernel of mooring lines of lumped masses."""

from libc.math cimport fabs, sqrt

from cython_kernels.environment.catenary cimport Catenary, line_at_rest, point_of
from cython_kernels.environment.line_ends cimport add_pull, end_motion, end_place, wet_weight
from cython_kernels.environment.nodes_at_rest cimport Row, RowNode, settle
from cython_kernels.mathematics.elementary.inverse_trigonometric cimport atan2
from cython_kernels.mathematics.frames cimport KB_PI, length_of, ned_to_body, rotation_from_euler
from cython_kernels.mathematics.limits cimport NO_LIMIT
from cython_kernels.views.environment.mooring_dynamics cimport MooringDynamicsView


cdef inline void mooring_dynamics_setup(const MooringDynamicsView* b, double t) noexcept nogil:
    """w: masses and loads of a node, and where it is at rest."""
    cdef double part, volume, mass, drag
    cdef int i
    for i in range(b.n.n):
        b.w.wet_weight[i] = wet_weight(
            b.p.weight[i], b.p.mass_per_length[i], b.p.diameter[i], b.p.density[0], b.p.gravity[0]
        )
        part = b.p.length[i] / (b.n.m + 1)
        volume = 0.25 * KB_PI * b.p.density[0] * b.p.diameter[i] * b.p.diameter[i] * part
        mass = b.p.mass_per_length[i] * part
        drag = 0.5 * b.p.density[0] * part * b.p.diameter[i]
        b.w.part[i] = part
        b.w.spring[i] = b.p.axial_stiffness[i] / part
        b.w.internal_damping[i] = b.p.damping_ratio[i] * sqrt(b.p.axial_stiffness[i] * b.p.mass_per_length[i])
        b.w.across[i] = 1.0 / (mass + volume * b.p.normal_added_mass[i])
        b.w.along[i] = 1.0 / (mass + volume * b.p.tangential_added_mass[i]) - b.w.across[i]
        b.w.normal_force[i] = drag * b.p.normal_drag[i]
        b.w.tangential_force[i] = KB_PI * drag * b.p.tangential_drag[i]
        mass = b.w.wet_weight[i]
        b.w.touching[i] = 10.0 * b.p.seabed_stiffness[0] * b.p.diameter[i] / mass if mass > 0.0 else NO_LIMIT
        settle_line(b, i)


cdef inline void settle_line(const MooringDynamicsView* b, int i) noexcept nogil:
    """w: the nodes of line i where they are at rest, from the points of its catenary on.

    Friction is left out: that of the model holds nothing that does not move.
    """
    cdef double rotation[9]
    cdef double low[3]
    cdef double high[3]
    cdef double distance, reach, z
    cdef double* node
    cdef Catenary line
    cdef Row row
    cdef int j
    cdef double length = b.p.length[i]
    cdef double stiffness = b.p.axial_stiffness[i]
    cdef double weight = b.w.wet_weight[i]
    rotation_from_euler(b.p.initial_anchor_eta + 3, rotation)
    end_place(rotation, b.p.initial_anchor_eta, b.p.lines + 6 * i, low)
    rotation_from_euler(b.p.initial_eta + 3, rotation)
    end_place(rotation, b.p.initial_eta, b.p.lines + 6 * i + 3, high)
    distance = length_of(high[0] - low[0], high[1] - low[1])
    line_at_rest(distance, low[2], high[2], b.p.depth[0], length, stiffness, weight, 0.0, &line)
    point_of(&line, length, length, stiffness, weight, &reach, &z)
    row.count = b.n.m
    row.part = b.w.part[i]
    row.stiffness = stiffness
    row.load = weight * row.part
    row.floor = b.p.depth[0]
    row.push = b.p.seabed_stiffness[0] * b.p.diameter[i] * row.part
    row.low.x = 0.0
    row.low.z = low[2]
    row.high.x = distance
    row.high.z = high[2]
    row.node = <RowNode*>b.w.row
    for j in range(b.n.m):
        point_of(&line, (j + 1) * row.part, length, stiffness, weight, &row.node[j].place.x, &z)
        row.node[j].place.x *= distance / reach if reach > 0.0 else 0.0
        row.node[j].place.z = low[2] - z
    settle(&row)
    distance = 1.0 / distance if distance > 0.0 else 0.0
    for j in range(b.n.m):
        node = b.w.rest + 3 * (b.n.m * i + j)
        node[0] = low[0] + distance * row.node[j].place.x * (high[0] - low[0])
        node[1] = low[1] + distance * row.node[j].place.x * (high[1] - low[1])
        node[2] = row.node[j].place.z


cdef inline void mooring_dynamics_start(const MooringDynamicsView* b, double t) noexcept nogil:
    """At rest."""
    cdef double* node = <double*>b.x.node
    cdef double* velocity = <double*>b.x.node_velocity
    cdef int k
    for k in range(3 * b.n.m * b.n.n):
        node[k] = b.w.rest[k]
        velocity[k] = 0.0


cdef inline double segment(
    const MooringDynamicsView* b, int i, const double* low, const double* low_velocity, const double* high,
    const double* high_velocity, double* pull
) noexcept nogil:
    """The pull of a segment of line i on its lower end. Returns its length."""
    cdef double part = b.w.part[i]
    cdef double square = 0.0
    cdef double rate = 0.0
    cdef double size, inverse, tension
    cdef int k
    for k in range(3):
        pull[k] = high[k] - low[k]
        square += pull[k] * pull[k]
        rate += pull[k] * (high_velocity[k] - low_velocity[k])
    size = sqrt(square)
    tension = 0.0 if size < part else b.w.spring[i] * (size - part)
    if size != 0.0:
        inverse = 1.0 / size
        tension += b.w.internal_damping[i] * rate * inverse
        tension = 0.0 if tension < 0.0 else tension * inverse   # it does not push
    for k in range(3):
        pull[k] *= tension
    return size


cdef inline void add_drag(
    const MooringDynamicsView* b, int i, const double* q, const double* velocity, double share, double* force
) noexcept nogil:
    """A share of the drag on a node of line i that moves at this velocity, where the line has the direction q."""
    cdef double along = 0.0
    cdef double across = 0.0
    cdef double v[3]
    cdef double normal, tangential
    cdef int k
    for k in range(3):
        v[k] = b.u.current[k] - velocity[k]
        along += v[k] * q[k]
    for k in range(3):
        v[k] -= along * q[k]
        across += v[k] * v[k]
    normal = share * b.w.normal_force[i] * sqrt(across)
    tangential = share * b.w.tangential_force[i] * fabs(along) * along
    for k in range(3):
        force[k] += normal * v[k] + tangential * q[k]


cdef inline void end_pull(
    const MooringDynamicsView* b, int i, const double* place, const double* velocity, const double* node,
    const double* node_velocity, double* force
) noexcept nogil:
    """The pull on an end of line i by the segment beside it, with half its weight and drag."""
    cdef double q[3]
    cdef double size = segment(b, i, place, velocity, node, node_velocity, force)
    cdef int k
    for k in range(3):
        q[k] = 0.0 if size == 0.0 else (node[k] - place[k]) / size
    add_drag(b, i, q, velocity, 0.5, force)
    force[2] += 0.5 * b.w.wet_weight[i] * b.w.part[i]


cdef inline double free_part(double first, double second) noexcept nogil:
    """How much of a segment is free of the floor, if its ends are so high above what counts as lying."""
    cdef double whole = fabs(first) + fabs(second)
    if whole == 0.0:
        return 0.0
    return ((first if first > 0.0 else 0.0) + (second if second > 0.0 else 0.0)) / whole


cdef inline void mooring_dynamics_outputs(const MooringDynamicsView* b, double t) noexcept nogil:
    cdef double rotation[9]
    cdef double anchor_rotation[9]
    cdef double place[3]
    cdef double velocity[3]
    cdef double force[3]
    cdef double body[3]
    cdef double free, height, following, hanging
    cdef const double* ends
    cdef const double* node
    cdef const double* node_velocity
    cdef int i, j, k
    cdef int m = b.n.m
    cdef double depth = b.p.depth[0]
    rotation_from_euler(b.u.eta + 3, rotation)
    rotation_from_euler(b.u.anchor_eta + 3, anchor_rotation)
    if b.y.disturbance != NULL:
        for k in range(6):
            b.y.disturbance[k] = 0.0
    if b.y.anchor_disturbance != NULL:
        for k in range(6):
            b.y.anchor_disturbance[k] = 0.0
    for i in range(b.n.n):
        ends = b.p.lines + 6 * i
        node = b.x.node + 3 * m * i
        node_velocity = b.x.node_velocity + 3 * m * i
        end_motion(anchor_rotation, b.u.anchor_eta, b.u.anchor_nu, ends, place, velocity)
        if b.y.anchor_disturbance != NULL or b.y.anchor_tension != NULL:
            end_pull(b, i, place, velocity, node, node_velocity, force)
            if b.y.anchor_disturbance != NULL:
                ned_to_body(anchor_rotation, force, body)
                add_pull(body, ends, b.y.anchor_disturbance)
            if b.y.anchor_tension != NULL:
                b.y.anchor_tension[i] = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2])
        free = depth - 0.1 * b.p.diameter[i]
        height = free - place[2]
        end_motion(rotation, b.u.eta, b.u.nu, ends + 3, place, velocity)
        if b.y.suspended != NULL:
            hanging = 0.0
            for j in range(m):
                following = free - node[3 * j + 2]
                hanging += free_part(height, following)
                height = following
            b.y.suspended[i] = b.w.part[i] * (hanging + free_part(height, free - place[2]))
        end_pull(b, i, place, velocity, node + 3 * (m - 1), node_velocity + 3 * (m - 1), force)
        if b.y.disturbance != NULL:
            ned_to_body(rotation, force, body)
            add_pull(body, ends + 3, b.y.disturbance)
        if b.y.tension != NULL:
            b.y.tension[i] = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2])
        if b.y.angle != NULL:
            b.y.angle[i] = atan2(force[2], length_of(force[0], force[1]))


cdef inline void add_floor(
    const MooringDynamicsView* b, int i, double depth, const double* velocity, double* force
) noexcept nogil:
    """What the floor does to a node that is this deep in it: it pushes and holds, and never pulls."""
    cdef double touched = depth * b.w.touching[i]
    cdef double damping = b.p.seabed_damping[0] * (touched if touched < 1.0 else 1.0)
    cdef double push = b.p.diameter[i] * b.w.part[i] * (b.p.seabed_stiffness[0] * depth + damping * velocity[2])
    cdef double slip, slow
    if not push <= 0.0:
        slow = b.p.friction_speed[0]
        slip = b.p.seabed_friction[i] * push / sqrt(
            velocity[0] * velocity[0] + velocity[1] * velocity[1] + slow * slow
        )
        force[0] -= slip * velocity[0]
        force[1] -= slip * velocity[1]
        force[2] -= push


cdef inline void mooring_dynamics_derivatives(const MooringDynamicsView* b, double t) noexcept nogil:
    cdef double rotation[9]
    cdef double anchor_rotation[9]
    cdef double end[3]
    cdef double end_velocity[3]
    cdef double first[3]
    cdef double first_velocity[3]
    cdef double below[3]
    cdef double above[3]
    cdef double force[3]
    cdef double q[3]
    cdef double size, along, across
    cdef const double* ends
    cdef const double* node
    cdef const double* velocity
    cdef const double* before
    cdef const double* before_velocity
    cdef const double* after
    cdef const double* after_velocity
    cdef double* acceleration
    cdef int i, j, k
    cdef int m = b.n.m
    cdef double depth = b.p.depth[0]
    rotation_from_euler(b.u.eta + 3, rotation)
    rotation_from_euler(b.u.anchor_eta + 3, anchor_rotation)
    for i in range(3 * m * b.n.n):
        b.dx.node[i] = b.x.node_velocity[i]
    for i in range(b.n.n):
        ends = b.p.lines + 6 * i
        end_motion(anchor_rotation, b.u.anchor_eta, b.u.anchor_nu, ends, first, first_velocity)
        end_motion(rotation, b.u.eta, b.u.nu, ends + 3, end, end_velocity)
        before = first
        before_velocity = first_velocity
        node = b.x.node + 3 * m * i
        velocity = b.x.node_velocity + 3 * m * i
        acceleration = b.dx.node_velocity + 3 * m * i
        size = segment(b, i, before, before_velocity, node, velocity, below)
        if size > 100.0 * b.w.part[i]:
            b.fault[0] = 1
        for j in range(m):
            after = node + 3 if j + 1 < m else end
            after_velocity = velocity + 3 if j + 1 < m else end_velocity
            size = segment(b, i, node, velocity, after, after_velocity, above)
            if size > 100.0 * b.w.part[i]:
                b.fault[0] = 1
            across = 0.0
            for k in range(3):
                q[k] = after[k] - before[k]
                across += q[k] * q[k]
                force[k] = above[k] - below[k]
                below[k] = above[k]
            across = 0.0 if across == 0.0 else 1.0 / sqrt(across)
            for k in range(3):
                q[k] *= across
            force[2] += b.w.wet_weight[i] * b.w.part[i]
            add_drag(b, i, q, velocity, 1.0, force)
            if node[2] > depth:
                add_floor(b, i, node[2] - depth, velocity, force)
            along = b.w.along[i] * (q[0] * force[0] + q[1] * force[1] + q[2] * force[2])
            for k in range(3):
                acceleration[k] = b.w.across[i] * force[k] + along * q[k]
            before = node
            before_velocity = velocity
            node = after
            velocity = after_velocity
            acceleration = acceleration + 3
