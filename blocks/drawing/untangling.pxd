"""Small moves that take crossings out of an order: each is kept only when it makes the order better."""

from blocks.drawing.crossings cimport *
from blocks.drawing.order cimport *


cdef inline void exchange_items(Order* o, int i) noexcept nogil:
    """Let an item of a layer, at i in item_at, and the one below change places."""
    cdef Item* above = &o.item[o.item_at[i]]
    cdef Item* below = &o.item[o.item_at[i + 1]]
    cdef int side, k
    for side in range(2):
        for k in range(above.side[side].begin, above.side[side].end):
            o.pin[o.pin_at[k]].rank += length(below.side[side])
        for k in range(below.side[side].begin, below.side[side].end):
            o.pin[o.pin_at[k]].rank -= length(above.side[side])
    above.place, below.place = below.place, above.place
    o.item_at[i], o.item_at[i + 1] = o.item_at[i + 1], o.item_at[i]


cdef inline void exchange_pins(Order* o, int k) noexcept nogil:
    """The same for a pin of a side, at k in pin_at, and the one below."""
    cdef int above = o.pin_at[k]
    cdef int below = o.pin_at[k + 1]
    o.pin[above].rank, o.pin[below].rank = o.pin[below].rank, o.pin[above].rank
    o.pin_at[k], o.pin_at[k + 1] = below, above


cdef inline bint swap_items(Order* o, int i) noexcept nogil:
    """Let an item and the one below change places if that is better."""
    cdef Item* above = &o.item[o.item_at[i]]
    cdef Item* below = &o.item[o.item_at[i + 1]]
    cdef int change = untidy(below, above) - untidy(above, below)
    cdef int before = tangle_of_neighbours(o, above, below)
    cdef int gain
    if before == 0 and change >= 0:
        return False
    exchange_items(o, i)
    gain = before - tangle_of_neighbours(o, above, below)
    if gain > 0 or (gain == 0 and change < 0):
        return True
    exchange_items(o, i)
    return False


cdef inline bint swap_ports(Order* o, int k) noexcept nogil:
    """The same for a port of a box and the one below."""
    cdef int above = o.pin_at[k]
    cdef int below = o.pin_at[k + 1]
    cdef bint declared = o.pin[above].declared < o.pin[below].declared
    cdef int before = crossings_of_pins(o, above, below)
    cdef int gain
    if before == 0 and declared:
        return False
    exchange_pins(o, k)
    gain = before - crossings_of_pins(o, above, below)
    if gain > 0 or (gain == 0 and not declared):
        return True
    exchange_pins(o, k)
    return False


cdef inline bint swap_neighbours(Order* o) noexcept nogil:
    """Let neighbours change places, in layers and on sides of boxes, until that helps no more."""
    cdef bint changed = False
    cdef bint again = True
    cdef int layer, i, n, k
    cdef const Item* item
    while again:
        again = False
        for layer in range(o.layers):
            if not o.fixed[layer]:
                for i in range(o.layer[layer].begin, o.layer[layer].end - 1):
                    again |= swap_items(o, i)
            for i in range(o.layer[layer].begin, o.layer[layer].end):
                item = &o.item[o.item_at[i]]
                if not item.rigid:
                    for n in range(2):
                        for k in range(item.side[n].begin, item.side[n].end - 1):
                            again |= swap_ports(o, k)
        changed |= again
    return changed


cdef inline int pass_item(Order* o, const Item* item, int i) noexcept nogil:
    """Let an item pass the one below or above it, of which the upper is at i in item_at; by how much more tangles."""
    cdef Item* above = &o.item[o.item_at[i]]
    cdef const Item* other = &o.item[o.item_at[i + 1]] if above == item else above
    cdef int before = tangle_of_neighbours(o, item, other)
    exchange_items(o, i)
    return tangle_of_neighbours(o, item, other) - before


cdef inline bint sift_item(Order* o, Span layer, const Item* item) noexcept nogil:
    """Move an item to where in its layer it crosses least: where others are as good, up to the uppermost if at all."""
    cdef int here = layer.begin + item.place
    cdef int best = here
    cdef int least = 0
    cdef int more = 0       # than before
    cdef int i
    if tangle_of_item(o, item) == 0:
        return False
    for i in range(here - 1, layer.begin - 1, -1):
        more += pass_item(o, item, i)
        if more < least or (more == least and best != here):
            least, best = more, i
    move_number(o.item_at, layer.begin, here)
    rank_items(o, o.item_at + layer.begin, length(layer))
    more = 0
    for i in range(here + 1, layer.end):
        more += pass_item(o, item, i - 1)
        if more < least:
            least, best = more, i
    move_number(o.item_at, layer.end - 1, best)
    rank_items(o, o.item_at + layer.begin, length(layer))
    return best != here


cdef inline bint sift_items(Order* o) noexcept nogil:
    """Move single items to where they cross least (sifting: Matuszewski, Schönfeld & Molitor 1999)."""
    cdef bint changed = False
    cdef int layer, i
    for layer in range(o.layers):
        if o.fixed[layer] or length(o.layer[layer]) < 3:
            continue
        for i in range(length(o.layer[layer])):
            o.old_items[i] = o.item_at[o.layer[layer].begin + i]
        for i in range(length(o.layer[layer])):
            changed |= sift_item(o, o.layer[layer], &o.item[o.old_items[i]])
    return changed


cdef inline int pass_port(Order* o, int pin, int k, int* inversions) noexcept nogil:
    """Let a port pass the one below or above it, of which the upper is at k in pin_at; how many more crossings."""
    cdef int other = o.pin_at[k + 1] if o.pin_at[k] == pin else o.pin_at[k]
    cdef int before = crossings_of_pins(o, pin, other)
    inversions[0] += 1 if o.pin[o.pin_at[k]].declared < o.pin[o.pin_at[k + 1]].declared else -1
    exchange_pins(o, k)
    return crossings_of_pins(o, pin, other) - before


cdef inline bint sift_port(Order* o, Span side, int pin) noexcept nogil:
    """Move a port to where on its side it crosses least and, among such places, passes least others out of order."""
    cdef int here = side.begin
    cdef int least = 0
    cdef int fewest = 0
    cdef int more = 0           # crossings than before
    cdef int inversions = 0     # more than before
    cdef int best, k
    while o.pin_at[here] != pin:
        here += 1
    best = here
    for k in range(here - 1, side.begin - 1, -1):
        more += pass_port(o, pin, k, &inversions)
    for k in range(side.begin, side.end):
        if k > side.begin:
            more += pass_port(o, pin, k - 1, &inversions)
        if more < least or (more == least and inversions < fewest):
            best, least, fewest = k, more, inversions
    for k in range(side.end - 2, best - 1, -1):
        exchange_pins(o, k)
    return best != here


cdef inline bint sift_ports(Order* o) noexcept nogil:
    """The same for ports on their side of a box: a port may pass others, without wires say, that are in its way."""
    cdef bint changed = False
    cdef Span side
    cdef int layer, i, n, k
    cdef const Item* item
    for layer in range(o.layers):
        for i in range(o.layer[layer].begin, o.layer[layer].end):
            item = &o.item[o.item_at[i]]
            for n in range(2):
                side = item.side[n]
                if item.rigid or length(side) < 3:
                    continue
                for k in range(side.begin, side.end):
                    o.old_pins[k] = o.pin_at[k]
                for k in range(side.begin, side.end):
                    changed |= sift_port(o, side, o.old_pins[k])
    return changed
