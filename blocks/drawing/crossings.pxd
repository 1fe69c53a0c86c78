"""What is wrong with an order: crossings of wires and the like, counted from the order in the layers alone."""

from blocks.drawing.order cimport *

# A wire that runs back under its source and over its sink keeps the one above the other, and no wire between the two
# can be straight. That is as bad as this many crossings.
cdef enum:
    TWIST = 3


cdef inline int crosses(const Order* o, const Link* one, const Link* other) noexcept nogil:
    """1 when two links in the same channel cross; those of one net never do."""
    cdef double a, b, c, d
    if one.net == other.net:
        return 0
    if one.kind == THROUGH:
        if other.kind == THROUGH:
            return (
                (o.pin[one.left].rank < o.pin[other.left].rank) != (o.pin[one.right].rank < o.pin[other.right].rank)
            )
        return crosses(o, other, one)
    a, b = o.pin[one.a].rank, o.pin[one.b].rank
    if other.kind == THROUGH:
        c = o.pin[other.left if one.kind == LEFT else other.right].rank
        return (a < c) != (b < c)
    if other.kind != one.kind:
        return 0
    c, d = o.pin[other.a].rank, o.pin[other.b].rank
    return ((a < c) != (b < c)) != ((a < d) != (b < d))


cdef inline int crossings_in_channel(const Order* o, int link) noexcept nogil:
    """How many others in its channel cross a link."""
    cdef Span channel = o.channel[o.link[link].channel]
    cdef int count = 0
    cdef int i
    for i in range(channel.begin, channel.end):
        count += crosses(o, &o.link[link], &o.link[i])
    return count


cdef inline int crossings_of_pins(const Order* o, int one, int other) noexcept nogil:
    """Crossings of the links of a pin with those of another on the same side of the layer."""
    cdef const Pin* p = &o.pin[one]
    cdef const Pin* q = &o.pin[other]
    cdef int count = 0
    cdef int i, j
    for i in range(p.links.begin, p.links.end):
        for j in range(q.links.begin, q.links.end):
            count += crosses(o, &o.link[o.pin_link[i]], &o.link[o.pin_link[j]])
    return count


cdef inline int crossings_of_sides(const Order* o, Span one, Span other) noexcept nogil:
    """Crossings of links of the pins of an item with those of another, on the same side."""
    cdef int count = 0
    cdef int i, j
    for i in range(one.begin, one.end):
        for j in range(other.begin, other.end):
            count += crossings_of_pins(o, o.pin_at[i], o.pin_at[j])
    return count


cdef inline int twists(const Order* o, const Net* net) noexcept nogil:
    """To how many sinks the net runs back on the other side of the box than at its source."""
    cdef int count = 0
    cdef bint under_source
    cdef const Link* turn
    cdef int i
    if net.turns.begin == net.turns.end:
        return 0
    turn = &o.link[o.net_turn[net.turns.begin]]
    under_source = o.pin[turn.b].rank > o.pin[turn.a].rank
    for i in range(net.turns.begin + 1, net.turns.end):
        turn = &o.link[o.net_turn[i]]
        count += (o.pin[turn.a].rank > o.pin[turn.b].rank) != under_source
    return count


cdef inline int twists_at(Order* o, Span side) noexcept nogil:
    """What the twists of all nets count that turn at these pins."""
    cdef int count = 0
    cdef int i, j
    cdef const Pin* pin
    cdef const Link* link
    cdef Net* net
    o.count += 1
    for i in range(side.begin, side.end):
        pin = &o.pin[o.pin_at[i]]
        for j in range(pin.links.begin, pin.links.end):
            link = &o.link[o.pin_link[j]]
            net = &o.net[link.net]
            if link.kind != THROUGH and net.seen != o.count:
                net.seen = o.count
                count += twists(o, net)
    return TWIST * count


cdef inline int tangle(const Order* o) noexcept nogil:
    """Crossings of pieces of wire of different nets, over all channels, and the twists of all nets."""
    cdef int count = 0
    cdef int c, i, j
    for i in range(o.nets):
        count += twists(o, &o.net[i])
    count *= TWIST
    for c in range(o.channels):
        for i in range(o.channel[c].begin, o.channel[c].end):
            for j in range(o.channel[c].begin, i):
                count += crosses(o, &o.link[i], &o.link[j])
    return count


cdef inline int tangle_of_item(Order* o, const Item* item) noexcept nogil:
    """Crossings of the links of an item with all others, and the twists of nets that turn at it."""
    cdef int count = 0
    cdef int k, i
    cdef const Pin* pin
    for k in range(item.side[WEST].begin, item.side[EAST].end):
        pin = &o.pin[o.pin_at[k]]
        for i in range(pin.links.begin, pin.links.end):
            count += crossings_in_channel(o, o.pin_link[i])
    if item.turns:
        count += twists_at(o, Span(item.side[WEST].begin, item.side[EAST].end))
    return count


cdef inline int tangle_of_net(const Order* o, const Net* net) noexcept nogil:
    """Crossings of the links of a net with all others, and its twists."""
    cdef int count = TWIST * twists(o, net)
    cdef int i
    for i in range(net.links.begin, net.links.end):
        count += crossings_in_channel(o, o.net_link[i])
    return count


cdef inline int tangle_of_neighbours(Order* o, const Item* one, const Item* other) noexcept nogil:
    """Crossings of links of two neighbours, and the twists of the nets: all that changes when they change places."""
    cdef int count = 0
    cdef int side
    for side in range(2):
        count += crossings_of_sides(o, one.side[side], other.side[side])
        if one.turns:
            count += twists_at(o, one.side[side])
    return count


cdef inline int untidy(const Item* above, const Item* below) noexcept nogil:
    """1 when a wire that runs back is above a box, or two boundary ports are not in their declared order."""
    if above.kind == PASS:
        return above.backward and below.kind == BOX
    return above.kind != BOX and above.kind == below.kind and above.declared > below.declared


cdef inline int untidiness(const Order* o) noexcept nogil:
    """How untidy the order is, crossings apart."""
    cdef int count = 0
    cdef int n, i, j
    cdef Span span
    for n in range(o.layers):
        span = o.layer[n]
        for i in range(span.begin, span.end):
            for j in range(span.begin, i):
                count += untidy(&o.item[o.item_at[j]], &o.item[o.item_at[i]])
    for n in range(2 * o.items):
        span = o.item[n // 2].side[n % 2]
        for i in range(span.begin, span.end):
            for j in range(span.begin, i):
                count += o.pin[o.pin_at[j]].declared > o.pin[o.pin_at[i]].declared
    return count
