"""The Python face of the search for an order, and only that: `Arrangement` takes a level as numbers and gives it back.

The search counts crossings millions of times, which is why it is compiled. What it does stands in a file for each idea:
order.pxd (the numbers), crossings.pxd, sweeping.pxd, untangling.pxd, rerouting.pxd.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from blocks.drawing.crossings cimport TWIST, tangle, untidiness
from blocks.drawing.order cimport *
from blocks.drawing.rerouting cimport reroute_wires
from blocks.drawing.sweeping cimport sort_by_barycentre, sort_ports
from blocks.drawing.untangling cimport sift_items, sift_ports, swap_neighbours

from blocks.drawing.layers import Kind, LinkKind

COST_OF_TWIST = TWIST
Cost = tuple[int, int]

cdef enum:
    SWEEPS = 6
    ROUNDS = 5      # of local moves
    MEMORY = 32

cdef dict _KINDS = {Kind.BOX: BOX, Kind.INPUT: INPUT, Kind.OUTPUT: OUTPUT, Kind.PASS: PASS}
cdef dict _LINK_KINDS = {LinkKind.THROUGH: THROUGH, LinkKind.LEFT: LEFT, LinkKind.RIGHT: RIGHT}


cdef class Arrangement:
    """The order of a level as numbers; the layers whose numbers are in `fixed` stay as they are.

    A cost is how many wires cross (and what counts as such), then how untidy the order is otherwise; to be compared as
    a whole. Items are numbered by the layers in which they stand, as they stood at first.
    """

    cdef Order o
    cdef void* memory[MEMORY]
    cdef int taken
    cdef object level
    cdef list items
    cdef list pins

    def __cinit__(self):
        self.taken = 0

    def __dealloc__(self):
        cdef int i
        for i in range(self.taken):
            free(self.memory[i])

    cdef void* take(self, size_t count, size_t size) except NULL:
        """Memory of zeros, freed with this object."""
        cdef void* memory = calloc(count + 1, size)
        if memory == NULL:
            raise MemoryError
        self.memory[self.taken] = memory
        self.taken += 1
        return memory

    def __init__(self, level, fixed=()):
        if self.taken:
            raise TypeError("an arrangement cannot be made anew")
        self.level = level
        self.items = [item for layer in level.layers for item in layer]
        self.pins = [pin for item in self.items for side in (item.west, item.east) for pin in side]
        links = [link for channel in level.channels for link in channel]
        item_number = {item: i for i, item in enumerate(self.items)}
        pin_number = {pin: i for i, pin in enumerate(self.pins)}
        link_number = {link: i for i, link in enumerate(links)}
        net_number = {net: i for i, net in enumerate(level.nets)}
        self.make_room(level, len(links))
        self.read_layers(level, fixed)
        self.read_items()
        self.read_pins(item_number, link_number)
        self.read_links(level.channels, net_number, pin_number)
        self.read_nets(level.nets, item_number, link_number)
        rank_all(&self.o)

    cdef make_room(self, level, int links):
        cdef Order* o = &self.o
        cdef size_t table = 0
        o.layers, o.items, o.pins = len(level.layers), len(self.items), len(self.pins)
        o.nets, o.channels = len(level.nets), len(level.channels)
        for here, there in zip(level.layers, level.layers[1:]):
            table += <size_t>len(here) * <size_t>len(there)
        o.item = <Item*>self.take(o.items, sizeof(Item))
        o.pin = <Pin*>self.take(o.pins, sizeof(Pin))
        o.link = <Link*>self.take(links, sizeof(Link))
        o.net = <Net*>self.take(o.nets, sizeof(Net))
        o.layer = <Span*>self.take(o.layers, sizeof(Span))
        o.channel = <Span*>self.take(o.channels, sizeof(Span))
        o.fixed = <bint*>self.take(o.layers, sizeof(bint))
        o.item_at = <int*>self.take(o.items + o.pins, sizeof(int))
        o.pin_at = o.item_at + o.items      # behind, so that both are copied at once
        o.pin_link = <int*>self.take(2 * links, sizeof(int))
        o.net_link = <int*>self.take(links, sizeof(int))
        o.net_turn = <int*>self.take(links, sizeof(int))
        o.way_item = <int*>self.take(o.items, sizeof(int))
        o.some_items = <int*>self.take(o.items, sizeof(int))
        o.old_items = <int*>self.take(o.items, sizeof(int))
        o.some_pins = <int*>self.take(o.pins, sizeof(int))
        o.old_pins = <int*>self.take(o.pins, sizeof(int))
        o.wanted = <double*>self.take(o.items + o.pins, sizeof(double))
        o.old_places = <int*>self.take(o.layers, sizeof(int))
        o.path = <int*>self.take(2 * o.layers, sizeof(int))
        o.cost = <long long*>self.take(o.items, sizeof(long long))
        o.sided = <long long*>self.take(o.items, sizeof(long long))
        o.reached = <long long*>self.take(o.items, sizeof(long long))
        o.came_from = <int*>self.take(o.items, sizeof(int))
        o.table = <long long*>self.take(table, sizeof(long long))

    cdef read_layers(self, level, fixed):
        cdef int count = 0
        cdef int i
        for i, layer in enumerate(level.layers):
            self.o.layer[i] = Span(count, count + len(layer))
            self.o.fixed[i] = i in fixed
            count += len(layer)

    cdef read_items(self):
        cdef int count = 0
        cdef int i
        cdef Item* own
        for i, item in enumerate(self.items):
            own = &self.o.item[i]
            own.kind, own.layer = _KINDS[item.kind], item.layer
            own.backward, own.rigid = item.backward, item.rigid
            own.declared = (item.west or item.east)[0].declared if own.kind in (INPUT, OUTPUT) else 0
            own.side[WEST] = Span(count, count + len(item.west))
            count += len(item.west)
            own.side[EAST] = Span(count, count + len(item.east))
            count += len(item.east)
            self.o.item_at[i] = i

    cdef read_pins(self, dict item_number, dict link_number):
        cdef int count = 0
        cdef int i
        cdef Pin* own
        for i, pin in enumerate(self.pins):
            own = &self.o.pin[i]
            own.item, own.declared, own.port = item_number[pin.item], pin.declared, pin.port is not None
            own.links.begin = count
            for link in pin.links:
                self.o.pin_link[count] = link_number[link]
                count += 1
            own.links.end = count
            self.o.pin_at[i] = i

    cdef read_links(self, channels, dict net_number, dict pin_number):
        cdef int count = 0
        cdef int i
        cdef Link* own
        for i, channel in enumerate(channels):
            self.o.channel[i].begin = count
            for link in channel:
                own = &self.o.link[count]
                own.net, own.kind, own.channel = net_number[link.net], _LINK_KINDS[link.kind], i
                own.a, own.b = pin_number[link.a], pin_number[link.b]
                own.left, own.right = pin_number[link.left], pin_number[link.right]
                if own.kind != THROUGH:
                    self.o.item[self.o.pin[own.a].item].turns = self.o.item[self.o.pin[own.b].item].turns = True
                count += 1
            self.o.channel[i].end = count

    cdef read_nets(self, nets, dict item_number, dict link_number):
        cdef int links = 0
        cdef int turns = 0
        cdef int items = 0
        cdef int i, n
        cdef Net* own
        for i, net in enumerate(nets):
            own = &self.o.net[i]
            own.item = item_number[net.pin.item]
            own.links.begin, own.turns.begin = links, turns
            for link in net.links:
                self.o.net_link[links] = link_number[link]
                if self.o.link[self.o.net_link[links]].kind != THROUGH:
                    self.o.net_turn[turns] = self.o.net_link[links]
                    turns += 1
                links += 1
            own.links.end, own.turns.end = links, turns
            for n, way in enumerate((net.ahead, net.back)):
                own.way[n].begin = items
                for item in way:
                    self.o.way_item[items] = item_number[item]
                    items += 1
                own.way[n].end = items

    def apply(self):
        """Give the level this order."""
        cdef Span span
        cdef int i, k
        for i, layer in enumerate(self.level.layers):
            span = self.o.layer[i]
            layer[:] = [self.items[self.o.item_at[k]] for k in range(span.begin, span.end)]
        for i, item in enumerate(self.items):
            span = self.o.item[i].side[WEST]
            item.west[:] = [self.pins[self.o.pin_at[k]] for k in range(span.begin, span.end)]
            span = self.o.item[i].side[EAST]
            item.east[:] = [self.pins[self.o.pin_at[k]] for k in range(span.begin, span.end)]

    # --- the order as a whole ----------------------------------------------------------------------------------------

    @property
    def snapshot(self):
        """The present order, to come back to."""
        return PyBytes_FromStringAndSize(<char*>self.o.item_at, (self.o.items + self.o.pins) * sizeof(int))

    def restore(self, bytes snapshot):
        """Come back to a snapshot of this arrangement."""
        cdef size_t size = (self.o.items + self.o.pins) * sizeof(int)
        if <size_t>len(snapshot) != size:
            raise ValueError("this is no snapshot of this arrangement")
        memcpy(self.o.item_at, PyBytes_AS_STRING(snapshot), size)
        rank_all(&self.o)

    @property
    def layers(self):
        """The numbers of the items of every layer, from the top."""
        cdef int i, k
        return [
            [self.o.item_at[k] for k in range(self.o.layer[i].begin, self.o.layer[i].end)] for i in range(self.o.layers)
        ]

    @layers.setter
    def layers(self, layers):
        cdef int k = 0
        if [sorted(layer) for layer in layers] != [sorted(layer) for layer in self.layers]:
            raise ValueError("every layer must have the items that it had")
        for layer in layers:
            for item in layer:
                self.o.item_at[k] = item
                k += 1
        rank_all(&self.o)

    @property
    def ways_back(self):
        """For each net that runs back, the items by which it passes layers: pairs of layer and item."""
        cdef int i, k
        ways = []
        for i in range(self.o.nets):
            way = []
            for k in range(self.o.net[i].way[BACK].begin, self.o.net[i].way[BACK].end):
                way.append((self.o.item[self.o.way_item[k]].layer, self.o.way_item[k]))
            if way:
                ways.append(way)
        return ways

    @property
    def tangle(self):
        """How many wires cross, and what counts as such."""
        return tangle(&self.o)

    @property
    def cost(self):
        """What is wrong with the order."""
        return tangle(&self.o), untidiness(&self.o)

    # --- moves; those that return something say whether they changed anything ----------------------------------------

    def move(self, int layer, int origin, int target):
        """Take the item at one place of a layer and put it in at another."""
        cdef Span span
        if not 0 <= layer < self.o.layers:
            raise IndexError(f"there is no layer {layer}")
        span = self.o.layer[layer]
        if not (0 <= origin < length(span) and 0 <= target < length(span)):
            raise IndexError(f"layer {layer} has places 0 to {length(span) - 1}, but not both {origin} and {target}")
        move_number(self.o.item_at + span.begin, origin, target)
        rank_layer(&self.o, layer)

    def follow(self, int centre, bint with_ports):
        """Sort the layers on both sides of one by it, outward, and if so wanted the ports of all layers."""
        cdef int layer
        if not 0 <= centre < self.o.layers:
            raise IndexError(f"there is no layer {centre}")
        for layer in range(centre, self.o.layers):
            self.follow_in(layer, layer > centre, True, with_ports)
        for layer in range(centre - 1, -1, -1):
            self.follow_in(layer, True, False, with_ports)

    cdef void follow_in(self, int layer, bint items, bint forward, bint ports) noexcept:
        if items and not self.o.fixed[layer]:
            sort_by_barycentre(&self.o, layer, forward)
        if ports:
            sort_ports(&self.o, layer, True)
            sort_ports(&self.o, layer, False)

    def sweep(self, bint with_ports):
        """Sort each layer by its neighbour, forward and back, and keep the best order on the way."""
        cdef Order* o = &self.o
        cdef int least = tangle(o)
        cdef int sweep, step, layer, tangled
        cdef bint forward
        best = self.snapshot
        for sweep in range(SWEEPS):
            forward = sweep % 2 == 0
            for step in range(1, o.layers):
                layer = step if forward else o.layers - 1 - step
                if not o.fixed[layer]:
                    sort_by_barycentre(o, layer, forward)
                if with_ports:
                    sort_ports(o, layer, forward)
            tangled = tangle(o)
            if tangled < least:
                best, least = self.snapshot, tangled
        self.restore(best)

    def swap_neighbours(self):
        return swap_neighbours(&self.o)

    def reroute_wires(self):
        return reroute_wires(&self.o)

    def sift_ports(self):
        return sift_ports(&self.o)

    def sift_items(self):
        return sift_items(&self.o)

    def improve(self):
        """Local moves until none helps."""
        cdef bint changed
        for _ in range(ROUNDS):
            changed = swap_neighbours(&self.o)
            changed |= reroute_wires(&self.o)
            changed |= sift_ports(&self.o)
            changed |= sift_items(&self.o)
            if not changed:
                return
