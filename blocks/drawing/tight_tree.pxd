"""A spanning tree of tight arcs over one connected part of a network, and how it is improved.

`surplus` of a variable is the weight of all arcs that leave its subtree minus that of those which enter it. Moving the
subtree up by one changes the objective by −surplus, so it says which way the subtree wants to go.
"""

from blocks.drawing.heap cimport Entry, Heap, pop, push

cdef enum:
    NONE = -1
    EXCHANGES = 20      # per variable; they may cycle in theory, and stopping early still leaves a feasible answer

cdef struct CArc:
    int tail
    int head
    long long distance
    long long weight

cdef struct Node:
    long long value
    long long surplus
    int parent
    int link            # the tight arc to its parent
    int first_child     # children in the order in which they came
    int last_child
    int previous
    int next
    int incident        # the first of its arcs in `incident`
    int waiting         # arcs to it whose tails have no value yet
    bint joined
    bint inside         # the subtree that is moved

cdef struct Network:
    int count
    int arcs
    Node* node          # and one more, which ends the incident arcs of the last
    CArc* arc
    int* incident       # the arcs at every variable
    int* members        # of the tree, parents before children
    int* queue
    Heap outward
    Heap inward
    char* memory        # which holds all this


cdef inline long long slack_of(const Network* n, const CArc* arc) noexcept nogil:
    return n.node[arc.head].value - n.node[arc.tail].value - arc.distance


cdef inline void add_child(Network* n, int parent, int v) noexcept nogil:
    cdef int last = n.node[parent].last_child
    n.node[v].parent, n.node[v].previous, n.node[v].next = parent, last, NONE
    if last == NONE:
        n.node[parent].first_child = v
    else:
        n.node[last].next = v
    n.node[parent].last_child = v


cdef inline void remove_child(Network* n, int parent, int v) noexcept nogil:
    cdef int before = n.node[v].previous
    cdef int after = n.node[v].next
    if before == NONE:
        n.node[parent].first_child = after
    else:
        n.node[before].next = after
    if after == NONE:
        n.node[parent].last_child = before
    else:
        n.node[after].previous = before


cdef inline void join(Network* n, int v, long long moved, int* number) noexcept nogil:
    """Let a variable, whose value is what it would be had the tree not moved, join it."""
    cdef Node* node = &n.node[v]
    cdef const CArc* arc
    cdef int i, a
    node.value -= moved
    node.joined = True
    node.first_child = node.last_child = NONE
    for i in range(node.incident, n.node[v + 1].incident):
        a = n.incident[i]
        arc = &n.arc[a]
        number[0] += 1
        if arc.tail == v:
            if not n.node[arc.head].joined:
                push(&n.outward, Entry(slack_of(n, arc), number[0], a))
        elif not n.node[arc.tail].joined:
            push(&n.inward, Entry(slack_of(n, arc), number[0], a))


cdef inline int grow(Network* n, int root) noexcept nogil:
    """As Prim does: move what is in the tree as a whole until the nearest arc out of it is tight; that joins.

    Returns how many variables are in the tree. While it grows, values of these are without its movement.
    """
    cdef long long moved = 0
    cdef int number = 0
    cdef int count = 1
    cdef int i, a, v, parent
    n.outward.count = n.inward.count = 0
    n.members[0] = root
    n.node[root].parent = NONE
    join(n, root, 0, &number)
    while True:
        while n.outward.count and n.node[n.arc[n.outward.entries[0].arc].head].joined:
            pop(&n.outward)
        while n.inward.count and n.node[n.arc[n.inward.entries[0].arc].tail].joined:
            pop(&n.inward)
        if n.outward.count and (
            not n.inward.count or n.outward.entries[0].key - moved <= n.inward.entries[0].key + moved
        ):
            a, moved = n.outward.entries[0].arc, n.outward.entries[0].key
            parent, v = n.arc[a].tail, n.arc[a].head
            pop(&n.outward)
        elif n.inward.count:
            a, moved = n.inward.entries[0].arc, -n.inward.entries[0].key
            parent, v = n.arc[a].head, n.arc[a].tail
            pop(&n.inward)
        else:
            break
        n.node[v].link = a
        add_child(n, parent, v)
        n.members[count] = v
        count += 1
        join(n, v, moved, &number)
    for i in range(count):
        n.node[n.members[i]].value += moved
    return count


