"""What is wrong with an order: crossings of wires and the like, counted from the order in the layers alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .layers import Item, Kind, Level, Link, LinkKind, Net, Pin

__all__ = [
    "TWIST",
    "Cost",
    "crossings_between",
    "crossings_with",
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


_THROUGH, _LEFT = LinkKind.THROUGH, LinkKind.LEFT


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


def crossings_with(link: Link, others: Iterable[Link]) -> int:
    """How many of the others, in the same channel, cross the link; those of its own net never do.

    This is where the search for an order spends its time, which is why it is one loop.
    """
    net, kind = link.net, link.kind
    count = 0
    if kind is _THROUGH:
        left, right = link.left.rank, link.right.rank
        for f in others:
            if f.net is net:
                continue
            if f.kind is _THROUGH:
                count += (left < f.left.rank) is not (right < f.right.rank)
            else:
                end = left if f.kind is _LEFT else right
                count += (end < f.a.rank) is not (end < f.b.rank)
        return count
    a, b = link.a.rank, link.b.rank
    for f in others:
        if f.net is net:
            continue
        if f.kind is _THROUGH:
            end = f.left.rank if kind is _LEFT else f.right.rank
            count += (a < end) is not (b < end)
        elif f.kind is kind:
            c, d = f.a.rank, f.b.rank
            count += ((a < c) is not (b < c)) is not ((a < d) is not (b < d))
    return count


def _twists(net: Net) -> int:
    """To how many sinks the net runs back on the other side of the box than at its source."""
    turns = [link for link in net.links if link.kind is not _THROUGH]
    if not turns:
        return 0
    under_source = turns[0].b.rank > turns[0].a.rank  # the first turn is at the source, the others at the sinks
    return sum((turn.a.rank > turn.b.rank) != under_source for turn in turns[1:])


def tangle(level: Level) -> int:
    """Crossings of pieces of wire of different nets, over all channels, and the twists of all nets."""
    crossings = sum(crossings_with(link, links[:i]) for links in level.channels for i, link in enumerate(links))
    return crossings + TWIST * sum(map(_twists, level.nets))


def tangle_of(links: Sequence[Link], level: Level) -> int:
    """Crossings of these links with all others, and the twists of nets that turn in one of them."""
    return sum(crossings_with(link, level.channels[link.channel]) for link in links) + _twists_of(links)


def tangle_of_neighbours(one: Item, other: Item) -> int:
    """Crossings of links of two neighbours, and the twists of their nets: all that changes when they change places."""
    west, east = links_of(one.west), links_of(one.east)
    crossings = crossings_between(west, links_of(other.west)) + crossings_between(east, links_of(other.east))
    return crossings + _twists_of(west) + _twists_of(east)


def _twists_of(links: Sequence[Link]) -> int:
    turning = {link.net: None for link in links if link.kind is not _THROUGH}
    return TWIST * sum(map(_twists, turning))


def crossings_between(us: Iterable[Link], vs: Sequence[Link]) -> int:
    """Crossings of links of one channel with others of the same channel."""
    return sum(crossings_with(link, vs) for link in us)


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
