"""Graphs to draw: random ones of every shape, and the control loops that people do draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from blocks.drawing import Edge, Graph, Layout, Node, Port, layout, render_layout

_LETTERS = "abcdefghijklmWM_ ψχÅЖ船"
_KINDS = ("guidance", "control", "thrust", "dynamics", "basic", "of no known family")


def ports(names: str) -> tuple[Port, ...]:
    return tuple(Port(name, title=f"{name}: a signal") for name in names.split())


def edge(source: str, *sinks: str, label: str = "") -> Edge:
    """From "node.port" to others; a plain "port" is the graph's own."""
    ends = [end.rpartition(".")[::2] for end in (source, *sinks)]
    return Edge(ends[0], tuple(ends[1:]), label)


def make_random_graph(random: Random, count: int, *, depth: int, name: str = "random") -> Graph:
    return _random_graph(random, name, count, depth, _random_ports(random, "i"), _random_ports(random, "o"))


def _random_graph(
    random: Random, name: str, count: int, depth: int, inputs: tuple[Port, ...], outputs: tuple[Port, ...]
) -> Graph:
    nodes = []
    for i in range(count):
        own = f"n{i}" if random.random() < 0.7 else f"{_word(random)}{i}"
        west, east = _random_ports(random, "a"), _random_ports(random, "b")
        inside = None
        if depth and random.random() < 0.25:
            inside = _random_graph(random, own, random.randint(0, 5), depth - 1, west, east)
        nodes.append(Node(own, _word(random), random.choice(_KINDS), west, east, inside))
    sources = [(node.name, port.name) for node in nodes for port in node.outputs] + [("", p.name) for p in inputs]
    sinks = [(node.name, port.name) for node in nodes for port in node.inputs] + [("", p.name) for p in outputs]
    driven: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for sink in sinks if sources else ():
        if random.random() < 0.85:  # any source will do, so there are loops, self loops and fan-out
            driven.setdefault(random.choice(sources), []).append(sink)
    edges = [edge for source, ends in driven.items() for edge in _random_edges(random, source, ends)]
    return Graph(name, _word(random), tuple(nodes), tuple(edges), inputs, outputs)


def _random_edges(random: Random, source: tuple[str, str], sinks: list[tuple[str, str]]) -> list[Edge]:
    """One edge to all sinks or one to each, without label, with one, or with many."""
    if random.random() < 0.6:
        return [Edge(source, tuple(sinks), random.choice(("", "", "a label")))]
    return [Edge(source, (sink,), random.choice(("", "psi", "0:3"))) for sink in sinks]


def _random_ports(random: Random, prefix: str) -> tuple[Port, ...]:
    return tuple(Port(f"{prefix}{i}", _word(random), _word(random)) for i in range(random.randint(0, 4)))


def _word(random: Random) -> str:
    length = random.choice((0, 1, 5, 10, 40))
    return "".join(random.choice(_LETTERS) for _ in range(length)).strip()


MOVED = "some boxes moved"


def with_some_moved(laid: Layout, random: Random) -> Graph:
    """The graph of a layout with some boxes put elsewhere, on others too."""
    places = {}
    for path, box in laid.boxes.items():
        if random.random() < 0.4:
            x, y = laid.origin(path.rpartition(".")[0])
            column, row = (round(away / 16) for away in (box.rectangle.x - x, box.rectangle.y - y))
            places[path] = (column + random.randint(-6, 8), row + random.randint(-5, 10))
    return placed(laid.graph, places)


def placed(graph: Graph, places: dict[str, tuple[int, int]], path: str = "") -> Graph:
    """The graph with boxes at places, by dotted name."""
    nodes = []
    for node in graph.nodes:
        here = f"{path}.{node.name}" if path else node.name
        inside = placed(node.children, places, here) if node.children else None
        nodes.append(replace(node, children=inside, place=places.get(here)))
    return replace(graph, nodes=tuple(nodes))


def heading_loop() -> Graph:
    nodes = (
        Node("reference", "Step", "basic", (), ports("output")),
        Node("error", "Sum", "basic", ports("plus minus"), ports("output")),
        Node("controller", "PID", "control", ports("error"), ports("output")),
        Node("waves", "FirstOrderWaves", "environment", (), ports("moment")),
        Node("vessel", "Nomoto", "dynamics", ports("rudder disturbance"), ports("psi r")),
        Node("filter", "FirstOrderLag", "basic", ports("input"), ports("output")),
    )
    edges = (
        edge("reference.output", "error.plus"),
        edge("error.output", "controller.error"),
        edge("controller.output", "vessel.rudder"),
        edge("waves.moment", "vessel.disturbance"),
        edge("vessel.psi", "filter.input"),
        edge("filter.output", "error.minus"),
    )
    return Graph("heading_loop", "Heading loop", nodes, edges)


