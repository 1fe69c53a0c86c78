"""Where the wires turn: one vertical line per wire and channel, on lanes that keep wires apart.

Within a channel a wire is a vertical spine, joined by horizontal lines to its ends on both sides. The lanes from left
to right are chosen such that no two horizontal lines lie on each other (which is a must) and few cross a spine. Where
two wires would each have to be left of the other, one of them gets two spines, joined half-way between grid lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count

from .cycles import linear_order, strong_components
from .layers import Link, LinkKind, Net

__all__ = ["Channel", "route_channel"]

_MUST = 1_000_000


@dataclass(eq=False)
class _Spine:
    net: Net
    left: set[float] = field(default_factory=set)  # heights of the ends on the left side, in grid steps
    right: set[float] = field(default_factory=set)
    lane: int = 0

    @property
    def low(self) -> float:
        return min(self.left | self.right)

    @property
    def high(self) -> float:
        return max(self.left | self.right)

    @property
    def straight(self) -> bool:
        return self.low == self.high


@dataclass
class Channel:
    """The lanes of one channel, counted from the left, and by which each wire turns."""

    lanes: int
    spines: dict[Net, tuple[_Spine, _Spine]]  # of the left and of the right ends; mostly one and the same

    def corners(self, link: Link) -> list[tuple[int, float]]:
        """The (lane, height) of the turns on the way along the link; none when it is straight."""
        left, right = self.spines[link.net]
        a, b = float(link.a.y), float(link.b.y)
        if left is right or link.kind is not LinkKind.THROUGH:
            spine = right if link.kind is LinkKind.RIGHT else left
            return [] if a == b else [(spine.lane, a), (spine.lane, b)]
        between = next(iter(left.right))  # the joint; the only right end of a left half
        lanes = [left.lane, right.lane] if link.a is link.left else [right.lane, left.lane]
        return [(lanes[0], a), (lanes[0], between), (lanes[1], between), (lanes[1], b)]


def route_channel(links: list[Link]) -> Channel:
    """Lay out the lanes of a channel for its links, whose ends have their heights already."""
    whole: dict[Net, _Spine] = {}
    for link in links:
        spine = whole.setdefault(link.net, _Spine(link.net))
        for pin in (link.a, link.b):
            at_left = link.kind is LinkKind.LEFT or (link.kind is LinkKind.THROUGH and pin is link.left)
            (spine.left if at_left else spine.right).add(float(pin.y))
    channel = Channel(0, {net: (spine, spine) for net, spine in whole.items()})
    spines = [spine for spine in whole.values() if not spine.straight]
    while (stuck := _stuck(spines)) is not None:
        spines.remove(stuck)
        halves = _split(stuck, spines)
        channel.spines[stuck.net] = halves
        spines.extend(halves)
    spines.sort(key=lambda spine: (bool(spine.right) - bool(spine.left), spine.low, spine.high))
    channel.lanes = _assign_lanes(spines)
    return channel


def _must_precede(one: _Spine, other: _Spine) -> bool:
    """Whether `one` must be left of `other`, because a left end of it faces a right end of the other."""
    return one.net is not other.net and not one.left.isdisjoint(other.right)


def _halves(one: _Spine, other: _Spine) -> bool:
    """Whether these are the left and the right half of one wire's spine."""
    return one.net is other.net and one.right == other.left


def _pairs(spines: list[_Spine]) -> Iterable[tuple[int, int]]:
    return ((i, j) for i in range(len(spines)) for j in range(len(spines)) if i != j)


def _stuck(spines: list[_Spine]) -> _Spine | None:
    """A spine that would have to be left of itself, by way of others."""
    must = {(i, j): 1 for i, j in _pairs(spines) if _must_precede(spines[i], spines[j])}
    for component in strong_components(len(spines), must):
        if len(component) > 1:
            # The shortest is the least conspicuous to be drawn with one more turn. Halves are never in a cycle.
            return min((spines[i] for i in component), key=lambda spine: (spine.high - spine.low, spine.low))
    return None


def _split(spine: _Spine, others: list[_Spine]) -> tuple[_Spine, _Spine]:
    """The halves of a spine, which meet at a height that no other wire uses, as near the middle as there is one."""
    taken = {height for other in others for height in other.left | other.right}
    joint = next(height for height in _heights_between(spine.low, spine.high) if height not in taken)
    return _Spine(spine.net, set(spine.left), {joint}), _Spine(spine.net, {joint}, set(spine.right))


def _heights_between(low: float, high: float) -> Iterator[float]:
    """Heights off the grid: half-way between its lines first, then finer, and each time from the middle outward."""
    for parts in (2**n for n in count(1)):
        heights = [low + i / parts for i in range(1, round((high - low) * parts), 2)]
        yield from sorted(heights, key=lambda height: abs(height - (low + high) / 2))


def _crossings(one: _Spine, other: _Spine) -> int:
    """Crossings of the two when `one` is left of `other`."""
    if one.net is other.net:
        return 0
    right = sum(other.low < y < other.high for y in one.right)
    return right + sum(one.low < y < one.high for y in other.left)


def _assign_lanes(spines: list[_Spine]) -> int:
    """Number the lanes from the left; returns how many there are."""
    related: set[tuple[int, int]] = set()
    weights: dict[tuple[int, int], int] = {}
    for i, j in _pairs(spines):
        one, other = spines[i], spines[j]
        if _must_precede(one, other) or _halves(one, other):
            weights[i, j] = _MUST
        else:
            weights[i, j] = max(0, _crossings(other, one) - _crossings(one, other))
        if weights[i, j] or (one.low < other.high + 1 and other.low < one.high + 1):
            related.update(((i, j), (j, i)))
    must = {pair: weight for pair, weight in weights.items() if weight == _MUST}
    order = _obeying(linear_order(range(len(spines)), weights), must)
    for place, i in enumerate(order):
        before = (spines[k].lane for k in order[:place] if (i, k) in related)
        spines[i].lane = max(before, default=-1) + 1
    lanes = max((spine.lane for spine in spines), default=-1) + 1
    # Wires that turn back to the right side stand as far right as they can, near what they join.
    for place in range(len(order) - 1, -1, -1):
        spine = spines[order[place]]
        if not spine.left:
            after = (spines[k].lane for k in order[place + 1 :] if (order[place], k) in related)
            spine.lane = min(after, default=lanes) - 1
    return lanes


def _obeying(order: list[int], must: dict[tuple[int, int], int]) -> list[int]:
    """The order, changed as little as needed so that all that must precede do."""
    result: list[int] = []
    waiting = list(order)
    while waiting:
        ready = next(v for v in waiting if not any((u, v) in must for u in waiting))
        waiting.remove(ready)
        result.append(ready)
    return result