cdef inline void find_surplus(Network* n, int count) noexcept nogil:
    cdef int i, k, v, child
    cdef const CArc* arc
    for i in range(count - 1, -1, -1):
        v = n.members[i]
        n.node[v].surplus = 0
        for k in range(n.node[v].incident, n.node[v + 1].incident):
            arc = &n.arc[n.incident[k]]
            n.node[v].surplus += arc.weight if arc.tail == v else -arc.weight
        child = n.node[v].first_child
        while child != NONE:
            n.node[v].surplus += n.node[child].surplus
            child = n.node[child].next


cdef inline void rehang(Network* n, int v, int inner, int outer, int entering) noexcept nogil:
    """Hang the subtree of v up at `outer` by the arc from there to `inner`, which becomes its root."""
    cdef long long total = n.node[v].surplus
    cdef long long below = 0
    cdef long long old_surplus
    cdef int parent = outer
    cdef int link = entering
    cdef int old_parent, old_link
    cdef int u = n.node[v].parent
    while u != NONE:
        n.node[u].surplus -= total
        u = n.node[u].parent
    u = outer
    while u != NONE:
        n.node[u].surplus += total
        u = n.node[u].parent
    u = inner
    while True:     # reverse the links from `inner` up to v
        old_parent, old_link, old_surplus = n.node[u].parent, n.node[u].link, n.node[u].surplus
        remove_child(n, old_parent, u)
        add_child(n, parent, u)
        n.node[u].link = link
        n.node[u].surplus = total - below
        if u == v:
            return
        parent, link, below, u = u, old_link, old_surplus, old_parent


cdef inline void exchange(Network* n, int v) noexcept nogil:
    """Let go of v's link, move its subtree until another arc is tight, and hang the subtree up by that one."""
    cdef bint down = n.arc[n.node[v].link].tail == v      # the link keeps v from rising
    cdef int count = 1
    cdef int best = NONE
    cdef int inner = NONE
    cdef int i, k, u, far, child
    cdef long long slack
    cdef long long least = 0
    cdef const CArc* arc
    n.queue[0] = v
    i = 0
    while i < count:
        n.node[n.queue[i]].inside = True
        child = n.node[n.queue[i]].first_child
        while child != NONE:
            n.queue[count] = child
            count += 1
            child = n.node[child].next
        i += 1
    for i in range(count):
        u = n.queue[i]
        for k in range(n.node[u].incident, n.node[u + 1].incident):
            arc = &n.arc[n.incident[k]]
            far = arc.tail if down else arc.head
            if n.node[far].inside:
                continue
            slack = slack_of(n, arc)
            if best == NONE or slack < least:
                best, least, inner = n.incident[k], slack, u
    for i in range(count):
        n.node[n.queue[i]].value += -least if down else least
        n.node[n.queue[i]].inside = False
    # There is one: a subtree that weights pull somewhere is tied to what pulls it.
    rehang(n, v, inner, n.arc[best].tail if down else n.arc[best].head, best)


cdef inline bint wants_to_go(const Network* n, int v) noexcept nogil:
    """Whether moving the subtree of v away from its parent is better."""
    if n.arc[n.node[v].link].tail == v:
        return n.node[v].surplus < 0
    return n.node[v].surplus > 0


cdef inline void optimise(Network* n, int count) noexcept nogil:
    """Exchange links until none is worth it; variables have their turn in the order in which they joined."""
    cdef int candidates = count - 1
    cdef int position = 0
    cdef int step
    for _ in range(EXCHANGES * candidates):
        step = 0
        while step < candidates and not wants_to_go(n, n.members[1 + (position + step) % candidates]):
            step += 1
        if step == candidates:
            return
        position = (position + step) % candidates
        exchange(n, n.members[1 + position])
