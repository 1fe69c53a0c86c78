"""Counting what is wrong with an order, and the moves that mend it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest

from blocks.drawing import Edge, Graph, Node, Port
from blocks.drawing.arrangement import COST_OF_TWIST, Arrangement
from blocks.drawing.layers import Item, Level, Link, LinkKind, build_level
from blocks.drawing.ordering import order_level
from blocks.drawing.searching import search_order

Ports = Callable[[str], tuple[Port, ...]]
MakeEdge = Callable[..., Edge]


def _level(*wires: Edge, ports: Ports, nodes: str) -> Level:
    names = nodes.split()
    graph = Graph("g", "", tuple(Node(name, "", "basic", ports("u v w"), ports("x y z")) for name in names), wires)
    return build_level(graph, "", None)


def _arrange(level: Level, *layers: str, fixed: tuple[int, ...] = ()) -> Arrangement:
    """Put boxes into the order named, from layer 1 on, and passing wires where "-" stands."""
    for names, layer in zip(layers, level.layers[1:], strict=False):
        boxes = {item.node.name: item for item in layer if item.node}
        passing = (item for item in layer if not item.node)
        layer[:] = [next(passing) if name == "-" else boxes[name] for name in names.split()]
    return Arrangement(level, fixed)


def _names(layer: list[Item]) -> list[str]:
    return [item.node.name if item.node else "-" for item in layer]


def test_crossings_are_counted_once_each(make_ports: Ports, make_edge: MakeEdge) -> None:
    level = _level(make_edge("a.x", "c.u"), make_edge("b.x", "d.u"), ports=make_ports, nodes="a b c d")
    assert _arrange(level, "a b", "c d").tangle == 0
    order = _arrange(level, "a b", "d c")
    assert order.tangle == 1
    assert order.swap_neighbours()
    assert order.tangle == 0


def test_branches_of_one_wire_do_not_cross_each_other(make_ports: Ports, make_edge: MakeEdge) -> None:
    level = _level(make_edge("a.x", "c.u", "d.u", "a.u"), ports=make_ports, nodes="a c d")
    for order in ("c d", "d c"):
        assert _arrange(level, "a -", order).tangle == 0


def test_a_wire_that_turns_crosses_what_it_encloses(make_ports: Ports, make_edge: MakeEdge) -> None:
    wires = make_edge("a.x", "a.u"), make_edge("a.y", "c.u"), make_edge("b.x", "c.v")
    level = _level(*wires, ports=make_ports, nodes="a b c")
    assert _arrange(level, "a - b", "c").tangle == 1, "the way back to a.u crosses that from a.y"
    assert _arrange(level, "a b -", "c").tangle == 2, "and that from b too"
    assert _arrange(level, "- a b", "c").tangle == 0


def test_feedback_under_one_box_and_over_the_other_is_as_bad_as_crossings(
    make_ports: Ports, make_edge: MakeEdge
) -> None:
    level = _level(make_edge("a.x", "b.u"), make_edge("b.x", "a.u"), ports=make_ports, nodes="a b")
    assert _arrange(level, "a -", "b -").cost == (0, 0)
    assert _arrange(level, "- a", "- b").cost == (0, 2), "over the boxes is less usual, but no fault"
    order = _arrange(level, "- a", "b -")
    assert order.cost == (COST_OF_TWIST + 1, 1), "and the wire from a to b must cross it"
    assert order.reroute_wires()
    assert order.cost == (0, 0)


def test_a_wire_is_led_round_all_boxes_at_once(make_ports: Ports, make_edge: MakeEdge) -> None:
    rows = [make_edge(f"{row}{i}.x", f"{row}{i + 1}.u") for row in "ab" for i in range(3)]
    level = _level(*rows, make_edge("a0.y", "a3.v"), ports=make_ports, nodes="a0 a1 a2 a3 b0 b1 b2 b3")
    assert _arrange(level, "a0 b0", "a1 - b1", "a2 - b2", "a3 b3").tangle == 0
    order = _arrange(level, "a0 b0", "a1 b1 -", "a2 b2 -", "a3 b3")
    assert order.tangle == 2
    assert not order.swap_neighbours(), "no single step helps"
    assert order.reroute_wires()
    assert order.tangle == 0
    assert not order.reroute_wires()


def test_a_box_passes_others_on_its_way_to_where_it_crosses_least(make_ports: Ports, make_edge: MakeEdge) -> None:
    wires = [make_edge(f"{name}.x", f"{name.upper()}.u") for name in "abc"]
    level = _level(*wires, ports=make_ports, nodes="a b c A B C")
    order = _arrange(level, "a b c", "B C A")
    assert order.tangle == 2
    assert order.sift_items()
    assert order.tangle == 0
    order.apply()
    assert _names(level.layers[2]) == ["A", "B", "C"] or _names(level.layers[1]) == ["b", "c", "a"]


def test_a_port_passes_one_without_a_wire(make_ports: Ports, make_edge: MakeEdge) -> None:
    level = _level(make_edge("a.x", "b.w"), make_edge("a.z", "b.u"), ports=make_ports, nodes="a b")
    order = _arrange(level, "a", "b")
    assert order.tangle == 1
    assert not order.swap_neighbours()
    assert order.sift_ports()
    assert order.tangle == 0


def test_fixed_layers_stay(make_ports: Ports, make_edge: MakeEdge) -> None:
    level = _level(make_edge("a.x", "c.u"), make_edge("b.x", "d.u"), ports=make_ports, nodes="a b c d")
    assert not _arrange(level, "a b", "d c", fixed=(1, 2)).swap_neighbours()
    order = _arrange(level, "a b", "d c", fixed=(2,))
    assert order.swap_neighbours()
    order.apply()
    assert _names(level.layers[1]) == ["b", "a"]
    assert _names(level.layers[2]) == ["d", "c"]


def _counted(level: Level) -> int:
    """Crossings of a level, by definition: counted anew from where its pins stand."""
    height: dict[object, int] = {}
    for layer in level.layers:
        for side in ("west", "east"):
            height.update((pin, i) for i, pin in enumerate(pin for item in layer for pin in getattr(item, side)))

    def beside(link: Link) -> list[tuple[bool, int]]:
        """The ends of a link: whether on the left of the channel, and how high."""
        return [(pin in pin.item.east, height[pin]) for pin in (link.a, link.b)]

    def separated(ends: list[tuple[bool, int]], others: list[tuple[bool, int]]) -> bool:
        """Whether on the way round the channel, up on the right and down on the left, the ends take turns."""
        both = [(*end, owner) for owner, pair in enumerate((ends, others)) for end in pair]
        owners = [owner for *_, owner in sorted((left, y if left else -y, owner) for left, y, owner in both)]
        return owners[0] == owners[2]

    return sum(
        separated(beside(one), beside(other))
        for channel in level.channels
        for one, other in combinations(channel, 2)
        if one.net is not other.net
    )


def _twisted(level: Level) -> int:
    """Sinks to which a net runs back over a box, but under that at its source, or the other way round."""
    place = {item: i for layer in level.layers for i, item in enumerate(layer)}
    count = 0
    for net in level.nets:
        turns = [link for link in net.links if link.kind is not LinkKind.THROUGH]
        sides = [(place[turn.a.item] < place[turn.b.item]) == (turn is turns[0]) for turn in turns]
        count += sum(side != sides[0] for side in sides[1:])
    return count


@pytest.mark.parametrize("seed", range(12))
def test_a_tangle_is_what_counting_it_by_definition_gives_before_and_after_each_move(
    seed: int, graphs: dict[str, Graph]
) -> None:
    level = build_level(graphs[f"random {seed}"], "", 0)
    order = Arrangement(level)
    random = Random(seed)
    for _ in range(6):
        layers = order.layers
        for layer in layers:
            random.shuffle(layer)
        order.layers = layers
        before = order.cost
        moves = (order.swap_neighbours, order.reroute_wires, order.sift_ports, order.sift_items)
        for move in random.sample(moves, 4):
            changed = move()
            order.apply()
            assert order.tangle == _counted(level) + COST_OF_TWIST * _twisted(level)
            assert Arrangement(level).cost == order.cost
            assert order.cost <= before
            assert changed or order.cost == before
            before = order.cost


def test_an_order_can_be_kept_and_come_back_to(graphs: dict[str, Graph]) -> None:
    level = build_level(graphs["mission"], "", 0)
    order = Arrangement(level)
    kept, cost, layers = order.snapshot, order.cost, order.layers
    order.move(1, 0, len(layers[1]) - 1)
    order.follow(1, True)
    order.sweep(True)
    assert order.layers != layers
    order.restore(kept)
    assert (order.cost, order.layers) == (cost, layers)


def test_an_order_that_is_none_of_the_level_is_refused(graphs: dict[str, Graph]) -> None:
    order = Arrangement(build_level(graphs["mission"], "", 0))
    with pytest.raises(ValueError, match="no snapshot of this arrangement"):
        order.restore(b"")
    with pytest.raises(ValueError, match="every layer must have the items that it had"):
        order.layers = order.layers[::-1]
    with pytest.raises(IndexError, match="there is no layer 9"):
        order.move(9, 0, 0)
    with pytest.raises(IndexError, match="layer 1 has places 0 to"):
        order.move(1, 0, 99)
    with pytest.raises(IndexError, match="there is no layer -1"):
        order.follow(-1, True)


def test_the_search_says_what_the_order_costs_that_it_found(graphs: dict[str, Graph]) -> None:
    for seed in range(10):
        level = build_level(graphs[f"random {seed}"], "", 0)
        before = Arrangement(level).cost
        found = search_order(level)
        assert found == Arrangement(level).cost
        assert found <= before


def test_frames_and_their_insides_agree_on_the_order_of_ports(graphs: dict[str, Graph]) -> None:
    for name in ("mission", *(f"random {seed}" for seed in range(8))):
        todo = [build_level(graphs[name], "", None)]
        order_level(todo[0])
        for level in todo:  # grows while it is read
            for item in level.boxes():
                if item.inside is None:
                    continue
                todo.append(item.inside)
                inner = item.inside.layers[0], item.inside.layers[-1]
                for side, ends in zip((item.west, item.east), inner, strict=True):
                    ports = [(end.west or end.east)[0].port for end in ends]
                    assert [pin.port.name for pin in side if pin.port] == [p.name for p in ports if p], name
