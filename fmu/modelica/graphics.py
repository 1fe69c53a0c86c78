"""What a model looks like in Modelica: our drawing as its icon, and its connectors around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fmu.description.drawing import Drawing
from fmu.description.icon import Area, Line, Picture, picture_of

_HALF = 100.0
_ROOM = 84.0
"""Half of the side of the square that the drawing may take."""
_SIZE = 10.0
"""Half of the side of a connector, where there is room."""


def icon(drawing: Drawing, indent: str) -> str:
    """The annotation `Icon(…)` of a model with this drawing: vectors, which stay sharp at any size."""
    picture = picture_of(drawing.layout)
    scale = 2.0 * _ROOM / max(picture.width, picture.height)
    shapes = [
        "Rectangle(extent={{-100,-100},{100,100}}, lineColor={64,78,92}, fillColor={255,255,255}, "
        "fillPattern=FillPattern.Solid)",
        *_shapes(picture, scale),
        'Text(extent={{-150,108},{150,148}}, textString="%name", textColor={0,0,255})',
    ]
    inner = f",\n{indent}    ".join(shapes)
    return (
        f"Icon(coordinateSystem(preserveAspectRatio=true, extent={{{{-100,-100}},{{100,100}}}}),\n"
        f"{indent}  graphics={{\n{indent}    {inner}}})"
    )


def _shapes(picture: Picture, scale: float) -> Iterator[str]:
    thick = max(0.25, 0.25 * round(picture.stroke * scale / 0.25 * 0.3))
    middle_x, middle_y = picture.x + picture.width / 2.0, picture.y + picture.height / 2.0

    def point(x: float, y: float) -> str:
        along, up = (min(max(value * scale, -_HALF), _HALF) for value in (x - middle_x, middle_y - y))
        return f"{{{along:.4g},{up:.4g}}}"

    for shape in picture.shapes[1:]:  # the first is the page
        if isinstance(shape, Line):
            points = ",".join(point(x, y) for x, y in shape.points)
            yield f"Line(points={{{points}}}, color={_colour(shape.stroke)}, thickness={thick:g})"
        else:
            yield _rectangle(shape, point(shape.x, shape.y), point(shape.x + shape.width, shape.y + shape.height))


def _rectangle(area: Area, one: str, other: str) -> str:
    line = f"lineColor={_colour(area.stroke)}" if area.stroke else "pattern=LinePattern.None"
    return f"Rectangle(extent={{{one},{other}}}, {line}, fillColor={_colour(area.fill)}, fillPattern=FillPattern.Solid)"


def _colour(text: str) -> str:
    """A colour of the drawing, `#1b2733`, as red, green and blue."""
    digits = text.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return f"{{{','.join(str(int(digits[i : i + 2], 16)) for i in (0, 2, 4))}}}"


def placements(count: int, side: int) -> Iterable[str]:
    """The annotations of connectors on one side, -1 left and 1 right, from the top down."""
    gap = 2.0 * _HALF / (count + 1)
    size = min(_SIZE, 0.45 * gap)
    for number in range(1, count + 1):
        y = _HALF - number * gap
        x = side * (_HALF + size)
        extent = f"{{{{{x - size:.4g},{y - size:.4g}}},{{{x + size:.4g},{y + size:.4g}}}}}"
        yield f"Placement(transformation(extent={extent}))"


_CONNECTOR = """\
  connector {name} = {direction} Real "{about}"
    annotation(defaultComponentName="{usual}", Icon(coordinateSystem(extent={{{{-100,-100}},{{100,100}}}}),
      graphics={{Polygon(points={{{{-100,100}},{{100,0}},{{-100,-100}}}}, lineColor={{0,0,127}}, fillColor={fill},
        fillPattern=FillPattern.Solid)}}));
"""
INTERFACES = (
    'package Interfaces "Connectors of numbers, as those of Modelica.Blocks.Interfaces, with which they connect"\n'
    + _CONNECTOR.format(name="RealInput", direction="input", about="An input", usual="u", fill="{0,0,127}")
    + _CONNECTOR.format(name="RealOutput", direction="output", about="An output", usual="y", fill="{255,255,255}")
    + "end Interfaces;\n"
)
"""The package of the connectors."""
