"""The drawing itself: a layout written as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from . import metrics
from .geometry import BoundaryPort, Box, Layout, Point, PortPoint, Wire
from .graph import BOUNDARY, Endpoint, Graph
from .layout import layout
from .text import printable
from .theme import FONT, attributes, family_class, style_sheet
from .wires import shortened, smooth_path, wire_pieces

__all__ = ["render_layout", "render_svg"]

_SCOPE = "keelblocks-diagram"


def render_svg(graph: Graph, *, depth: int | None = None) -> str:
    """The block diagram as an SVG document.

    Parameters
    ----------
    depth
        How many levels of subsystems are opened and drawn as frames: 0 leaves all closed, None opens all.

    The same graph gives the same text. Colours follow the reader's light or dark scheme; ports and wires say in a
    tooltip what they carry.
    """
    return render_layout(layout(graph, depth=depth))


def render_layout(drawing: Layout) -> str:
    """The SVG document of a layout."""
    body: list[str] = []
    body.append(_title(drawing))
    body.extend(_frame(box) for box in drawing.boxes.values() if box.open)
    body.extend(_wire(wire, drawing) for wire in drawing.wires)
    body.extend(_boundary_port(port) for port in drawing.boundary)
    body.extend(_box(box) for box in drawing.boxes.values() if not box.open)
    content = "\n".join(body)
    # Ids must differ where several drawings stand in one page, and be the same whenever the drawing is.
    unique = f"{_SCOPE}-{crc32(content.encode()):08x}"
    width, height = _number(drawing.width), _number(drawing.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{_SCOPE}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="{unique}-title {unique}-desc" '
        f'font-family="{FONT}" stroke-linejoin="round">\n'
        f'<title id="{unique}-title">{_text(_heading(drawing.graph))}</title>\n'
        f'<desc id="{unique}-desc">{_text(_description(drawing))}</desc>\n'
        f"<style>{style_sheet(_SCOPE)}</style>\n"
        f"<rect {attributes('page', width=width, height=height, rx=10)}/>\n"
        f"{content}\n"
        "</svg>\n"
    )


def _heading(graph: Graph) -> str:
    return graph.title or graph.name


def _description(drawing: Layout) -> str:
    blocks = [
        f"{box.path} ({box.node.title})" if box.node.title else box.path
        for box in drawing.boxes.values()
        if not box.open
    ]
    return f"Block diagram of {len(blocks)} blocks and {len(drawing.wires)} wires: {', '.join(blocks) or 'empty'}."


# --- parts -----------------------------------------------------------------------------------------------------------


def _title(drawing: Layout) -> str:
    frame = drawing.frame
    return _words("name", frame.x, frame.y + metrics.TITLE_SIZE, _heading(drawing.graph), metrics.TITLE_SIZE, bold=True)


def _frame(box: Box) -> str:
    """The frame of an open subsystem, with its name and type in one line at the top."""
    area = box.rectangle
    name = f"{_text(box.node.name)}"
    x, y = area.x + metrics.BOX_PADDING, area.y + 21
    look = attributes("frame-inner" if box.depth % 2 else "frame", stroke_width=1.2)
    header = (
        f'<text x="{_number(x)}" y="{_number(y)}">'
        f"<tspan {attributes('name', font_size=metrics.NAME_SIZE, font_weight=700)}>{name}</tspan>"
        f"<tspan {attributes('type', font_size=metrics.TYPE_SIZE, dx=8)}>{_text(box.node.title)}</tspan></text>"
    )
    loose = "".join(_loose_port(port, is_input) for port, is_input in _ports(box) if not port.wired)
    return (
        f"<g data-path={_quoted(box.path)}><title>{_text(_box_tooltip(box))}</title>"
        f'<rect {_area(box)} rx="8" {look}/>{header}{loose}</g>'
    )


def _box(box: Box) -> str:
    area = box.rectangle
    family = family_class(box.node.kind)
    left, right, top = area.x, area.right, area.y
    band = top + 38 if box.inputs or box.outputs else area.bottom
    corner = 6
    if band == area.bottom:
        header = f'<rect {_area(box)} rx="{corner}" {attributes(family, stroke="none", fill_opacity=0.1)}/>'
    else:
        shape = (
            f"M{_number(left)} {_number(band)}V{_number(top + corner)}q0 -{corner} {corner} -{corner}"
            f"H{_number(right - corner)}q{corner} 0 {corner} {corner}V{_number(band)}z"
        )
        header = f'<path d="{shape}" {attributes(family, stroke="none", fill_opacity=0.1)}/>'
    parts = [
        f"<g data-path={_quoted(box.path)}><title>{_text(_box_tooltip(box))}</title>",
        f'<rect {_area(box)} rx="{corner}" {attributes("box")}/>',
        header,
        f'<rect {_area(box)} rx="{corner}" {attributes(family, fill="none", stroke_width=1.3)}/>',
    ]
    if box.node.children is not None:  # closed: a second outline says that there is something inside
        inset = (
            f'x="{_number(area.x + 3)}" y="{_number(area.y + 3)}" width="{_number(area.width - 6)}" '
            f'height="{_number(area.height - 6)}" rx="{corner - 2}"'
        )
        parts.append(f"<rect {inset} {attributes(family, fill='none', stroke_width=0.8, stroke_opacity=0.6)}/>")
    middle = (left + right) / 2
    lines_at = top + (17 if box.node.title else 24)
    parts.append(_words("name", middle, lines_at, box.node.name, metrics.NAME_SIZE, bold=True, anchor="middle"))
    if box.node.title:
        parts.append(_words("type", middle, top + 31, box.node.title, metrics.TYPE_SIZE, anchor="middle"))
    for port, is_input in _ports(box):
        parts.append(_port_label(port, is_input))
    parts.append("</g>")
    return "".join(parts)


def _ports(box: Box) -> list[tuple[PortPoint, bool]]:
    return [(port, True) for port in box.inputs] + [(port, False) for port in box.outputs]


def _port_label(port: PortPoint, is_input: bool) -> str:
    x, y = port.point
    inward = metrics.LABEL_PADDING if is_input else -metrics.LABEL_PADDING
    label = _words(
        "label", x + inward, y + 0.36 * metrics.PORT_SIZE, port.port.text, metrics.PORT_SIZE,
        anchor="start" if is_input else "end",
    )  # fmt: skip
    mark = "" if port.wired else _loose_port(port, is_input)
    return f"<g><title>{_text(_port_tooltip(port.port.name, port.port.title))}</title>{label}{mark}</g>"


def _loose_port(port: PortPoint, is_input: bool) -> str:
    """The mark of a port without a wire: an open arrow head."""
    x, y = port.point
    half = metrics.ARROW / 2
    tip = x if is_input else x + metrics.ARROW
    points = f"M{_number(tip - metrics.ARROW)} {_number(y - half)}L{_number(tip)} {_number(y)}"
    return f'<path d="{points}L{_number(tip - metrics.ARROW)} {_number(y + half)}" {attributes("loose")}/>'


def _boundary_port(port: BoundaryPort) -> str:
    area = port.rectangle
    middle = area.x + area.width / 2
    label = _words("label", middle, area.y + area.height / 2 + 0.36 * metrics.PORT_SIZE, port.port.text,
                   metrics.PORT_SIZE, anchor="middle")  # fmt: skip
    return (
        f"<g><title>{_text(_port_tooltip(port.port.name, port.port.title))}</title>"
        f'<rect x="{_number(area.x)}" y="{_number(area.y)}" width="{_number(area.width)}" '
        f'height="{_number(area.height)}" rx="{_number(area.height / 2)}" {attributes("port")}/>{label}</g>'
    )


def _wire(wire: Wire, drawing: Layout) -> str:
    sinks = {branch[-1] for branch in wire.branches}
    pieces = wire_pieces(wire)
    lines = "".join(smooth_path(shortened(piece, sinks)) for piece in pieces)
    arrows = "".join(_arrow(point) for point in sorted(sinks))
    dots = "".join(_dot(point) for point in wire.junctions)
    labels = "".join(_wire_labels(wire))
    return (
        f'<g class="net"><title>{_text(_wire_tooltip(wire, drawing))}</title>'
        f'<path d="{lines}" fill="none" stroke="#000" stroke-opacity="0" stroke-width="10"/>'  # room for the pointer
        f'<path d="{lines}" {attributes("wire", stroke_width=1.4)}/>{arrows}{dots}{labels}</g>'
    )


def _wire_labels(wire: Wire) -> Iterator[str]:
    if wire.label:
        x, y = wire.branches[0][0]
        yield _words("type", x + metrics.LABEL_MARGIN, y - 4, wire.label, metrics.WIRE_LABEL_SIZE)
    for label, branch in zip(wire.sink_labels, wire.branches, strict=True):
        if label:
            x, y = branch[-1]
            at = x - metrics.ARROW - metrics.LABEL_MARGIN
            yield _words("type", at, y - 4, label, metrics.WIRE_LABEL_SIZE, anchor="end")


def _arrow(tip: Point) -> str:
    x, y = tip
    back, half = x - metrics.ARROW, metrics.ARROW / 2
    points = f"M{_number(x)} {_number(y)}L{_number(back)} {_number(y - half)}V{_number(y + half)}z"
    return f'<path d="{points}" {attributes("arrow")}/>'


def _dot(at: Point) -> str:
    return f'<circle cx="{_number(at[0])}" cy="{_number(at[1])}" r="{metrics.DOT}" {attributes("arrow")}/>'


# --- texts -----------------------------------------------------------------------------------------------------------


def _box_tooltip(box: Box) -> str:
    return f"{box.path}: {box.node.title}" if box.node.title else box.path


def _port_tooltip(name: str, title: str) -> str:
    return title or name


def _wire_tooltip(wire: Wire, drawing: Layout) -> str:
    def of(end: Endpoint, label: str) -> str:
        name = end[1] if end[0] == BOUNDARY else ".".join(end)
        return f"{name} ({label})" if label else name

    sinks = ", ".join(of(sink, label) for sink, label in zip(wire.sinks, wire.sink_labels, strict=True))
    return f"{of(wire.source, wire.label)} → {sinks}"


def _words(look: str, x: float, y: float, text: str, size: float, *, bold: bool = False, anchor: str = "start") -> str:
    more: dict[str, str | float] = {"font_size": size}
    if bold:
        more["font_weight"] = 700
    if anchor != "start":
        more["text_anchor"] = anchor
    return f'<text x="{_number(x)}" y="{_number(y)}" {attributes(look, **more)}>{_text(text)}</text>'


def _area(box: Box) -> str:
    area = box.rectangle
    return f'x="{_number(area.x)}" y="{_number(area.y)}" width="{_number(area.width)}" height="{_number(area.height)}"'


def _text(text: str) -> str:
    return escape(printable(text))


def _quoted(text: str) -> str:
    return quoteattr(printable(text))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
