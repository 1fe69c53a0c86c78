"""What makes a drawing pleasant: loops run back under the boxes, main lines are straight, little crosses."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest

from blocks.drawing import Edge, Graph, Layout, Node, Port, layout, placement

Ports = Callable[[str], tuple[Port, ...]]
MakeEdge = Callable[..., Edge]


def _crossings(drawing: Layout) -> int:
    """Points where wires of different sources cross."""
    count = 0
    for one, other in combinations(drawing.wires, 2):
        for a, b in ((one, other), (other, one)):
            horizontal = {(p, q) for branch in a.branches for p, q in pairwise(branch) if p[1] == q[1]}
            vertical = {(p, q) for branch in b.branches for p, q in pairwise(branch) if p[0] == q[0]}
            count += len(
                {
                    (v[0][0], h[0][1])
                    for h in horizontal
                    for v in vertical
                    if min(h[0][0], h[1][0]) < v[0][0] < max(h[0][0], h[1][0])
                    and min(v[0][1], v[1][1]) < h[0][1] < max(v[0][1], v[1][1])
                }
            )
    return count


def _x(drawing: Layout, *paths: str) -> list[float]:
    return [drawing.rectangle(path).x for path in paths]


def test_the_forward_path_of_a_loop_is_one_straight_line(heading_loop_graph: Graph) -> None:
    drawing = layout(heading_loop_graph)
    (x,) = [_x(drawing, "reference", "error", "controller", "vessel", "filter")]
    assert x == sorted(x)
    branches = {wire.source: wire.branches[0] for wire in drawing.wires}
    main = [("reference", "output"), ("error", "output"), ("controller", "output"), ("vessel", "psi")]
    assert all(len(branches[source]) == 2 for source in main)
    assert len({branches[source][0][1] for source in main}) == 1
    assert _crossings(drawing) == 0


def test_feedback_runs_back_beyond_all_boxes(heading_loop_graph: Graph) -> None:
    drawing = layout(heading_loop_graph)
    (feedback,) = (wire.branches[0] for wire in drawing.wires if wire.source == ("filter", "output"))
    assert len(feedback) == 6, "out, down, back, up, in"
    lane = feedback[2][1]
    assert lane == feedback[3][1]
    assert all(lane > box.rectangle.bottom for box in drawing.boxes.values())


def test_the_autopilot_stands_before_the_plant_however_they_are_declared(mission_graph: Graph) -> None:
    turned = Graph("m", "", mission_graph.nodes[::-1], mission_graph.edges[::-1])
    for graph in (mission_graph, turned):
        drawing = layout(graph)
        outer = _x(drawing, "autopilot", "plant")
        inner = _x(drawing, "autopilot.guidance", "autopilot.heading", "autopilot.wrench", "autopilot.allocation")
        plant = _x(drawing, "plant.thrusters", "plant.vessel")
        assert (outer, inner, plant) == (sorted(outer), sorted(inner), sorted(plant))


def test_wires_are_straight_right_through_frames(mission_graph: Graph) -> None:
    drawing = layout(mission_graph)
    heights = {
        wire.branches[0][0][1]
        for wire in drawing.wires
        if wire.source in (("allocation", "command"), ("autopilot", "command"), ("", "command"))
    }
    assert len(heights) == 1


def test_a_box_stretches_to_keep_its_wires_straight(make_ports: Ports, make_edge: MakeEdge) -> None:
    names = ("surge", "heave", "yaw")
    nodes = [Node(name, "PID", "control", (), make_ports("force")) for name in names]
    mux = Node("mux", "Mux", "basic", make_ports("X Z N"), make_ports("force"))
    edges = [make_edge(f"{name}.force", f"mux.{port}") for name, port in zip(names, ("X", "Z", "N"), strict=True)]
    drawing = layout(Graph("g", "", (*nodes, mux), tuple(edges)))
    assert all(len(branch) == 2 for wire in drawing.wires for branch in wire.branches)
    assert [port.port.name for port in drawing.boxes["mux"].inputs] == ["X", "Z", "N"]


def test_boxes_and_ports_are_ordered_so_that_nothing_crosses(make_ports: Ports, make_edge: MakeEdge) -> None:
    left = tuple(Node(name, "", "basic", (), make_ports("y")) for name in "abc")
    right = tuple(Node(name, "", "basic", make_ports("u v")) for name in "pqr")
    crossed = (make_edge("a.y", "r.v"), make_edge("b.y", "q.u"), make_edge("c.y", "p.v", "r.u"))
    assert _crossings(layout(Graph("boxes", "", left + right, crossed))) == 0
    ports = Node("a", "", "basic", (), make_ports("x y z")), Node("b", "", "basic", make_ports("x y z"))
    turned = (make_edge("a.x", "b.z"), make_edge("a.y", "b.y"), make_edge("a.z", "b.x"))
    assert _crossings(layout(Graph("ports", "", ports, turned))) == 0


def test_ports_keep_their_declared_order_where_that_costs_no_crossing(graphs: dict[str, Graph]) -> None:
    drawing = layout(graphs["long names"])
    assert [p.port.name for p in drawing.boundary] == ["b" * 50]
    drawing = layout(graphs["fan-out into one box"])
    assert [p.port.name for p in drawing.boxes["sink"].inputs] == ["a", "b", "c"]


def test_nested_frames_give_their_ports_an_order_that_suits_both_sides(make_ports: Ports, make_edge: MakeEdge) -> None:
    consumers = tuple(Node(name, "", "basic", make_ports("u")) for name in ("top", "low"))
    inside = Graph("in", "", consumers, (make_edge("b", "top.u"), make_edge("a", "low.u")), make_ports("a b"))
    frame = Node("frame", "", "basic", make_ports("a b"), (), inside)
    source = Node("source", "", "basic", (), make_ports("a b"))
    graph = Graph("g", "", (source, frame), (make_edge("source.a", "frame.a"), make_edge("source.b", "frame.b")))
    assert _crossings(layout(graph)) == 0


def test_the_mission_is_drawn_with_few_crossings_and_mostly_straight(mission_graph: Graph) -> None:
    drawing = layout(mission_graph)
    assert _crossings(drawing) <= 4, "eta reaches three blocks that nu must pass"
    branches = [branch for wire in drawing.wires for branch in wire.branches]
    assert sum(len(branch) == 2 for branch in branches) >= 0.5 * len(branches)


def _loop_with_outputs(make_ports: Ports, make_edge: MakeEdge) -> Graph:
    """Two subsystems in a loop; what is fed back leaves the diagram too, and much else does."""
    autopilot = Node("autopilot", "", "control", make_ports("eta nu nu_r"), make_ports("command heading depth error"))
    plant = Node("plant", "", "dynamics", make_ports("command"), make_ports("speed power eta nu nu_r"))
    outputs = ("speed", "power", "eta", "nu", "heading", "depth", "error")
    edges = [make_edge("autopilot.command", "plant.command")]
    edges += [make_edge(f"plant.{name}", f"autopilot.{name}") for name in ("eta", "nu", "nu_r")]
    edges += [make_edge(f"plant.{name}", name) for name in outputs[:4]]
    edges += [make_edge(f"autopilot.{name}", name) for name in outputs[4:]]
    return Graph("g", "", (autopilot, plant), tuple(edges), (), make_ports(" ".join(outputs)))


def test_feedback_passes_both_boxes_on_the_same_side(make_ports: Ports, make_edge: MakeEdge) -> None:
    drawing = layout(_loop_with_outputs(make_ports, make_edge))
    assert _crossings(drawing) <= 1, "of eta and nu one must cross the way out of the other"
    (command,) = (wire.branches[0] for wire in drawing.wires if wire.source == ("autopilot", "command"))
    assert len(command) == 2
    boxes = [box.rectangle for box in drawing.boxes.values()]
    feedback = [branch for wire in drawing.wires for branch in wire.branches if branch[-1][0] == boxes[0].x]
    assert len(feedback) == 3
    for branch in feedback:
        lane = branch[2][1]
        assert all(lane < box.y for box in boxes) or all(lane > box.bottom for box in boxes)


def test_a_long_wire_finds_its_way_round_all_boxes_at_once(make_ports: Ports, make_edge: MakeEdge) -> None:
    # Two chains side by side, and a wire from the first box of one to the last of the other.
    nodes = [Node(f"{row}{i}", "", "basic", make_ports("u v"), make_ports("y z")) for row in "ab" for i in range(5)]
    edges = [make_edge(f"{row}{i}.y", f"{row}{i + 1}.u") for row in "ab" for i in range(4)]
    rung = make_edge("a2.z", "b2.v")
    long = make_edge("b0.z", "a4.v")
    drawing = layout(Graph("g", "", tuple(nodes), (*edges, long)))
    assert _crossings(drawing) == 0
    assert all(len(branch) == 2 for wire in drawing.wires for branch in wire.branches if wire.source[1] == "y")
    assert _crossings(layout(Graph("g", "", tuple(nodes), (*edges, long, rung)))) <= 1


def test_loose_boxes_stand_side_by_side(graphs: dict[str, Graph]) -> None:
    drawing = layout(graphs["loose boxes"])
    columns = {box.rectangle.x for box in drawing.boxes.values()}
    assert len(columns) == 5


def test_sources_stand_next_to_what_they_drive(make_ports: Ports, make_edge: MakeEdge) -> None:
    chain = [Node(f"n{i}", "", "basic", make_ports("u v"), make_ports("y")) for i in range(4)]
    constant = Node("constant", "Constant", "basic", (), make_ports("y"))
    edges = [make_edge(f"n{i}.y", f"n{i + 1}.u") for i in range(3)]
    drawing = layout(Graph("g", "", (constant, *chain), (*edges, make_edge("constant.y", "n3.v"))))
    n1, beside, n3 = (drawing.rectangle(path) for path in ("n1", "constant", "n3"))
    assert n1.right < beside.x < beside.right < n3.x


def test_wires_that_turn_anyway_do_not_bend_straight_ones(
    graphs: dict[str, Graph], monkeypatch: pytest.MonkeyPatch
) -> None:
    def straight() -> int:
        chosen = [layout(graphs[f"random {seed}"]) for seed in range(0, 30, 3)]
        return sum(len(branch) == 2 for drawing in chosen for wire in drawing.wires for branch in wire.branches)

    reweighted = straight()
    monkeypatch.setattr(placement, "_PASSES", 1)
    assert reweighted > straight()
