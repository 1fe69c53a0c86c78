from __future__ import annotations

from collections.abc import Callable

import pytest

from blocks.drawing import Edge, Graph, Node, Port
from blocks.drawing.cycles import forward_order, linear_order, strong_components

MakeEdge = Callable[..., Edge]


def _graph(edge: MakeEdge, kinds: dict[str, str], *wires: str) -> Graph:
    """Wires as "a>b"; "" is the boundary."""
    nodes = tuple(
        Node(name, "", kind, tuple(Port(f"from_{o}") for o in (*kinds, "")), (Port("y"),))
        for name, kind in kinds.items()
    )
    edges = []
    for wire in wires:
        a, b = wire.split(">")
        edges.append(edge(f"{a}.y" if a else "u", f"{b}.from_{a}" if b else "y"))
    return Graph("g", "", nodes, tuple(edges), (Port("u"),), (Port("y"),))


def _backward(graph: Graph) -> set[str]:
    order = forward_order(graph)
    return {
        f"{edge.source[0]}>{sink}"
        for edge in graph.edges
        for sink, _ in edge.sinks
        if edge.source[0] and sink and order[edge.source[0]] >= order[sink]
    }


def test_without_loops_all_wires_run_forward(make_edge: MakeEdge) -> None:
    graph = _graph(make_edge, dict.fromkeys("dcba", "basic"), "a>b", "b>c", "c>d", "a>d")
    assert _backward(graph) == set()


def test_measurements_run_back_not_commands(make_edge: MakeEdge) -> None:
    kinds = {"vessel": "dynamics", "pid": "control", "los": "guidance", "propellers": "thrust"}
    loop = ("los>pid", "pid>propellers", "propellers>vessel", "vessel>pid", "vessel>los", "vessel>propellers")
    assert _backward(_graph(make_edge, kinds, *loop)) == {"vessel>pid", "vessel>los", "vessel>propellers"}


@pytest.mark.parametrize("declared", ["abc", "bca", "cba"])
def test_a_loop_of_no_family_begins_where_it_is_entered(make_edge: MakeEdge, declared: str) -> None:
    graph = _graph(make_edge, dict.fromkeys(declared, "basic"), ">a", "a>b", "b>c", "c>a", "c>")
    assert _backward(graph) == {"c>a"}


def test_one_wire_runs_back_where_one_is_enough(make_edge: MakeEdge) -> None:
    loops = ("a>b", "b>c", "c>d", "d>e", "e>a", "a>c", "b>d", "a>e")
    assert _backward(_graph(make_edge, dict.fromkeys("edcba", "basic"), *loops)) == {"e>a"}


def test_a_block_that_feeds_itself_runs_back(make_edge: MakeEdge) -> None:
    assert _backward(_graph(make_edge, {"a": "basic"}, "a>a")) == {"a>a"}


def test_linear_order_leaves_a_good_order_alone_and_mends_a_bad_one() -> None:
    weights = {(0, 1): 1, (1, 2): 1, (2, 0): 1}
    assert linear_order([1, 2, 0], weights) == [1, 2, 0]
    assert linear_order([3, 2, 1, 0], {(0, 1): 1, (1, 2): 1, (2, 3): 1}) == [0, 1, 2, 3]


def test_strong_components_come_sources_first() -> None:
    components = strong_components(6, {(5, 0): 1, (0, 1): 1, (1, 2): 1, (2, 0): 1, (2, 3): 1, (4, 4): 1})
    sets = [set(component) for component in components]
    assert sorted(map(len, sets)) == [1, 1, 1, 3]
    assert sets.index({5}) < sets.index({0, 1, 2}) < sets.index({3})
