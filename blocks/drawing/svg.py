"""The drawing itself, written as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from . import metrics
from .drawing import Drawing, DrawnBlock, DrawnBoundaryPort, DrawnPort, DrawnWire, drawn
from .geometry import Layout, Point, Rectangle
from .graph import BOUNDARY, Graph, Mark
from .layout import layout
from .marks import badge, common, legend, legend_width, mark_class, wire_look
from .text import printable, text_width
from .theme import FONT, attributes, family_class, style_sheet
from .wires import shortened, smooth_path, wire_pieces

__all__ = ["render_drawing", "render_layout", "render_svg"]

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


def render_layout(laid: Layout) -> str:
    """The SVG document of a layout."""
    return render_drawing(drawn(laid))


def render_drawing(drawing: Drawing) -> str:
    """The SVG document of a drawing."""
    body: list[str] = []
    body.append(_title(drawing))
    marks = _marks(drawing)
    page = max(drawing.width, legend_width(marks) + 2 * metrics.MARGIN)
    if marks:
        title = text_width(_heading(drawing), metrics.TITLE_SIZE, bold=True)
        beside = title + legend_width(marks) < drawing.frame.width
        body.append(legend(marks, page - metrics.MARGIN, drawing.frame.y + (metrics.TITLE_SIZE / 2 if beside else 32)))
    body.extend(_frame(block) for block in drawing.blocks if block.open)
    body.extend(map(_wire, drawing.wires))
    body.extend(map(_boundary_port, drawing.ports))
    body.extend(_box(block) for block in drawing.blocks if not block.open)
    content = "\n".join(body)
    # Ids must differ where several drawings stand in one page, and be the same whenever the drawing is.
    unique = f"{_SCOPE}-{crc32(content.encode()):08x}"
    width, height = _number(page), _number(drawing.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{_SCOPE}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="{unique}-title {unique}-desc" '
        f'font-family="{FONT}" stroke-linejoin="round">\n'
        f'<title id="{unique}-title">{_text(_heading(drawing))}</title>\n'
        f'<desc id="{unique}-desc">{_text(_description(drawing))}</desc>\n'
        f"<style>{style_sheet(_SCOPE)}</style>\n"
        f"<rect {attributes('page', width=width, height=height, rx=10)}/>\n"
        f"{content}\n"
        "</svg>\n"
    )


def _marks(drawing: Drawing) -> set[Mark]:
    """The marks that are in a drawing."""
    marked = {block.mark for block in drawing.blocks} | {sink.mark for wire in drawing.wires for sink in wire.sinks}
    return marked - {""}


def _heading(drawing: Drawing) -> str:
    return drawing.title or drawing.name


def _description(drawing: Drawing) -> str:
    blocks = [
        f"{block.path} ({block.title})" if block.title else block.path for block in drawing.blocks if not block.open
    ]
    return f"Block diagram of {len(blocks)} blocks and {len(drawing.wires)} wires: {', '.join(blocks) or 'empty'}."


# --- parts -----------------------------------------------------------------------------------------------------------


def _title(drawing: Drawing) -> str:
    frame = drawing.frame
    return _words("name", frame.x, frame.y + metrics.TITLE_SIZE, _heading(drawing), metrics.TITLE_SIZE, bold=True)


def _frame(box: DrawnBlock) -> str:
    """The frame of an open subsystem, with its name and type in one line at the top."""
    area = box.area
    name = f"{_text(box.name)}"
    x, y = area.x + metrics.BOX_PADDING, area.y + 21
    look = attributes("frame-inner" if box.path.count(".") % 2 else "frame", stroke_width=1.2)
    header = (
        f'<text x="{_number(x)}" y="{_number(y)}">'
        f"<tspan {attributes('name', font_size=metrics.NAME_SIZE, font_weight=700)}>{name}</tspan>"
        f"<tspan {attributes('type', font_size=metrics.TYPE_SIZE, dx=8)}>{_text(box.title)}</tspan></text>"
    )
    loose = "".join(_loose_port(port) for port in (*box.inputs, *box.outputs) if not port.wired)
    mark = badge(area, box.mark) if box.mark != "changed" else ""  # what was changed in it can be seen
    return (
        f"<g data-path={_quoted(box.path)}><title>{_text(_box_tooltip(box))}</title>"
        f'<rect {_area(area)} rx="8" {look}/>{header}{loose}{mark}</g>'
    )


def _box(box: DrawnBlock) -> str:
    area = box.area
    family = family_class(box.family)
    left, right, top = area.x, area.right, area.y
    band = top + 38 if box.inputs or box.outputs else area.bottom
    corner = 6
    if band == area.bottom:
        header = f'<rect {_area(area)} rx="{corner}" {attributes(family, stroke="none", fill_opacity=0.1)}/>'
    else:
        shape = (
            f"M{_number(left)} {_number(band)}V{_number(top + corner)}q0 -{corner} {corner} -{corner}"
            f"H{_number(right - corner)}q{corner} 0 {corner} {corner}V{_number(band)}z"
        )
        header = f'<path d="{shape}" {attributes(family, stroke="none", fill_opacity=0.1)}/>'
    parts = [
        f"<g data-path={_quoted(box.path)}><title>{_text(_box_tooltip(box))}</title>",
        f'<rect {_area(area)} rx="{corner}" {attributes("box")}/>',
        header,
        f'<rect {_area(area)} rx="{corner}" {attributes(family, fill="none", stroke_width=1.3)}/>',
    ]
    if box.nested:  # closed: a second outline says that there is something inside
        inset = (
            f'x="{_number(area.x + 3)}" y="{_number(area.y + 3)}" width="{_number(area.width - 6)}" '
            f'height="{_number(area.height - 6)}" rx="{corner - 2}"'
        )
        parts.append(f"<rect {inset} {attributes(family, fill='none', stroke_width=0.8, stroke_opacity=0.6)}/>")
    middle = (left + right) / 2
    lines_at = top + (17 if box.title else 24)
    parts.append(_words("name", middle, lines_at, box.name, metrics.NAME_SIZE, bold=True, anchor="middle"))
    if box.title:
        parts.append(_words("type", middle, top + 31, box.title, metrics.TYPE_SIZE, anchor="middle"))
    parts.extend(map(_port_label, (*box.inputs, *box.outputs)))
    parts.append(f"{badge(area, box.mark)}</g>")
    return "".join(parts)


def _port_label(port: DrawnPort) -> str:
    x, y = port.point
    inward = metrics.LABEL_PADDING if port.side == "left" else -metrics.LABEL_PADDING
    label = _words(
        "label", x + inward, y + 0.36 * metrics.PORT_SIZE, port.label, metrics.PORT_SIZE,
        anchor="start" if port.side == "left" else "end",
    )  # fmt: skip
    mark = "" if port.wired else _loose_port(port)
    return f"<g><title>{_text(_port_tooltip(port.name, port.title))}</title>{label}{mark}</g>"


def _loose_port(port: DrawnPort) -> str:
    """The mark of a port without a wire: an open arrow head."""
    x, y = port.point
    half = metrics.ARROW / 2
    tip = x if port.side == "left" else x + metrics.ARROW
    points = f"M{_number(tip - metrics.ARROW)} {_number(y - half)}L{_number(tip)} {_number(y)}"
    return f'<path d="{points}L{_number(tip - metrics.ARROW)} {_number(y + half)}" {attributes("loose")}/>'


def _boundary_port(port: DrawnBoundaryPort) -> str:
    area = port.area
    middle = area.x + area.width / 2
    label = _words("label", middle, area.y + area.height / 2 + 0.36 * metrics.PORT_SIZE, port.label,
                   metrics.PORT_SIZE, anchor="middle")  # fmt: skip
    return (
        f"<g><title>{_text(_port_tooltip(port.name, port.title))}</title>"
        f'<rect {_area(area)} rx="{_number(area.height / 2)}" {attributes("port")}/>{label}</g>'
    )


def _wire(wire: DrawnWire) -> str:
    pieces = wire_pieces([sink.points for sink in wire.sinks], wire.junctions)
    ends = {sink.points[-1]: sink.mark for sink in wire.sinks}
    lines: dict[Mark, str] = {}
    for piece, branches in pieces.items():
        mark = common(wire.sinks[branch].mark for branch in branches)
        lines[mark] = lines.get(mark, "") + smooth_path(shortened(piece, ends))
    drawn_lines = "".join(f'<path d="{line}" {wire_look(mark)}/>' for mark, line in lines.items())
    arrows = "".join(_arrow(point, ends[point]) for point in sorted(ends))
    dots = "".join(_dot(point) for point in wire.junctions)
    labels = "".join(_wire_labels(wire))
    return (
        f'<g class="net"><title>{_text(_wire_tooltip(wire))}</title>'
        f'<path d="{"".join(lines.values())}" fill="none" stroke="#000" stroke-opacity="0" stroke-width="10"/>'
        f"{drawn_lines}{arrows}{dots}{labels}</g>"  # what is not seen is room for the pointer
    )


def _wire_labels(wire: DrawnWire) -> Iterator[str]:
    if wire.label:
        x, y = wire.sinks[0].points[0]
        yield _words("type", x + metrics.LABEL_MARGIN, y - 4, wire.label, metrics.WIRE_LABEL_SIZE)
    for sink in wire.sinks:
        if sink.label:
            x, y = sink.points[-1]
            at = x - metrics.ARROW - metrics.LABEL_MARGIN
            yield _words("type", at, y - 4, sink.label, metrics.WIRE_LABEL_SIZE, anchor="end")


def _arrow(tip: Point, mark: Mark) -> str:
    x, y = tip
    back, half = x - metrics.ARROW, metrics.ARROW / 2
    points = f"M{_number(x)} {_number(y)}L{_number(back)} {_number(y - half)}V{_number(y + half)}z"
    look = attributes(mark_class(mark), stroke="none") if mark else attributes("arrow")
    return f'<path d="{points}" {look}/>'


def _dot(at: Point) -> str:
    return f'<circle cx="{_number(at[0])}" cy="{_number(at[1])}" r="{metrics.DOT}" {attributes("arrow")}/>'


# --- texts -----------------------------------------------------------------------------------------------------------


def _box_tooltip(box: DrawnBlock) -> str:
    words = f"{box.path}: {box.title}" if box.title else box.path
    return f"{words}\n{box.note}" if box.note else words


def _port_tooltip(name: str, title: str) -> str:
    return title or name


def _wire_tooltip(wire: DrawnWire) -> str:
    def of(block: str, port: str, label: str) -> str:
        name = port if block == BOUNDARY else f"{block}.{port}"
        return f"{name} ({label})" if label else name

    sinks = ", ".join(of(sink.block, sink.port, sink.label) for sink in wire.sinks)
    return f"{of(wire.block, wire.port, wire.label)} → {sinks}"


def _words(look: str, x: float, y: float, text: str, size: float, *, bold: bool = False, anchor: str = "start") -> str:
    more: dict[str, str | float] = {"font_size": size}
    if bold:
        more["font_weight"] = 700
    if anchor != "start":
        more["text_anchor"] = anchor
    return f'<text x="{_number(x)}" y="{_number(y)}" {attributes(look, **more)}>{_text(text)}</text>'


def _area(area: Rectangle) -> str:
    return f'x="{_number(area.x)}" y="{_number(area.y)}" width="{_number(area.width)}" height="{_number(area.height)}"'


def _text(text: str) -> str:
    return escape(printable(text))


def _quoted(text: str) -> str:
    return quoteattr(printable(text))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
