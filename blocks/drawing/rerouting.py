"""Lead a wire anew through all the layers that it passes.

Where a wire passes several layers, no single step of it can go to the other side of a box without crossing something
twice. So the best places in all those layers are found at once, by dynamic programming from layer to layer.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

from .crossings import TWIST, crossings_between, rank, tangle_of, untidy
from .layers import Item, Level, Link, LinkKind, Net, Pin

__all__ = ["reroute_wires"]

_CROSSING = 100_000  # in units of untidiness, so that both fit into one number
_NEVER = 10**12


def reroute_wires(level: Level) -> bool:
    """Give every wire that passes layers the best way, all others staying where they are."""
    changed = False
    for net in level.nets:
        for chain in (net.ahead, net.back):
            if chain:
                changed |= _reroute(level, net, chain)
    return changed


def _reroute(level: Level, net: Net, chain: list[Item]) -> bool:
    layers = [level.layers[item.layer] for item in chain]
    old = [list(layer) for layer in layers]
    before = _cost(level, net, chain, layers)
    if not before:
        return False
    for item, layer in zip(chain, layers, strict=True):
        layer.remove(item)
        rank(layer)
    places = _best_places(level, net, chain, layers)
    for place, item, layer in zip(places, chain, layers, strict=True):
        layer.insert(place, item)
        rank(layer)
    if _cost(level, net, chain, layers) < before:
        return True
    for layer, items in zip(layers, old, strict=True):
        layer[:] = items
        rank(layer)
    return False


def _cost(level: Level, net: Net, chain: list[Item], layers: list[list[Item]]) -> int:
    order = sum(_untidy_at(item, layer.index(item), layer) for item, layer in zip(chain, layers, strict=True))
    return tangle_of(net.links, level) * _CROSSING + order


def _untidy_at(item: Item, place: int, layer: list[Item]) -> int:
    """How many in the layer the item should not be above, were it at `place`."""
    return sum(untidy(item, below) for below in layer[place:])


def _best_places(level: Level, net: Net, chain: list[Item], layers: list[list[Item]]) -> list[int]:
    """For every item of the chain its index in its layer, from which it has been taken out."""
    alone = [_costs_alone(level, item, layer) for item, layer in zip(chain, layers, strict=True)]
    pairs = []
    for (one, here), (other, there) in pairwise(zip(chain, layers, strict=True)):
        if one.layer < other.layer:
            pairs.append(_costs_of_pair(level, net, one.layer, here, there))
        else:  # on the way back the next item is on the left
            table = _costs_of_pair(level, net, other.layer, there, here)
            pairs.append([list(column) for column in zip(*table, strict=True)])
    if chain is net.ahead:
        return _least_path(alone, pairs)[1]
    source = net.pin.item
    home = layers[0].index(source)
    ways = []
    for under in (True, False):
        sided = [list(costs) for costs in alone]
        sided[0] = [cost if (place > home) == under else _NEVER for place, cost in enumerate(sided[0])]
        for costs, item, layer in zip(sided, chain, layers, strict=True):
            for turn in item.west[0].links:
                if turn.kind is LinkKind.RIGHT:
                    sink = layer.index(turn.b.item)
                    for place in range(len(costs)):
                        costs[place] += TWIST * _CROSSING * ((place > sink) != under)
        ways.append(_least_path(sided, pairs))
    return min(ways)[1]


def _least_path(alone: list[list[int]], pairs: list[list[list[int]]]) -> tuple[int, list[int]]:
    """One place per layer such that the costs of the places and of neighbouring pairs are least."""
    reached = alone[0]
    came_from: list[list[int]] = []
    for costs, pair in zip(alone[1:], pairs, strict=True):
        ways = [min((reached[p] + pair[p][q], p) for p in range(len(reached))) for q in range(len(costs))]
        reached = [way + cost for (way, _), cost in zip(ways, costs, strict=True)]
        came_from.append([p for _, p in ways])
    place = min(range(len(reached)), key=reached.__getitem__)
    total, places = reached[place], [place]
    for step in reversed(came_from):
        places.append(step[places[-1]])
    return total, places[::-1]


def _costs_alone(level: Level, item: Item, layer: list[Item]) -> list[int]:
    """What each place of the item costs by the links to its net's ports."""
    costs = [_untidy_at(item, place, layer) for place in range(len(layer) + 1)]
    for pin, sides in ((item.west[0], [i.west for i in layer]), (item.east[0], [i.east for i in layer])):
        fixed = [link for link in pin.links if _is_port(link.a if link.b is pin else link.b)]
        others = level.channels[fixed[0].channel] if fixed else []
        for place, pins_above in enumerate(accumulate(map(len, sides), initial=0)):
            pin.rank = pins_above - 0.5
            costs[place] += _CROSSING * crossings_between(fixed, others)
    return costs


def _is_port(pin: Pin) -> bool:
    return pin.port is not None


def _costs_of_pair(level: Level, net: Net, channel: int, left: list[Item], right: list[Item]) -> list[list[int]]:
    """What each pair of places on both sides of a channel costs by crossings of the link between them.

    A link from item i on the left to j on the right is crossed from place p to q when it is below one and above the
    other, that is when i ≥ p and j < q, or i < p and j ≥ q.
    """
    at_left = {item: i for i, item in enumerate(left)}
    at_right = {item: i for i, item in enumerate(right)}
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for link in level.channels[channel]:
        if link.net is not net:
            _add_link(table, link, at_left, at_right)
    return table


def _add_link(table: list[list[int]], link: Link, at_left: dict[Item, int], at_right: dict[Item, int]) -> None:
    if link.kind is LinkKind.THROUGH:
        i, j = at_left[link.left.item], at_right[link.right.item]
        for p, row in enumerate(table):
            for q in range(j + 1, len(row)) if p <= i else range(j + 1):
                row[q] += _CROSSING
    elif link.kind is LinkKind.LEFT:
        ends = sorted((at_left[link.a.item], at_left[link.b.item]))
        for row in table[ends[0] + 1 : ends[1] + 1]:
            row[:] = [cost + _CROSSING for cost in row]
    else:
        ends = sorted((at_right[link.a.item], at_right[link.b.item]))
        for row in table:
            for q in range(ends[0] + 1, ends[1] + 1):
                row[q] += _CROSSING
