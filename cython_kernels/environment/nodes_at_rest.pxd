"""Nodes of a line of lumped masses at rest in still water, in the vertical plane of its ends.

With x from the lower end and z down, they are where the energy is least,

    E = sum over segments of EA l e^2 / 2 + sum over nodes of (k d l s^2 / 2 - w l z),

e = max(|dr| / l - 1, 0), s = max(z - h, 0). It is convex, so that Newton's method finds that place from anywhere, if
steps that go too far are halved. Its equations are those of a row: blocks of 2 by 2, eliminated from one end to the
other. What nothing holds, such as segments in a heap, is held by a little stiffness that only steps know, the less the
better they fit. A stiff line comes to rest as a softer one first: its segments are slack or taut at a hair's breadth.
"""

from libc.math cimport fabs, sqrt

cdef extern from *:
    """
    #define REST_ROUNDS 300
    #define REST_HALVINGS 40
    #define REST_SOFT 1e4       /* EA over the weight of the line, to begin with */
    """
    const int REST_ROUNDS
    const int REST_HALVINGS
    const double REST_SOFT


ctypedef struct Plane:          # a place, a step or a force
    double x
    double z


ctypedef struct Stiffness:      # a symmetric matrix, or its inverse
    double xx
    double xz
    double zz


ctypedef struct RowNode:
    Plane place
    Plane step                  # and before, what is left of the force on it
    Stiffness yielding          # the inverse of its pivot


ctypedef struct Row:
    int count                   # of nodes
    double part                 # l
    double stiffness            # EA
    double load                 # w l
    double floor                # h
    double push                 # k d l
    double hold                 # the stiffness that only steps know
    Plane low                   # the ends
    Plane high
    RowNode* node


cdef inline Plane times(Stiffness k, Plane v) noexcept nogil:
    cdef Plane out
    out.x = k.xx * v.x + k.xz * v.z
    out.z = k.xz * v.x + k.zz * v.z
    return out


cdef inline Stiffness inverse(Stiffness k) noexcept nogil:
    """Of a matrix that is positive but for rounding."""
    cdef Stiffness out
    cdef double least = 1e-14 * k.xx * k.zz
    cdef double determinant = k.xx * k.zz - k.xz * k.xz
    determinant = least if determinant < least else determinant
    out.xx = k.zz / determinant
    out.xz = -k.xz / determinant
    out.zz = k.xx / determinant
    return out


cdef inline Plane place_after(const Row* row, int j, double share) noexcept nogil:
    """Where node j is, from -1, the lower end, to `count`, the upper one, after this share of its step."""
    cdef Plane out
    if j < 0:
        return row.low
    if j == row.count:
        return row.high
    out = row.node[j].place
    out.x += share * row.node[j].step.x
    out.z += share * row.node[j].step.z
    return out


cdef inline Plane pull_of(const Row* row, Plane below, Plane above, Stiffness* k) noexcept nogil:
    """The pull of a segment between these places on its lower end, and its stiffness."""
    cdef Plane out
    cdef double size
    cdef double along = row.stiffness / row.part
    cdef double across
    out.x = above.x - below.x
    out.z = above.z - below.z
    size = sqrt(out.x * out.x + out.z * out.z)
    if size <= row.part:
        out.x = out.z = k.xx = k.xz = k.zz = 0.0
        return out
    across = along * (size - row.part) / size
    along = (along - across) / (size * size)
    k.xx = across + along * out.x * out.x
    k.xz = along * out.x * out.z
    k.zz = across + along * out.z * out.z
    out.x *= across
    out.z *= across
    return out


cdef inline double floor_under(const Row* row, Plane place) noexcept nogil:
    """Its stiffness."""
    return row.push if place.z > row.floor else 0.0


cdef inline Plane force_on(const Row* row, Plane place, Plane below, Plane above) noexcept nogil:
    """The force on a node between the pulls of two segments on their lower ends."""
    cdef Plane out
    out.x = above.x - below.x
    out.z = above.z - below.z + row.load - floor_under(row, place) * (place.z - row.floor)
    return out


