"""Lead a wire anew through all the layers that it passes.

Where a wire passes several layers, no single step of it can go to the other side of a box without crossing something
twice. So the best places in all those layers are found at once, by dynamic programming from layer to layer.

A way is the items by which a net passes layers. While it is led anew, each of these is the last in its layer and has no
rank, and may go to any place: above one of the others, or stay below all.
"""

from blocks.drawing.crossings cimport *
from blocks.drawing.order cimport *

cdef enum:
    CROSSING = 100000       # in units of untidiness, so that both fit into one number
    NEVER = 10000000        # crossings


cdef inline Item* step_of(const Order* o, Span way, int step) noexcept nogil:
    """The item by which a way passes its layer at a step."""
    return &o.item[o.way_item[way.begin + step]]


cdef inline int places_at(const Order* o, Span way, int step) noexcept nogil:
    """How many places there are at a step."""
    return length(o.layer[step_of(o, way, step).layer])


cdef inline int untidy_at(const Order* o, const Item* item, int place) noexcept nogil:
    """How many from a place on in its layer the item should not be above."""
    cdef Span layer = o.layer[item.layer]
    cdef int count = 0
    cdef int i
    for i in range(layer.begin + place, layer.end):
        count += untidy(item, &o.item[o.item_at[i]])
    return count


cdef inline long long cost_of_way(const Order* o, const Net* net, Span way) noexcept nogil:
    """What the net costs, and how untidy this way of it is."""
    cdef long long cost = <long long>CROSSING * tangle_of_net(o, net)
    cdef int step
    for step in range(length(way)):
        cost += untidy_at(o, step_of(o, way, step), step_of(o, way, step).place)
    return cost


cdef inline void add_crossings_at_ports(Order* o, const Item* item, int side, long long* cost) noexcept nogil:
    """Add, for each place of a passing item, what crosses its links to ports on one side."""
    cdef int number = o.pin_at[item.side[side].begin]
    cdef Pin* pin = &o.pin[number]
    cdef Span layer = o.layer[item.layer]
    cdef const Link* link
    cdef int above = 0
    cdef int place, i
    for place in range(length(layer)):
        pin.rank = above - 0.5
        for i in range(pin.links.begin, pin.links.end):
            link = &o.link[o.pin_link[i]]
            if o.pin[link.b if link.a == number else link.a].port:
                cost[place] += <long long>CROSSING * crossings_in_channel(o, o.pin_link[i])
        above += length(o.item[o.item_at[layer.begin + place]].side[side])


cdef inline void find_costs_alone(Order* o, const Item* item, long long* cost) noexcept nogil:
    """What each place of an item costs by the links to its net's ports."""
    cdef int place
    for place in range(length(o.layer[item.layer])):
        cost[place] = untidy_at(o, item, place)
    add_crossings_at_ports(o, item, WEST, cost)
    add_crossings_at_ports(o, item, EAST, cost)


cdef inline void find_costs_of_pair(const Order* o, int net, Span way, int step, long long* table) noexcept nogil:
    """What each place at a step with each at the next costs by crossings of the link between them.

    Another link crosses that if it ends below it, seen from the place there, at one end and above it at the other. One
    place further down only what ends just above changes sides, so what rows differ by is noted first, then summed.
    """
    cdef const Item* here = step_of(o, way, step)
    cdef const Item* there = step_of(o, way, step + 1)
    cdef int rows = places_at(o, way, step)
    cdef int columns = places_at(o, way, step + 1)
    cdef Span channel = o.channel[min(here.layer, there.layer)]
    cdef const Item* a
    cdef const Item* b
    cdef int i, q
    for i in range(rows * columns):
        table[i] = 0
    for i in range(channel.begin, channel.end):
        if o.link[i].net == net:
            continue
        a, b = &o.item[o.pin[o.link[i].a].item], &o.item[o.pin[o.link[i].b].item]
        if a.layer != here.layer or (b.layer == here.layer and a.place > b.place):
            a, b = b, a
        if a.layer == there.layer:
            for q in range(min(a.place, b.place) + 1, max(a.place, b.place) + 1):
                table[q] += CROSSING
        elif b.layer == here.layer:
            for q in range(columns):
                table[(a.place + 1) * columns + q] += CROSSING
                table[(b.place + 1) * columns + q] -= CROSSING
        else:
            for q in range(b.place + 1):
                table[(a.place + 1) * columns + q] += CROSSING
            for q in range(b.place + 1, columns):
                table[q] += CROSSING
                table[(a.place + 1) * columns + q] -= CROSSING
    for i in range(columns, rows * columns):
        table[i] += table[i - columns]


