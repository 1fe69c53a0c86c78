"""Block diagrams as SVG: `render_svg` draws a graph, `layout` gives its geometry, `render_layout` draws that."""

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
    "layout",
    "render_layout",
    "render_svg",
]
