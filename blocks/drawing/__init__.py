"""Block diagrams, drawn: `draw` gives a diagram as SVG, `drawing` the same as data, `render_svg` any graph as SVG."""

from .drawing import Drawing
from .from_diagram import draw, drawing, graph_of
from .geometry import BoundaryPort, Box, Layout, PortPoint, Rectangle, Wire
from .graph import BOUNDARY, Edge, Graph, Node, Port
from .layout import layout
from .svg import render_drawing, render_layout, render_svg

__all__ = [
    "BOUNDARY",
    "BoundaryPort",
    "Box",
    "Drawing",
    "Edge",
    "Graph",
    "Layout",
    "Node",
    "Port",
    "PortPoint",
    "Rectangle",
    "Wire",
    "draw",
    "drawing",
    "graph_of",
    "layout",
    "render_drawing",
    "render_layout",
    "render_svg",
]
