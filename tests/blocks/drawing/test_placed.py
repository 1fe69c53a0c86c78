"""Boxes that a person moved. That wires keep off boxes and each other is in test_geometry, for these drawings too."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from blocks.drawing import Graph, Layout, layout

Put = Callable[[Graph, dict[str, tuple[int, int]]], Graph]
UNIT = 16


def corner(laid: Layout, path: str) -> tuple[float, float]:
    """The upper left of a box, in units from where its frame counts."""
    x, y = laid.origin(path.rpartition(".")[0])
    area = laid.boxes[path].rectangle
    return (area.x - x) / UNIT, (area.y - y) / UNIT


def test_a_box_stands_where_it_was_put_and_the_others_where_they_were(heading_loop_graph: Graph, put: Put) -> None:
    before, after = layout(heading_loop_graph), layout(put(heading_loop_graph, {"filter": (40, 30)}))
    assert corner(after, "filter") == (40, 30)
    assert not after.notes
    for name in ("reference", "error", "controller", "waves", "vessel"):
        assert corner(after, name) == corner(before, name)
        assert after.boxes[name].rectangle == before.boxes[name].rectangle


def test_wires_between_boxes_that_stay_are_where_they_were(heading_loop_graph: Graph, put: Put) -> None:
    before, after = layout(heading_loop_graph), layout(put(heading_loop_graph, {"filter": (40, 30)}))
    lines = [{wire.source: wire.branches for wire in laid.wires} for laid in (before, after)]
    assert lines[0]["error", "output"] == lines[1]["error", "output"]
    assert lines[0]["reference", "output"] == lines[1]["reference", "output"]
    assert lines[0]["filter", "output"] != lines[1]["filter", "output"]


def test_a_wire_makes_room_for_a_box(heading_loop_graph: Graph, put: Put) -> None:
    laid = layout(heading_loop_graph)
    back = ((726.0, 236.0), (147.0, 236.0))  # below all boxes, from the filter to the error
    assert back in pairwise(laid.wires[-1].branches[0])
    moved = layout(put(heading_loop_graph, {"waves": (26, 13)}))
    area = moved.boxes["waves"].rectangle
    assert area.y < 236 < area.bottom
    for (left, above), (right, below) in pairwise(moved.wires[-1].branches[0]):
        beside = max(left, right) <= area.x or min(left, right) >= area.right
        assert beside or max(above, below) <= area.y or min(above, below) >= area.bottom


def test_what_is_in_the_way_makes_room(heading_loop_graph: Graph, put: Put) -> None:
    before = layout(heading_loop_graph)
    column, row = (round(value) for value in corner(before, "vessel"))
    after = layout(put(heading_loop_graph, {"reference": (column, row)}))
    assert corner(after, "reference") == (column, row)
    assert corner(after, "vessel") != corner(before, "vessel")
    assert corner(after, "controller") == corner(before, "controller")


def test_where_all_are_placed_nothing_moves_but_what_is_moved(mission_graph: Graph, put: Put) -> None:
    names = [node.name for node in mission_graph.nodes[1].children.nodes]  # type: ignore[union-attr]
    places = {f"autopilot.{name}": (12 * i, 10 * (i % 3)) for i, name in enumerate(names)}
    before = layout(put(mission_graph, places))
    after = layout(put(mission_graph, places | {"autopilot.depth": (30, 40)}))
    assert all(corner(before, path) == place for path, place in places.items())
    assert all(corner(after, path) == place for path, place in places.items() if path != "autopilot.depth")
    assert corner(after, "autopilot.depth") == (30, 40)


def test_the_frame_grows_for_negative_places(heading_loop_graph: Graph, put: Put) -> None:
    places = {"waves": (-20, -9), "filter": (-3, 12)}
    laid = layout(put(heading_loop_graph, places))
    assert {name: corner(laid, name) for name in places} == places
    area, frame = laid.boxes["waves"].rectangle, laid.frame
    assert frame.x < area.x
    assert frame.y + 40 < area.y  # the title stands over it
    assert laid.origin("") != (frame.x, frame.y)


def test_two_at_one_place_stand_side_by_side_and_that_is_said(mission_graph: Graph, put: Put) -> None:
    laid = layout(put(mission_graph, {"plant.current": (5, 40), "plant.vessel": (6, 41)}))
    assert corner(laid, "plant.vessel") == (6, 41)  # the first of the two in the file
    assert laid.notes == (
        "layout: plant.current at [5, 40] would stand on plant.vessel, or touch it; it stands beside it",
    )


def test_a_frame_is_as_large_as_what_stands_in_it(mission_graph: Graph, put: Put) -> None:
    before = layout(mission_graph)
    after = layout(put(mission_graph, {"plant.vessel": (60, 30)}))
    assert after.boxes["plant"].rectangle.width > 60 * UNIT > before.boxes["plant"].rectangle.width
    assert after.boxes["plant"].rectangle.height > 30 * UNIT