def mission() -> Graph:
    """An autopilot in a loop with its plant; declared in the order in which nobody would draw it."""
    autopilot = Graph(
        "autopilot",
        "Autopilot",
        (
            Node("wrench", "Mux", "basic", ports("X Z N"), ports("force")),
            Node("guidance", "LineOfSight", "guidance", ports("eta nu"), ports("heading speed depth")),
            Node("speed", "PID", "control", ports("reference nu"), ports("force")),
            Node("depth", "PID", "control", ports("reference eta"), ports("force")),
            Node("heading", "PID", "control", ports("reference eta"), ports("force")),
            Node("allocation", "PseudoInverseAllocation", "thrust", ports("force"), ports("command")),
        ),
        (
            edge("eta", "guidance.eta", "depth.eta", "heading.eta"),
            edge("nu", "guidance.nu", "speed.nu"),
            edge("guidance.heading", "heading.reference"),
            edge("guidance.speed", "speed.reference"),
            edge("guidance.depth", "depth.reference"),
            edge("speed.force", "wrench.X"),
            edge("depth.force", "wrench.Z"),
            edge("heading.force", "wrench.N"),
            edge("wrench.force", "allocation.force"),
            edge("allocation.command", "command"),
        ),
        ports("eta nu"),
        ports("command"),
    )
    plant = Graph(
        "plant",
        "Plant",
        (
            Node("vessel", "UnderwaterVehicle6DOF", "dynamics", ports("force current"), ports("eta nu nu_r")),
            Node("current", "SteadyCurrent", "environment", (), ports("velocity")),
            Node("thrusters", "Propellers", "thrust", ports("command nu_r"), ports("force power")),
        ),
        (
            edge("command", "thrusters.command"),
            edge("thrusters.force", "vessel.force"),
            edge("current.velocity", "vessel.current"),
            edge("vessel.nu_r", "thrusters.nu_r"),
            edge("vessel.eta", "eta"),
            edge("vessel.nu", "nu"),
        ),
        ports("command"),
        ports("eta nu"),
    )
    nodes = tuple(Node(g.name, "Subsystem", "basic", g.inputs, g.outputs, g) for g in (plant, autopilot))
    edges = (
        edge("autopilot.command", "plant.command"),
        edge("plant.eta", "autopilot.eta", label="η"),
        edge("plant.nu", "autopilot.nu", label="ν"),
    )
    return Graph("mission", "Line-of-sight mission", nodes, edges)


def _odd_graphs() -> dict[str, Graph]:
    loop = Node("self", "Own master", "control", ports("a b"), ports("y"))
    source, sink = Node("source", "S", "basic", (), ports("y")), Node("sink", "T", "basic", ports("a b c"), ())
    return {
        "nothing": Graph("nothing"),
        "nothing, with a long title": Graph("n", "A title that is wider than all that stands under it " * 2),
        "one box": Graph("one", nodes=(Node("only"),)),
        "self loop": Graph("loop", nodes=(loop,), edges=(edge("self.y", "self.a", "self.b"),)),
        "loose boxes": Graph("loose", nodes=tuple(Node(f"box{i}", "Constant") for i in range(23))),
        "straight through": Graph(
            "through", "", (), (edge("u", "y", "z"),), ports("u unused"), ports("y z")
        ),
        "fan-out into one box": Graph(
            "fan", nodes=(source, sink), edges=(edge("source.y", "sink.a", "sink.b", "sink.c"),)
        ),
        "edges of one source": Graph(
            "split", nodes=(source, sink), edges=(edge("source.y", "sink.c"), edge("source.y", "sink.a", "sink.c"))
        ),
        "long names": Graph(
            "long", "", (Node("n" * 90, "T" * 120, "power", ports("p" * 70), ports("q" * 70)),), (), ports("b" * 50)
        ),
        "heading loop": heading_loop(),
        "mission": mission(),
    }  # fmt: skip


@pytest.fixture(scope="session")
def graphs() -> dict[str, Graph]:
    """Every shape of graph, by a name that says what it is."""
    graphs = _odd_graphs()
    for seed in range(50):
        random = Random(seed)
        graphs[f"random {seed}"] = make_random_graph(
            random, random.choice((1, 2, 3, 5, 8)), depth=2 if seed % 5 == 0 else 1
        )
    graphs["60 boxes"] = make_random_graph(Random(1), 60, depth=0)
    return graphs


@pytest.fixture(scope="session")
def layouts(graphs: dict[str, Graph]) -> dict[str, Layout]:
    laid = {name: layout(graph) for name, graph in graphs.items()}
    some = ("mission", "heading loop", "self loop", *(f"random {seed}" for seed in range(0, 50, 4)))
    return laid | {f"{name}, {MOVED}": layout(with_some_moved(laid[name], Random(name))) for name in some}


@pytest.fixture(scope="session")
def drawings(layouts: dict[str, Layout]) -> dict[str, str]:
    return {name: render_layout(drawing) for name, drawing in layouts.items()}


@pytest.fixture
def heading_loop_graph() -> Graph:
    return heading_loop()


@pytest.fixture
def mission_graph() -> Graph:
    return mission()


@pytest.fixture
def put() -> Callable[[Graph, dict[str, tuple[int, int]]], Graph]:
    return placed


@pytest.fixture
def make_ports() -> Callable[[str], tuple[Port, ...]]:
    return ports


@pytest.fixture
def make_edge() -> Callable[..., Edge]:
    return edge
