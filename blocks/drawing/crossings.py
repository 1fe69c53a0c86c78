"""What is wrong with an order: crossings of wires and the like, counted from the order in the layers alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .layers import Item, Kind, Level, Link, LinkKind, Net, Pin

__all__ = [
    "TWIST",
    "Cost",
    "crosses",
    "crossings_between",
    "links_of",
    "order_cost",
    "rank",
    "tangle",
    "tangle_of",
    "tangle_of_neighbours",
    "untidy",
]

#: Crossings (and what counts as such), then how untidy the order is otherwise; to be compared as a whole.
Cost = tuple[int, int]

# A wire that runs back under its source and over its sink keeps the one above the other, and no wire between the two
# can be straight. That is as bad as this many crossings.
TWIST = 3


def rank(layer: list[Item]) -> None:
    """Number the pins of both sides of a layer from the top; all counting goes by these numbers."""
    west = east = 0
    for item in layer:
        for pin in item.west:
            pin.rank = west
            west += 1
        for pin in item.east:
            pin.rank = east
            east += 1


def crosses(e: Link, f: Link) -> bool:
    """Whether two links of different nets in one channel cross."""
    if e.kind is LinkKind.THROUGH:
        if f.kind is LinkKind.THROUGH:
            return (e.left.rank - f.left.rank) * (e.right.rank - f.right.rank) < 0
        e, f = f, e
    low, high = e.a.rank, e.b.rank
    if low > high:
        low, high = high, low
    if f.kind is LinkKind.THROUGH:
        return low < (f.left if e.kind is LinkKind.LEFT else f.right).rank < high
    return e.kind is f.kind and (low < f.a.rank < high) != (low < f.b.rank < high)


def _twists(net: Net) -> int:
    """To how many sinks the net runs back on the other side of the box than at its source."""
    turns = [link for link in net.links if link.kind is not LinkKind.THROUGH]
    if not turns:
        return 0
    under_source = turns[0].b.rank > turns[0].a.rank  # the first turn is at the source, the others at the sinks
    return sum((turn.a.rank > turn.b.rank) != under_source for turn in turns[1:])


def tangle(level: Level) -> int:
    """Crossings of pieces of wire of different nets, over all channels, and the twists of all nets."""
    crossings = sum(
        1
        for links in level.channels
        for i, e in enumerate(links)
        for f in links[:i]
        if e.net is not f.net and crosses(e, f)
    )
    return crossings + TWIST * sum(map(_twists, level.nets))


def tangle_of(links: Sequence[Link], level: Level) -> int:
    """Crossings of these links with all others, and the twists of nets that turn in one of them."""
    crossings = 0
    for e in links:
        net = e.net
        for f in level.channels[e.channel]:
            if f.net is not net and crosses(e, f):
                crossings += 1
    return crossings + _twists_of(links)


def tangle_of_neighbours(one: Item, other: Item) -> int:
    """Crossings of links of two neighbours, and the twists of their nets: all that changes when they change places."""
    west, east = links_of(one.west), links_of(one.east)
    crossings = crossings_between(west, links_of(other.west)) + crossings_between(east, links_of(other.east))
    return crossings + _twists_of(west) + _twists_of(east)


def _twists_of(links: Sequence[Link]) -> int:
    turning = {link.net: None for link in links if link.kind is not LinkKind.THROUGH}
    return TWIST * sum(map(_twists, turning))


def crossings_between(us: Sequence[Link], vs: Sequence[Link]) -> int:
    """Crossings of links of one channel with others of the same channel."""
    return sum(1 for e in us for f in vs if e.net is not f.net and crosses(e, f))


def links_of(side: Iterable[Pin]) -> list[Link]:
    """The links at the pins of a side."""
    return [link for pin in side for link in pin.links]


def order_cost(level: Level) -> Cost:
    """What the order of a whole level costs."""
    count = 0
    for layer in level.layers:
        for i, below in enumerate(layer):
            count += sum(untidy(above, below) for above in layer[:i])
            for side in (below.west, below.east):
                count += sum(p.declared > q.declared for j, q in enumerate(side) for p in side[:j])
    return tangle(level), count


def untidy(above: Item, below: Item) -> int:
    """1 when a wire that runs back is above a box, or two boundary ports are not in their declared order."""
    if above.kind is Kind.PASS:
        return int(above.backward and below.kind is Kind.BOX)
    if above.kind is Kind.BOX or above.kind is not below.kind:
        return 0
    return int((above.west or above.east)[0].declared > (below.west or below.east)[0].declared)
