"""Counting what is wrong with an order, and the moves that mend it."""

from __future__ import annotations

from collections.abc import Callable

from blocks.drawing import Edge, Graph, Node, Port
from blocks.drawing.crossings import TWIST, order_cost, rank, tangle
from blocks.drawing.layers import Item, Level, build_level
from blocks.drawing.ordering import order_level
from blocks.drawing.rerouting import reroute_wires
from blocks.drawing.untangling import sift_items, sift_ports, swap_neighbours

Ports = Callable[[str], tuple[Port, ...]]
MakeEdge = Callable[..., Edge]


def _level(*wires: Edge, ports: Ports, nodes: str) -> Level:
    names = nodes.split()
    graph = Graph("g", "", tuple(Node(name, "", "basic", ports("u v w"), ports("x y z")) for name in names), wires)
    return build_level(graph, "", None)


def _arrange(level: Level, *layers: str) -> None:
    """Put boxes into the order named, from layer 1 on, and passing wires where "-" stands."""
    for names, layer in zip(layers, level.layers[1:], strict=False):
        boxes = {item.node.name: item for item in layer if item.node}
        passing = (item for item in layer if not item.node)
        layer[:] = [next(passing) if name == "-" else boxes[name] for name in names.split()]
    for layer in level.layers:
        rank(layer)


def _names(layer: list[Item]) -> list[str]:
    return [item.node.name if item.node else "-" for item in layer]


def test_crossings_are_counted_once_each(make_ports: Ports, make_edge: MakeEdge) -> None:
    level = _level(make_edge("a.x", "c.u"), make_edge("b.x", "d.u"), ports=make_ports, nodes="a b c d")
    _arrange(level, "a b", "c d")
    assert tangle(level) == 0
    _arrange(level, "a b", "d c")
    assert tangle(level) == 1
    assert swap_neighbours(level, fixed=())
    assert tangle(level) == 0


def test_branches_of_one_wire_do_not_cross_each_other(make_ports: Ports, make_edge: MakeEdge) -> None:
    level = _level(make_edge("a.x", "c.u", "d.u", "a.u"), ports=make_ports, nodes="a c d")
    for order in ("c d", "d c"):
        _arrange(level, "a -", order)
        assert tangle(level) == 0


def test_a_wire_that_turns_crosses_what_it_encloses(make_ports: Ports, make_edge: MakeEdge) -> None:
    wires = make_edge("a.x", "a.u"), make_edge("a.y", "c.u"), make_edge("b.x", "c.v")
    level = _level(*wires, ports=make_ports, nodes="a b c")
    _arrange(level, "a - b", "c")
    assert tangle(level) == 1, "the way back to a.u crosses that from a.y"
    _arrange(level, "a b -", "c")
    assert tangle(level) == 2, "and that from b too"
    _arrange(level, "- a b", "c")
    assert tangle(level) == 0


def test_feedback_under_one_box_and_over_the_other_is_as_bad_as_crossings(
    make_ports: Ports, make_edge: MakeEdge
) -> None:
    level = _level(make_edge("a.x", "b.u"), make_edge("b.x", "a.u"), ports=make_ports, nodes="a b")
    _arrange(level, "a -", "b -")
    assert order_cost(level) == (0, 0)
    _arrange(level, "- a", "- b")
    assert order_cost(level) == (0, 2), "over the boxes is less usual, but no fault"
    _arrange(level, "- a", "b -")
    assert order_cost(level) == (TWIST + 1, 1), "and the wire from a to b must cross it"
    assert reroute_wires(level)
    assert order_cost(level) == (0, 0)


def test_a_wire_is_led_round_all_boxes_at_once(make_ports: Ports, make_edge: MakeEdge) -> None:
    rows = [make_edge(f"{row}{i}.x", f"{row}{i + 1}.u") for row in "ab" for i in range(3)]
    level = _level(*rows, make_edge("a0.y", "a3.v"), ports=make_ports, nodes="a0 a1 a2 a3 b0 b1 b2 b3")
    _arrange(level, "a0 b0", "a1 - b1", "a2 - b2", "a3 b3")
    assert tangle(level) == 0
    _arrange(level, "a0 b0", "a1 b1 -", "a2 b2 -", "a3 b3")
    assert tangle(level) == 2
    assert not swap_neighbours(level, fixed=()), "no single step helps"
    assert reroute_wires(level)
    assert tangle(level) == 0
    assert not reroute_wires(level)


def test_a_box_passes_others_on_its_way_to_where_it_crosses_least(make_ports: Ports, make_edge: MakeEdge) -> None:
    wires = [make_edge(f"{name}.x", f"{name.upper()}.u") for name in "abc"]
    level = _level(*wires, ports=make_ports, nodes="a b c A B C")
    _arrange(level, "a b c", "B C A")
    assert tangle(level) == 2
    assert sift_items(level, fixed=())
    assert tangle(level) == 0
    assert _names(level.layers[2]) == ["A", "B", "C"] or _names(level.layers[1]) == ["b", "c", "a"]


def test_a_port_passes_one_without_a_wire(make_ports: Ports, make_edge: MakeEdge) -> None:
    level = _level(make_edge("a.x", "b.w"), make_edge("a.z", "b.u"), ports=make_ports, nodes="a b")
    _arrange(level, "a", "b")
    assert tangle(level) == 1
    assert not swap_neighbours(level, fixed=())
    assert sift_ports(level)
    assert tangle(level) == 0


def test_fixed_layers_stay(make_ports: Ports, make_edge: MakeEdge) -> None:
    level = _level(make_edge("a.x", "c.u"), make_edge("b.x", "d.u"), ports=make_ports, nodes="a b c d")
    _arrange(level, "a b", "d c")
    assert not swap_neighbours(level, fixed=(1, 2))
    assert swap_neighbours(level, fixed=(2,))
    assert _names(level.layers[1]) == ["b", "a"]
    assert _names(level.layers[2]) == ["d", "c"]


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
