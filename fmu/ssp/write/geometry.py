"""Where things stand in the drawing, in SSP's terms: y goes up, and connectors are placed within their element.

The canvas, ssd:SystemGeometry, is left out: OMSimulator 2 ends at it, and it follows from the elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree as ET

from blocks.drawing import Layout, Rectangle, graph_of, layout
from blocks.drawing.metrics import GRID, PORT_PITCH
from fmu.ssp.system import Part, System

SPREAD = 0.7 * PORT_PITCH * GRID
"""Over which height, in pixels, the elements of one port are spread."""


@dataclass(frozen=True)
class Geometry:
    """The layout of a system whose parts are closed boxes."""

    drawing: Layout

    @classmethod
    def of(cls, system: System) -> Geometry:
        """Lay a system out, as `keelblocks draw --depth` does."""
        return cls(layout(graph_of(system.diagram, system.name), depth=system.depth))

    def add_part(self, element: ET.Element, part: Part) -> None:
        """The box of a part."""
        ET.SubElement(element, "ssd:ElementGeometry", self._corners(self.drawing.rectangle(part.path)))

    def add_port(
        self, element: ET.Element, part: Part | None, port: str, kind: str, index: int = 0, count: int = 1
    ) -> None:
        """Element `index` of the `count` of a port of a part, or (None) of the system."""
        rectangle = self.drawing.rectangle(part.path if part else "")
        path = part.path if part else ""
        x, y = self._points.get((path, port, kind)) or self._undrawn(rectangle, part, port, kind)
        y += SPREAD * ((index + 0.5) / count - 0.5)
        ET.SubElement(
            element,
            "ssd:ConnectorGeometry",
            x=_number((x - rectangle.x) / rectangle.width),
            y=_number(min(1.0, max(0.0, 1.0 - (y - rectangle.y) / rectangle.height))),
        )

    def _undrawn(self, rectangle: Rectangle, part: Part | None, port: str, kind: str) -> tuple[float, float]:
        """A place for a port that is not drawn, because nothing is wired to it: evenly along the side."""
        ports = part.component.output_ports if part and kind == "output" else ()
        missing = [name for name in ports if part and (part.path, name, kind) not in self._points] or [port]
        share = (missing.index(port) + 1) / (len(missing) + 1)
        return (rectangle.x if kind == "input" else rectangle.right), rectangle.y + share * rectangle.height

    @cached_property
    def _points(self) -> dict[tuple[str, str, str], tuple[float, float]]:
        found = {}
        for path, box in self.drawing.boxes.items():
            for side, kind in ((box.inputs, "input"), (box.outputs, "output")):
                for pin in side:
                    found[path, pin.port.name, kind] = pin.point
        frame = self.drawing.frame
        for port in self.drawing.boundary:
            if not port.path:
                kind = "input" if port.is_input else "output"
                x = frame.x if port.is_input else frame.right
                found["", port.port.name, kind] = (x, port.point[1])
        return found

    def _corners(self, rectangle: Rectangle) -> dict[str, str]:
        """Lower left and upper right, in pixels from the lower left of the drawing."""
        height = self.drawing.height
        return {
            "x1": _number(rectangle.x), "y1": _number(height - rectangle.bottom),
            "x2": _number(rectangle.right), "y2": _number(height - rectangle.y),
        }  # fmt: skip


def _number(value: float) -> str:
    return repr(round(float(value), 4))
