"""The order of one level as numbers: what the search for an order works on.

Items, pins, links and nets of a level are numbered, and what stands where is a number in an array. Links are numbered
channel by channel. All that changes are `item_at`, `pin_at`, `place` and `rank`.
"""

cdef enum:
    BOX = 0
    INPUT = 1
    OUTPUT = 2
    PASS = 3

cdef enum:
    THROUGH = 0
    LEFT = 1
    RIGHT = 2

cdef enum:
    WEST = 0
    EAST = 1

cdef enum:
    AHEAD = 0
    BACK = 1

cdef struct Span:
    int begin
    int end

cdef struct Item:
    int kind
    int layer
    int place           # from the top of its layer
    int declared        # of a boundary port
    bint backward
    bint rigid
    bint turns          # whether a link turns at it
    Span side[2]        # in pin_at: its pins to the west and to the east, from the top

cdef struct Pin:
    int item
    int declared
    bint port           # not of a passing wire
    double rank         # from the top, among all pins on its side of its layer
    Span links          # in pin_link

cdef struct Link:
    int net
    int kind
    int channel
    int a
    int b
    int left
    int right

cdef struct Net:
    int item            # where it begins
    Span links          # in net_link
    Span turns          # in net_turn: those of its links that turn, first that at its source
    Span way[2]         # in way_item: the items by which it passes layers ahead, and back
    int seen            # when it was last counted

cdef struct Order:
    int layers
    int items
    int pins
    int nets
    int channels
    Item* item
    Pin* pin
    Link* link
    Net* net
    Span* layer         # in item_at
    Span* channel       # in link
    bint* fixed         # of a layer: its items stay where they are
    int* item_at
    int* pin_at
    int* pin_link
    int* net_link
    int* net_turn
    int* way_item
    int count           # how often nets were counted
    # Room to work in:
    int* some_items     # items
    int* old_items      # items
    int* some_pins      # pins
    int* old_pins       # pins
    double* wanted      # items or pins
    int* old_places     # layers
    int* path           # layers, twice
    long long* cost     # items
    long long* sided    # items
    long long* reached  # items
    int* came_from      # items
    long long* table    # items of a layer times items of the next, for all layers


cdef inline int length(Span span) noexcept nogil:
    return span.end - span.begin


cdef inline void rank_items(Order* o, const int* items, int count) noexcept nogil:
    """Number these items of a layer, and their pins on each side, from the top: all counting goes by these numbers."""
    cdef int west = 0
    cdef int east = 0
    cdef int i, k
    cdef Item* item
    for i in range(count):
        item = &o.item[items[i]]
        item.place = i
        for k in range(item.side[WEST].begin, item.side[WEST].end):
            o.pin[o.pin_at[k]].rank = west
            west += 1
        for k in range(item.side[EAST].begin, item.side[EAST].end):
            o.pin[o.pin_at[k]].rank = east
            east += 1


cdef inline void rank_layer(Order* o, int layer) noexcept nogil:
    rank_items(o, o.item_at + o.layer[layer].begin, length(o.layer[layer]))


cdef inline void rank_all(Order* o) noexcept nogil:
    cdef int i
    for i in range(o.layers):
        rank_layer(o, i)


cdef inline void move_number(int* numbers, int origin, int target) noexcept nogil:
    """Take a number out and put it in again where it then has index `target`."""
    cdef int moved = numbers[origin]
    cdef int i
    if origin < target:
        for i in range(origin, target):
            numbers[i] = numbers[i + 1]
    else:
        for i in range(origin, target, -1):
            numbers[i] = numbers[i - 1]
    numbers[target] = moved
