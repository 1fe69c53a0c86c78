"""What must hold of any drawing, whatever the graph: these are the properties a reader relies on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise

from blocks.drawing import BOUNDARY, Layout, Rectangle, Wire, metrics
from blocks.drawing.text import text_width

Segment = tuple[float, float, float, float]  # x and y of the upper left, x and y of the lower right end


def _segments(wire: Wire) -> Iterator[Segment]:
    for branch in wire.branches:
        for (ax, ay), (bx, by) in pairwise(branch):
            yield min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _overlap(a: Rectangle, b: Rectangle) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _contains(outer: Rectangle, inner: Rectangle) -> bool:
    return outer.x < inner.x and inner.right < outer.right and outer.y < inner.y and inner.bottom < outer.bottom


def _parent(path: str) -> str:
    return path.rpartition(".")[0]


def test_every_node_has_a_box_and_every_edge_a_wire(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        todo = [("", drawing.graph)]
        boxes: set[str] = set()
        wires: set[tuple[str, tuple[str, str], tuple[str, str]]] = set()
        while todo:
            path, graph = todo.pop()
            wires.update((path, e.source, sink) for e in graph.edges for sink in e.sinks)
            for node in graph.nodes:
                inner = f"{path}.{node.name}" if path else node.name
                boxes.add(inner)
                if node.children:
                    todo.append((inner, node.children))
        assert set(drawing.boxes) == boxes, name
        drawn = [(wire.path, wire.source, sink) for wire in drawing.wires for sink in wire.sinks]
        assert len(drawn) == len(set(drawn)), name
        assert set(drawn) == wires, name


def test_boxes_do_not_overlap_their_siblings(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        siblings = defaultdict(list)
        for box in drawing.boxes.values():
            siblings[_parent(box.path)].append(box)
        for family in siblings.values():
            for one, other in combinations(family, 2):
                assert not _overlap(one.rectangle, other.rectangle), f"{name}: {one.path} and {other.path}"


def test_frames_hold_their_insides_and_the_page_holds_all(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        page = Rectangle(0, 0, drawing.width, drawing.height)
        assert _contains(page, drawing.frame), name
        for box in drawing.boxes.values():
            frame = drawing.rectangle(_parent(box.path))
            assert _contains(frame, box.rectangle), f"{name}: {box.path}"
        for wire in drawing.wires:
            frame = drawing.rectangle(wire.path)
            for left, top, right, bottom in _segments(wire):
                assert frame.x <= left, f"{name}: {wire.path} {wire.source}"
                assert right <= frame.right, f"{name}: {wire.path} {wire.source}"
                assert frame.y < top, f"{name}: {wire.path} {wire.source}"
                assert bottom < frame.bottom, f"{name}: {wire.path} {wire.source}"


def test_ports_are_on_the_sides_of_their_boxes_and_apart(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        for box in drawing.boxes.values():
            area = box.rectangle
            for ports, x in ((box.inputs, area.x), (box.outputs, area.right)):
                assert all(port.point[0] == x for port in ports), f"{name}: {box.path}"
                heights = [port.point[1] for port in ports]
                assert all(upper + 20 <= lower for upper, lower in pairwise(heights)), f"{name}: {box.path}"
                assert all(area.y + 20 < height < area.bottom for height in heights), f"{name}: {box.path}"
            assert {port.port for port in box.inputs} == set(box.node.inputs)
            assert {port.port for port in box.outputs} == set(box.node.outputs)


def test_boundary_ports_stand_where_the_wires_outside_end(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        for port in drawing.boundary:
            frame = drawing.rectangle(port.path)
            assert port.point[1] == port.rectangle.y + port.rectangle.height / 2, name
            assert port.point[0] == (port.rectangle.right if port.is_input else port.rectangle.x), name
            assert (port.rectangle.x if port.is_input else port.rectangle.right) == (
                frame.x if port.is_input else frame.right
            ), name
            if port.path:
                box = drawing.boxes[port.path]
                outer = {p.port.name: p.point for p in (box.inputs if port.is_input else box.outputs)}
                assert outer[port.port.name][1] == port.point[1], f"{name}: {port.path}.{port.port.name}"


def test_wires_are_orthogonal_and_end_at_their_ports(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        sources: dict[tuple[str, tuple[str, str]], tuple[float, float]] = {}
        sinks = dict(sources)
        for box in drawing.boxes.values():
            for points, ports in ((sources, box.outputs), (sinks, box.inputs)):
                points.update({(_parent(box.path), (box.node.name, port.port.name)): port.point for port in ports})
        for end in drawing.boundary:
            (sources if end.is_input else sinks)[end.path, (BOUNDARY, end.port.name)] = end.point
        for wire in drawing.wires:
            for sink, branch in zip(wire.sinks, wire.branches, strict=True):
                what = f"{name}: {wire.path} {wire.source} to {sink}"
                assert branch[0] == sources[wire.path, wire.source], what
                assert branch[-1] == sinks[wire.path, sink], what
                for (ax, ay), (bx, by) in pairwise(branch):
                    assert (ax == bx) != (ay == by), what
                assert branch[0][0] < branch[1][0], f"{what} leaves to the right"
                assert branch[-2][0] < branch[-1][0], f"{what} arrives from the left"


def test_no_wire_passes_through_a_box(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        blocks = [(box.path, box.rectangle) for box in drawing.boxes.values()]
        names = [(f"boundary port {port.port.name}", port.rectangle) for port in drawing.boundary]
        for wire in drawing.wires:
            for left, top, right, bottom in _segments(wire):
                for path, area in blocks + names:
                    if wire.path == path or wire.path.startswith(path + "."):
                        continue  # a frame around the wire
                    inside = left < area.right and area.x < right and top < area.bottom and area.y < bottom
                    assert not inside, f"{name}: {wire.path} {wire.source} through {path}"


def test_wires_of_different_sources_never_lie_on_each_other(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        lines: dict[tuple[bool, float], list[tuple[float, float, int]]] = defaultdict(list)
        for number, wire in enumerate(drawing.wires):
            for left, top, right, bottom in _segments(wire):
                if top == bottom:
                    lines[True, top].append((left, right, number))
                else:
                    lines[False, left].append((top, bottom, number))
        for (horizontal, at), pieces in lines.items():
            for (a, b, one), (c, d, other) in combinations(pieces, 2):
                touching = one != other and max(a, c) <= min(b, d)
                assert not touching, f"{name}: wires {one} and {other} at {'y' if horizontal else 'x'} = {at}"


def test_a_wire_is_a_tree_with_a_dot_wherever_it_divides(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        for wire in drawing.wires:
            divisions = {tuple(_last_common_point(a, b)) for a, b in combinations(wire.branches, 2)}
            assert divisions == set(wire.junctions), f"{name}: {wire.path} {wire.source}"


def _last_common_point(a: tuple[tuple[float, float], ...], b: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    """Where two lines from one start part."""
    last = a[0]
    for p, q in zip(a[1:], b[1:], strict=False):
        if p == q:
            last = p
            continue
        same_way = all((p[i] > last[i]) - (p[i] < last[i]) == (q[i] > last[i]) - (q[i] < last[i]) for i in (0, 1))
        near = min(p, q, key=lambda point: abs(point[0] - last[0]) + abs(point[1] - last[1]))
        return near if same_way else last
    return last


def test_names_of_boxes_fit_and_labels_of_ports_do_not_meet(layouts: dict[str, Layout]) -> None:
    for name, drawing in layouts.items():
        for box in drawing.boxes.values():
            width = box.rectangle.width
            assert text_width(box.node.name, metrics.NAME_SIZE, bold=True) < width, f"{name}: {box.path}"
            assert text_width(box.node.title, metrics.TYPE_SIZE) < width, f"{name}: {box.path}"
            for one in box.inputs if not box.open else ():
                for other in box.outputs:
                    used = sum(text_width(p.port.text, metrics.PORT_SIZE) for p in (one, other))
                    assert used + 10 < width, f"{name}: {box.path}"


def test_labels_of_wires_touch_nothing(layouts: dict[str, Layout]) -> None:
    shown = 0
    for name, drawing in layouts.items():
        if "moved" in name:
            continue  # where boxes stand close there may be no room for labels
        solid = [box.rectangle for box in drawing.boxes.values() if not box.open]
        solid += [port.rectangle for port in drawing.boundary]
        labels = [label for wire in drawing.wires for label in _labels(wire)]
        shown += len(labels)
        for label in labels:
            assert not any(_overlap(label, area) for area in solid), name
            for wire in drawing.wires:
                for left, top, right, bottom in _segments(wire):
                    assert not _overlap(label, Rectangle(left, top, right - left, bottom - top)), name
        assert not any(_overlap(one, other) for one, other in combinations(labels, 2)), name
    assert shown > 100


def _labels(wire: Wire) -> Iterator[Rectangle]:
    """The room of the texts on a wire: above its start, or above its ends where they differ."""
    if wire.label:
        x, y = wire.branches[0][0]
        width = text_width(wire.label, metrics.WIRE_LABEL_SIZE)
        yield Rectangle(x + metrics.LABEL_MARGIN, y - 4 - metrics.WIRE_LABEL_SIZE * 0.75, width, 7)
    for label, branch in zip(wire.sink_labels, wire.branches, strict=True):
        if label:
            x, y = branch[-1]
            width = text_width(label, metrics.WIRE_LABEL_SIZE)
            left = x - metrics.ARROW - metrics.LABEL_MARGIN - width
            yield Rectangle(left, y - 4 - metrics.WIRE_LABEL_SIZE * 0.75, width, 7)
