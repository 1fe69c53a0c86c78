"""Network simplex: whole numbers that keep given distances at the least weighted length.

Minimise  Σ w_e (y[head_e] − y[tail_e])  subject to  y[head_e] − y[tail_e] ≥ d_e  for every arc e.

The drawing asks this twice: for the layer of every box (how far apart do wires make them stand) and for the height of
every wire and box (how many wires are straight).

Source: Gansner, Koutsofios, North & Vo (1993), A technique for drawing directed graphs, IEEE TSE 19(3), section 2.3.
The cut values are kept differently: as sums over subtrees of what leaves a variable minus what enters it, which is
the same number and needs no case distinctions; see tight_tree.pxd.
"""

from typing import NamedTuple

from libc.stdlib cimport calloc, free

from blocks.drawing.heap cimport Entry
from blocks.drawing.tight_tree cimport CArc, Network, Node, find_surplus, grow, optimise


class Arc(NamedTuple):
    """y[head] − y[tail] ≥ distance, and each unit of y[head] − y[tail] costs `weight` ≥ 0."""

    tail: int
    head: int
    distance: int
    weight: int


def network_simplex(int count, arcs):
    """The values of `count` variables; in each connected part the smallest is 0.

    Raises ValueError when the distances contradict each other (the arcs contain a cycle).
    """
    cdef Network network
    cdef int v
    make_room(&network, count, len(arcs))
    try:
        read(&network, arcs)
        if not make_feasible(&network):
            raise ValueError("the distances contradict each other: their arcs contain a cycle")
        for v in range(count):
            if not network.node[v].joined:
                solve_part(&network, v)
        return [network.node[v].value for v in range(count)]
    finally:
        free(network.memory)


cdef make_room(Network* n, size_t count, size_t arcs):
    """One piece of memory for all, the largest numbers first."""
    cdef size_t nodes = (count + 1) * sizeof(Node)
    cdef size_t entries = arcs * sizeof(Entry)
    n.memory = <char*>calloc(1, nodes + arcs * sizeof(CArc) + 2 * entries + 2 * (arcs + count) * sizeof(int))
    if n.memory == NULL:
        raise MemoryError
    n.count, n.arcs = count, arcs
    n.node = <Node*>n.memory
    n.arc = <CArc*>(n.memory + nodes)
    n.outward.entries = <Entry*>(n.arc + arcs)
    n.inward.entries = n.outward.entries + arcs
    n.incident = <int*>(n.inward.entries + arcs)
    n.members = n.incident + 2 * arcs
    n.queue = n.members + count


cdef read(Network* n, arcs):
    """Take the arcs, and list them by the variables that they join."""
    cdef int a, v
    cdef CArc* arc
    for a, (tail, head, distance, weight) in enumerate(arcs):
        arc = &n.arc[a]
        arc.tail, arc.head, arc.distance, arc.weight = tail, head, distance, weight
        if not (0 <= arc.tail < n.count and 0 <= arc.head < n.count):
            raise IndexError(f"an arc joins {tail} and {head}, but there are {n.count} variables")
        n.node[arc.tail].incident += 1
        n.node[arc.head].incident += 1
    for v in range(1, n.count + 1):
        n.node[v].incident += n.node[v - 1].incident    # where its arcs end, and below where they begin
    for a in range(n.arcs - 1, -1, -1):
        for v in (n.arc[a].head, n.arc[a].tail):
            n.node[v].incident -= 1
            n.incident[n.node[v].incident] = a


cdef bint make_feasible(Network* n) noexcept nogil:
    """The smallest values that satisfy every arc, by longest paths; a variable with no tail goes close to its heads.

    False if there are none.
    """
    cdef const CArc* arc
    cdef int count = 0
    cdef int i, k, v, sources
    for i in range(n.arcs):
        n.node[n.arc[i].head].waiting += 1
    for v in range(n.count):
        if n.node[v].waiting == 0:
            n.queue[count] = v
            count += 1
    sources = count
    i = 0
    while i < count:    # which grows
        v = n.queue[i]
        for k in range(n.node[v].incident, n.node[v + 1].incident):
            arc = &n.arc[n.incident[k]]
            if arc.tail == v:
                n.node[arc.head].value = max(n.node[arc.head].value, n.node[v].value + arc.distance)
                n.node[arc.head].waiting -= 1
                if n.node[arc.head].waiting == 0:
                    n.queue[count] = arc.head
                    count += 1
        i += 1
    for i in range(sources):
        v = n.queue[i]
        for k in range(n.node[v].incident, n.node[v + 1].incident):
            arc = &n.arc[n.incident[k]]     # which leaves v, for none enters it
            if k == n.node[v].incident or n.node[arc.head].value - arc.distance < n.node[v].value:
                n.node[v].value = n.node[arc.head].value - arc.distance
    return count == n.count


cdef void solve_part(Network* n, int root) noexcept nogil:
    """Solve for the variables that arcs join to this one."""
    cdef int count = grow(n, root)
    cdef long long lowest
    cdef int i
    find_surplus(n, count)
    optimise(n, count)
    lowest = n.node[root].value
    for i in range(count):
        lowest = min(lowest, n.node[n.members[i]].value)
    for i in range(count):
        n.node[n.members[i]].value -= lowest
