from __future__ import annotations

from typing import Any

import pytest

from blocks.drawing import Edge, Graph, Node, Port

A = Node("a", "A", "basic", (Port("u"),), (Port("y"),))
B = Node("b", "B", "basic", (Port("u"), Port("v")), (Port("y"),))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": (A, A)}, "graph 'g': node names must be unique, but 'a' repeat"),
        ({"inputs": (Port("u"), Port("u"))}, "graph 'g': input names must be unique, but 'u' repeat"),
        (
            {"nodes": (A, B), "edges": (Edge(("a", "z"), (("b", "u"),)),)},
            "graph 'g': an edge starts at 'a.z', which is no output of a node here",
        ),
        (
            {"nodes": (A,), "edges": (Edge(("a", "y"), (("c", "u"),)),)},
            "graph 'g': an edge ends at 'c.u', which is no input of a node here",
        ),
        (
            {"nodes": (A,), "edges": (Edge(("", "speed"), (("a", "u"),)),)},
            "graph 'g': an edge starts at 'speed', which is no output of a node here",
        ),
        (
            {"nodes": (A, B), "edges": (Edge(("a", "y"), (("b", "u"),)), Edge(("b", "y"), (("b", "u"),)))},
            "graph 'g': 'b.u' has two sources, 'a.y' and 'b.y'",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        Graph("g", **arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["", "a.b"])
def test_names_must_make_paths(name: str) -> None:
    with pytest.raises(ValueError, match=r"must not be empty nor contain '\.'"):
        Node(name)


def test_a_subsystem_has_the_ports_of_its_inside() -> None:
    inside = Graph("inside", "", (), (), (Port("u"), Port("v")))
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        Node("sub", "", "basic", (Port("u"),), (), inside)
    assert str(caught.value) == "node 'sub': its inputs are ['u'], but its inside has ['u', 'v']"


def test_ports_are_labelled_by_name_unless_told() -> None:
    assert Port("eta").text == "eta"
    assert Port("eta", "η").text == "η"
