"""Lanes of one channel, for wires whose ends stand at given heights."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import pytest

from blocks.drawing.layers import Item, Kind, Link, LinkKind, Net, Pin
from blocks.drawing.routing import route_channel


def _links(*wires: tuple[list[int], list[int]]) -> list[Link]:
    """For each wire the heights of its ends on the left, the first being its source, and on the right."""
    links = []
    for left, right in wires:
        pins = [Pin(Item(Kind.PASS, 0), y=y) for y in left]
        net = Net(("", ""), pins[0], {})
        links += [Link(net, LinkKind.LEFT, pins[0], pin, 0) for pin in pins[1:]]
        links += [Link(net, LinkKind.THROUGH, pins[0], Pin(Item(Kind.PASS, 1), y=y), 0) for y in right]
    return links


def _pieces(links: list[Link]) -> dict[Net, set[tuple[tuple[float, float], tuple[float, float]]]]:
    channel = route_channel(links)
    pieces: dict[Net, set[tuple[tuple[float, float], tuple[float, float]]]] = {link.net: set() for link in links}
    for link in links:
        end = -1.0 if link.kind is LinkKind.LEFT else float(channel.lanes)
        corners = [(float(lane), y) for lane, y in channel.corners(link)]
        points = [(-1.0, float(link.a.y)), *corners, (end, float(link.b.y))]
        for a, b in pairwise(points):
            assert (a[0] == b[0]) != (a[1] == b[1]) or a == b
            pieces[link.net].add((min(a, b), max(a, b)))
    return pieces


def _lie_on_each_other(links: list[Link]) -> bool:
    for one, other in combinations(_pieces(links).values(), 2):
        for (a, b), (c, d) in ((p, q) for p in one for q in other):
            for axis in (0, 1):
                same_line = a[axis] == b[axis] == c[axis] == d[axis]
                if same_line and max(a[1 - axis], c[1 - axis]) <= min(b[1 - axis], d[1 - axis]):
                    return True
    return False


def test_a_straight_wire_takes_no_lane() -> None:
    channel = route_channel(_links(([4], [4]), ([6], [6])))
    assert channel.lanes == 0


def test_wires_that_do_not_meet_share_a_lane() -> None:
    assert route_channel(_links(([0], [2]), ([4], [6]))).lanes == 1
    assert route_channel(_links(([0], [4]), ([2], [6]))).lanes == 2


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_wires_never_lie_on_each_other(order: tuple[int, ...]) -> None:
    # All permutations of four heights: among them two wires, three and four, each of which should be left of another.
    assert not _lie_on_each_other(_links(*(([2 * i], [2 * j]) for i, j in enumerate(order))))


def test_two_wires_that_change_places_need_one_more_turn_in_one_of_them() -> None:
    links = _links(([0], [2]), ([2], [0]))
    channel = route_channel(links)
    assert sorted(len(channel.corners(link)) for link in links) == [2, 4]


def test_a_bundle_crosses_nothing_when_it_only_shifts() -> None:
    for shift in (-3, 3):
        lanes = [
            channel.corners(link)[0][0]
            for links in [_links(*(([2 * i], [2 * i + shift]) for i in range(4)))]
            for channel in [route_channel(links)]
            for link in links
        ]
        assert lanes == sorted(lanes, reverse=shift > 0), "each turns before the one it would cross"


def test_branches_to_many_ends_are_one_spine() -> None:
    (pieces,) = _pieces(_links(([5, 9], [1, 5, 7]))).values()
    vertical = {a[0] for a, b in pieces if a[0] == b[0] and a != b}
    assert vertical == {0.0}
