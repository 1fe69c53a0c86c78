"""Sorting one layer by its neighbour: every item goes to the mean height of what it is wired to.

Source: Sugiyama, Tagawa & Toda (1981), Methods for visual understanding of hierarchical system structures, IEEE Trans.
SMC 11(2).
"""

from blocks.drawing.order cimport *


cdef inline int far_end(const Link* link, int pin) noexcept nogil:
    """The other end of a link."""
    return link.b if link.a == pin else link.a


cdef inline void sort_wanted(int* numbers, double* wanted, int count) noexcept nogil:
    """Sort numbers by what is wanted, stably. They are few."""
    cdef int i, j, number
    cdef double value
    for i in range(1, count):
        number, value = numbers[i], wanted[i]
        j = i
        while j > 0 and wanted[j - 1] > value:
            numbers[j], wanted[j] = numbers[j - 1], wanted[j - 1]
            j -= 1
        numbers[j], wanted[j] = number, value


cdef inline void sort_by_barycentre(Order* o, int layer, bint forward) noexcept nogil:
    """Sort by the mean rank of what the items are wired to; items without a wire on that side keep their place."""
    cdef Span places = o.layer[layer]
    cdef Span side
    cdef const Pin* pin
    cdef const Link* link
    cdef int* movable = o.some_items
    cdef int* slots = o.old_items
    cdef int found = 0
    cdef int i, k, n, ends
    cdef double total
    for i in range(places.begin, places.end):
        side = o.item[o.item_at[i]].side[WEST if forward else EAST]
        total = 0.0
        ends = 0
        for k in range(side.begin, side.end):
            pin = &o.pin[o.pin_at[k]]
            for n in range(pin.links.begin, pin.links.end):
                link = &o.link[o.pin_link[n]]
                if link.kind == THROUGH:
                    total += o.pin[far_end(link, o.pin_at[k])].rank
                    ends += 1
        if ends:
            o.wanted[found] = total / ends
            movable[found] = o.item_at[i]
            slots[found] = i
            found += 1
    sort_wanted(movable, o.wanted, found)
    for i in range(found):
        o.item_at[slots[i]] = movable[i]
    rank_layer(o, layer)


cdef inline void sort_side(Order* o, Span side, double beyond, int count) noexcept nogil:
    """Sort the ports of a side of a box; `count` are on that side of its layer."""
    cdef const Pin* pin
    cdef const Link* link
    cdef int* movable = o.some_pins
    cdef int* slots = o.old_pins
    cdef int found = 0
    cdef int k, n
    cdef double total, rank
    for k in range(side.begin, side.end):
        pin = &o.pin[o.pin_at[k]]
        total = 0.0
        for n in range(pin.links.begin, pin.links.end):
            link = &o.link[o.pin_link[n]]
            rank = o.pin[far_end(link, o.pin_at[k])].rank
            if link.kind == THROUGH:
                total += rank
            else:
                total += -1.0 - rank if rank < pin.rank else beyond + count - rank
        if length(pin.links):
            o.wanted[found] = total / length(pin.links)
            movable[found] = o.pin_at[k]
            slots[found] = k
            found += 1
    sort_wanted(movable, o.wanted, found)
    for k in range(found):
        o.pin_at[slots[k]] = movable[k]


cdef inline void sort_ports(Order* o, int layer, bint forward) noexcept nogil:
    """Sort the ports of every box likewise.

    A wire that turns counts as one to beyond the far layer, on the side to which it turns. Of several that turn to one
    side, the outermost port has the innermost wire.
    """
    cdef int towards = WEST if forward else EAST
    cdef Span side
    cdef const Pin* pin
    cdef const Link* link
    cdef double beyond = 0.0
    cdef int count = 0
    cdef int i, k, n
    for i in range(o.layer[layer].begin, o.layer[layer].end):
        side = o.item[o.item_at[i]].side[towards]
        count += length(side)
        for k in range(side.begin, side.end):
            pin = &o.pin[o.pin_at[k]]
            for n in range(pin.links.begin, pin.links.end):
                link = &o.link[o.pin_link[n]]
                if link.kind == THROUGH and o.pin[far_end(link, o.pin_at[k])].rank > beyond:
                    beyond = o.pin[far_end(link, o.pin_at[k])].rank
    for i in range(o.layer[layer].begin, o.layer[layer].end):
        side = o.item[o.item_at[i]].side[towards]
        if not o.item[o.item_at[i]].rigid and length(side) > 1:
            sort_side(o, side, beyond + 1.0, count)
    rank_layer(o, layer)