cdef inline double work_after(const Row* row, double share) noexcept nogil:
    """What the forces after this share of the steps do in the steps."""
    cdef Stiffness k
    cdef Plane here = place_after(row, 0, share)
    cdef Plane below = pull_of(row, row.low, here, &k)
    cdef Plane following, above, force
    cdef double work = 0.0
    cdef int j
    for j in range(row.count):
        following = place_after(row, j + 1, share)
        above = pull_of(row, here, following, &k)
        force = force_on(row, here, below, above)
        work += force.x * row.node[j].step.x + force.z * row.node[j].step.z
        here = following
        below = above
    return work


cdef inline double eliminate(Row* row, double* tension) noexcept nogil:
    """Each node from the one above it, upwards. Gives the largest force on a node; tension: the greatest."""
    cdef Stiffness k, low_k, pivot, one
    cdef Plane here = row.node[0].place
    cdef Plane below = pull_of(row, row.low, here, &low_k)
    cdef Plane following, above, force, column, carried
    cdef double size
    cdef double largest = 0.0
    cdef int j
    tension[0] = sqrt(below.x * below.x + below.z * below.z)
    for j in range(row.count):
        following = place_after(row, j + 1, 0.0)
        above = pull_of(row, here, following, &k)
        force = force_on(row, here, below, above)
        size = sqrt(above.x * above.x + above.z * above.z)
        tension[0] = size if size > tension[0] else tension[0]
        size = fabs(force.x) + fabs(force.z)
        largest = largest if largest > size else size           # what is no number comes through
        pivot.xx = low_k.xx + k.xx + row.hold
        pivot.xz = low_k.xz + k.xz
        pivot.zz = low_k.zz + k.zz + row.hold + floor_under(row, here)
        if j > 0:
            one = row.node[j - 1].yielding
            column.x = low_k.xx
            column.z = low_k.xz
            column = times(low_k, times(one, column))
            pivot.xx -= column.x
            pivot.xz -= column.z
            column.x = low_k.xz
            column.z = low_k.zz
            column = times(low_k, times(one, column))
            pivot.zz -= column.z
            carried = times(low_k, times(one, row.node[j - 1].step))
            force.x += carried.x
            force.z += carried.z
        row.node[j].yielding = inverse(pivot)
        row.node[j].step = force
        here = following
        below = above
        low_k = k
    return largest


cdef inline void find_steps(Row* row) noexcept nogil:
    """From what is left of the forces, downwards."""
    cdef Stiffness k
    cdef Plane force, above
    cdef int j
    for j in range(row.count - 1, -1, -1):
        force = row.node[j].step
        if j + 1 < row.count:
            pull_of(row, row.node[j].place, row.node[j + 1].place, &k)
            above = times(k, row.node[j + 1].step)
            force.x += above.x
            force.z += above.z
        row.node[j].step = times(row.node[j].yielding, force)


cdef inline void settle(Row* row) noexcept nogil:
    """Move the nodes to where they are at rest."""
    cdef double full = row.stiffness
    cdef double weight = fabs(row.load)
    cdef double length = (row.count + 1) * row.part
    cdef double reach = length + fabs(row.low.z) + fabs(row.high.z)
    cdef double soft = REST_SOFT * weight * (row.count + 1)
    cdef double largest, tension, gain, share
    cdef int _round, _halving, j
    for j in range(row.count):
        row.node[j].step.x = row.node[j].step.z = 0.0
    row.stiffness = soft if 0.0 < soft < full else full
    row.hold = 0.1 * weight / row.part + 1e-9 * row.stiffness / row.part
    for _round in range(REST_ROUNDS):
        largest = eliminate(row, &tension)
        if largest <= 1e-15 * row.stiffness * reach / row.part + (weight + tension) * (
            1e-9 if row.stiffness == full else 1e-2
        ):
            if row.stiffness == full:
                break
            row.stiffness = full if full < 100.0 * row.stiffness else 100.0 * row.stiffness
            largest = eliminate(row, &tension)
        find_steps(row)
        gain = work_after(row, 0.0)
        share = 1.0
        for _halving in range(REST_HALVINGS):
            if work_after(row, share) >= -0.5 * gain:
                break
            share *= 0.5
        if not (gain > 0.0 and work_after(row, share) >= -0.5 * gain):      # no better to the last digit
            break
        for j in range(row.count):
            row.node[j].place = place_after(row, j, share)
        row.hold *= 0.2 if share == 1.0 else 2.0
        if row.hold < 1e-12 * full / row.part:
            row.hold = 1e-12 * full / row.part
    row.stiffness = full
