"""The icon of an FMU: the drawing of its model without words and ports, which would be too small to read.

FMI wants a bitmap, and takes the same as SVG beside it for tools that can draw that.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise

import PIL.PngImagePlugin  # noqa: F401 - else the first export would load it
from PIL import Image

from blocks.drawing import BoundaryPort, Box, Layout, Wire
from blocks.drawing.theme import colours, family_class
from fmu.description.drawing import Drawing

_MARGIN = 14.0  # around the boxes; the outer ends of wires stand there
_LONGER_SIDE, _SHORTER_SIDE = 400, 100  # pixels: at most, and at least
_FINER = 2  # how many pixels in each direction are drawn for one of the bitmap
_BAND = 12.0  # height of the coloured head of a box


@dataclass(frozen=True)
class Area:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str | None = None


@dataclass(frozen=True)
class Line:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    stroke: str

    def pieces(self, thick: float) -> Iterable[Area]:
        """The area of each piece, between one point and the next, where the line is so thick."""
        for (ax, ay), (bx, by) in pairwise(self.points):
            x, y = min(ax, bx) - thick / 2, min(ay, by) - thick / 2
            yield Area(x, y, abs(ax - bx) + thick, abs(ay - by) + thick, self.stroke)


@dataclass(frozen=True)
class Picture:
    """What is on an icon, from the back to the front, in the measures of the drawing."""

    x: float
    y: float
    width: float
    height: float
    shapes: tuple[Area | Line, ...]

    @property
    def stroke(self) -> float:
        """How thick lines are: well visible however much there is on the picture."""
        return max(2.0, max(self.width, self.height) / 250.0)


@dataclass(frozen=True)
class Icon:
    """An icon in both forms, and its size in pixels."""

    png: bytes
    svg: bytes
    width: int
    height: int


@functools.lru_cache(maxsize=32)
def icon(drawing: Drawing) -> Icon:
    """The icon of a model with this drawing."""
    picture = picture_of(drawing.layout)
    scale = min(1.0, _LONGER_SIDE / max(picture.width, picture.height))
    scale = max(scale, _SHORTER_SIDE / min(picture.width, picture.height))
    width, height = round(picture.width * scale), round(picture.height * scale)
    return Icon(_png(picture, width, height), _svg(picture), width, height)


def picture_of(drawing: Layout) -> Picture:
    """What is on the icon of a model with this drawing."""
    areas = [box.rectangle for box in drawing.boxes.values()]
    left, top = min(a.x for a in areas) - _MARGIN, min(a.y for a in areas) - _MARGIN
    right, bottom = max(a.right for a in areas) + _MARGIN, max(a.bottom for a in areas) + _MARGIN
    frames = [_frame(box) for box in drawing.boxes.values() if box.open]
    lines = [line for wire in drawing.wires for line in _lines(wire)]
    boxes = [area for box in drawing.boxes.values() if not box.open for area in _box(box)]
    ports = [_port(port) for port in drawing.boundary if port.path]
    page = Area(left, top, right - left, bottom - top, colours("page")["fill"])
    return Picture(left, top, page.width, page.height, (page, *frames, *lines, *ports, *boxes))


def _frame(box: Box) -> Area:
    area, light = box.rectangle, colours("frame-inner" if box.depth % 2 else "frame")
    return Area(area.x, area.y, area.width, area.height, light["fill"], light["stroke"])


def _box(box: Box) -> Iterable[Area]:
    area, accent = box.rectangle, colours(family_class(box.node.kind))["stroke"]
    yield Area(area.x, area.y, area.width, area.height, colours("box")["fill"], accent)
    yield Area(area.x, area.y, area.width, min(_BAND, area.height), accent)


def _port(port: BoundaryPort) -> Area:
    """A port of a frame, where wires pass."""
    area, light = port.rectangle, colours("port")
    return Area(area.x, area.y, area.width, area.height, light["fill"], light["stroke"])


def _lines(wire: Wire) -> Iterable[Line]:
    stroke = colours("wire")["stroke"]
    return (Line(branch, stroke) for branch in wire.branches)


def _svg(picture: Picture) -> bytes:
    view = " ".join(f"{value:g}" for value in (picture.x, picture.y, picture.width, picture.height))
    size = f'width="{picture.width:g}" height="{picture.height:g}"'
    thick = f"{picture.stroke:g}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {size}>']
    for shape in picture.shapes:
        if isinstance(shape, Line):
            points = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
            parts.append(f'<polyline points="{points}" fill="none" stroke="{shape.stroke}" stroke-width="{thick}"/>')
        else:
            border = f' stroke="{shape.stroke}" stroke-width="{thick}"' if shape.stroke else ""
            parts.append(
                f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}" '
                f'fill="{shape.fill}"{border}/>'
            )
    return "\n".join([*parts, "</svg>\n"]).encode()


def _png(picture: Picture, width: int, height: int) -> bytes:
    scale = _FINER * width / picture.width
    stroke = max(1, round(picture.stroke * scale))
    image = Image.new("RGB", (_FINER * width, _FINER * height))

    def fill(colour: str, area: Area, inset: int = 0) -> None:
        left, right = (round((x - picture.x) * scale) for x in (area.x, area.x + area.width))
        top, bottom = (round((y - picture.y) * scale) for y in (area.y, area.y + area.height))
        if right - left > 2 * inset and bottom - top > 2 * inset:
            image.paste(colour, (left + inset, top + inset, right - inset, bottom - inset))

    for shape in picture.shapes:
        if isinstance(shape, Line):  # pieces of wires run along one axis
            for piece in shape.pieces(stroke / scale):
                fill(shape.stroke, piece)
        elif shape.stroke:
            fill(shape.stroke, shape)
            fill(shape.fill, shape, stroke)
        else:
            fill(shape.fill, shape)
    buffer = BytesIO()
    buffer.name = "icon.png"  # by which Pillow knows that it need not load other formats
    image.reduce(_FINER).quantize(256, method=Image.Quantize.MEDIANCUT).save(buffer, optimize=True)
    return buffer.getvalue()
