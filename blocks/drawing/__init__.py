"""Block diagrams as SVG: `draw` draws a diagram, `render_svg` any graph; `layout` gives its geometry."""

from .from_diagram import draw, graph_of
from .geometry import BoundaryPort, Box, Layout, PortPoint, Rectangle, Wire
from .graph import BOUNDARY, Edge, Graph, Node, Port
from .layout import layout
from .svg import render_layout, render_svg

__all__ = [
    "BOUNDARY",
    "BoundaryPort",
    "Box",
    "Edge",
    "Graph",
    "Layout",
    "Node",
    "Port",
    "PortPoint",
    "Rectangle",
    "Wire",
    "draw",
    "graph_of",
    "layout",
    "render_layout",
    "render_svg",
]