cdef inline void forbid_other_side(const Order* o, const Net* net, bint under, long long* cost) noexcept nogil:
    """Let a way back begin under its source or over it, and make it a twist to come to a sink on the other side."""
    cdef Span way = net.way[BACK]
    cdef const Item* item
    cdef const Pin* west
    cdef const Link* link
    cdef int home = o.item[net.item].place
    cdef int step, place, i
    for step in range(length(way)):
        item = step_of(o, way, step)
        west = &o.pin[o.pin_at[item.side[WEST].begin]]
        for place in range(places_at(o, way, step)):
            if step == 0 and (place > home) != under:
                cost[place] = <long long>CROSSING * NEVER
            for i in range(west.links.begin, west.links.end):
                link = &o.link[o.pin_link[i]]
                if link.kind == RIGHT and (place > o.item[o.pin[link.b].item].place) != under:
                    cost[place] += TWIST * CROSSING
        cost += places_at(o, way, step)


cdef inline long long least_path(
    const Order* o, Span way, const long long* cost, const long long* table,
    long long* reached, int* came_from, int* path,
) noexcept nogil:
    """One place per step such that the costs of the places and of neighbouring pairs are least; returns their sum."""
    cdef int rows = places_at(o, way, 0)
    cdef int columns, step, p, q
    cdef int offset = 0
    cdef long long total
    for p in range(rows):
        reached[p] = cost[p]
    for step in range(1, length(way)):
        columns = places_at(o, way, step)
        for q in range(columns):
            total = reached[offset] + table[q]
            came_from[offset + rows + q] = 0
            for p in range(1, rows):
                if reached[offset + p] + table[p * columns + q] < total:
                    total = reached[offset + p] + table[p * columns + q]
                    came_from[offset + rows + q] = p
            reached[offset + rows + q] = total + cost[offset + rows + q]
        table += rows * columns
        offset += rows
        rows = columns
    p = 0
    for q in range(1, rows):
        if reached[offset + q] < reached[offset + p]:
            p = q
    total = reached[offset + p]
    for step in range(length(way) - 1, 0, -1):
        path[step] = p
        p = came_from[offset + p]
        offset -= places_at(o, way, step - 1)
    path[0] = p
    return total


cdef inline bint is_lower(const int* one, const int* other, int count) noexcept nogil:
    """Whether the first of the numbers that differ is the lower one."""
    cdef int i
    for i in range(count):
        if one[i] != other[i]:
            return one[i] < other[i]
    return False


cdef inline const int* best_path(Order* o, int number, Span way) noexcept nogil:
    """For every step the best place."""
    cdef const Net* net = &o.net[number]
    cdef int* path = o.path
    cdef int* other = o.path + o.layers
    cdef long long* sided = o.sided
    cdef long long over, under
    cdef int count = 0
    cdef int pairs = 0
    cdef int step, i
    for step in range(length(way)):
        find_costs_alone(o, step_of(o, way, step), o.cost + count)
        count += places_at(o, way, step)
        if step + 1 < length(way):
            find_costs_of_pair(o, number, way, step, o.table + pairs)
            pairs += places_at(o, way, step) * places_at(o, way, step + 1)
    if way.begin != net.way[BACK].begin:
        least_path(o, way, o.cost, o.table, o.reached, o.came_from, path)
        return path
    for i in range(count):
        sided[i] = o.cost[i]
    forbid_other_side(o, net, True, sided)
    under = least_path(o, way, sided, o.table, o.reached, o.came_from, path)
    for i in range(count):
        sided[i] = o.cost[i]
    forbid_other_side(o, net, False, sided)
    over = least_path(o, way, sided, o.table, o.reached, o.came_from, other)
    if over < under or (over == under and is_lower(other, path, length(way))):
        return other
    return path


cdef inline bint reroute(Order* o, int number, Span way) noexcept nogil:
    """Give one way of a net the best places if they are better."""
    cdef const Net* net = &o.net[number]
    cdef long long before = cost_of_way(o, net, way)
    cdef const int* path
    cdef const Item* item
    cdef Span layer
    cdef int step
    if before == 0:
        return False
    for step in range(length(way)):
        item = step_of(o, way, step)
        layer = o.layer[item.layer]
        o.old_places[step] = item.place
        move_number(o.item_at + layer.begin, item.place, length(layer) - 1)
        rank_items(o, o.item_at + layer.begin, length(layer) - 1)
    path = best_path(o, number, way)
    for step in range(length(way)):
        put_last(o, step_of(o, way, step).layer, path[step])
    if cost_of_way(o, net, way) < before:
        return True
    for step in range(length(way)):
        item = step_of(o, way, step)
        layer = o.layer[item.layer]
        move_number(o.item_at + layer.begin, item.place, o.old_places[step])
        rank_layer(o, item.layer)
    return False


cdef inline void put_last(Order* o, int layer, int place) noexcept nogil:
    """Move the last item of a layer to a place."""
    move_number(o.item_at + o.layer[layer].begin, length(o.layer[layer]) - 1, place)
    rank_layer(o, layer)


cdef inline bint reroute_wires(Order* o) noexcept nogil:
    """Give every wire that passes layers the best way, all others staying where they are."""
    cdef bint changed = False
    cdef int i, way
    for i in range(o.nets):
        for way in range(2):
            if length(o.net[i].way[way]):
                changed |= reroute(o, i, o.net[i].way[way])
    return changed
