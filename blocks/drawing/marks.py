"""What a drawing that compares two diagrams says of its parts: by colour, by a sign or a dash, and in a legend."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .geometry import Rectangle
from .graph import Mark
from .theme import attributes

__all__ = ["badge", "common", "legend", "legend_width", "mark_class", "wire_look"]

_SIGNS: dict[Mark, str] = {"added": "+", "removed": "\N{MINUS SIGN}", "changed": "\N{NOT EQUAL TO}"}
_RADIUS = 8
_STEP = 100
"""From one entry of the legend to the next."""


def mark_class(mark: Mark) -> str:
    """The class of what is drawn for a mark."""
    return f"mark-{mark}"


def badge(area: Rectangle, mark: Mark) -> str:
    """The outline of a box in the colour of its mark, and its sign on the upper right corner."""
    if not mark:
        return ""
    dash: dict[str, str | float] = {"stroke_dasharray": "6 4"} if mark == "removed" else {}
    outline = attributes(mark_class(mark), fill="none", stroke_width=2.6, **dash)
    return (
        f'<rect x="{area.x:g}" y="{area.y:g}" width="{area.width:g}" height="{area.height:g}" rx="6" {outline}/>'
        f"{_sign(area.right, area.y, mark)}"
    )


def wire_look(mark: Mark) -> str:
    """The attributes of the line of a wire."""
    if not mark:
        return attributes("wire", stroke_width=1.4)
    dash: dict[str, str | float] = {"stroke_dasharray": "6 4"} if mark == "removed" else {}
    return attributes(mark_class(mark), fill="none", stroke_width=2.4, **dash)


def common(marks: Iterable[Mark]) -> Mark:
    """The mark of what several branches share: theirs, if it is one."""
    found = set(marks)
    return found.pop() if len(found) == 1 else ""


def legend(used: Collection[Mark], right: float, y: float) -> str:
    """What the colours and signs mean, for the marks that a drawing has, ending at `right`."""
    entries = []
    for place, mark in enumerate(mark for mark in _SIGNS if mark in used):
        x = right - (len(used) - place) * _STEP + _RADIUS
        text = f'<text x="{x + 14:g}" y="{y + 4:g}" {attributes("name", font_size=11)}>{mark}</text>'
        entries.append(f"<g>{_sign(x, y, mark)}{text}</g>")
    return "".join(entries)


def legend_width(used: Collection[Mark]) -> float:
    """How wide the legend is."""
    return len(used) * _STEP


def _sign(x: float, y: float, mark: Mark) -> str:
    disc = attributes(mark_class(mark), stroke="none")
    text = attributes("sign", font_size=13, font_weight=700, text_anchor="middle")
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{_RADIUS}" {disc}/><text x="{x:g}" y="{y + 4.5:g}" {text}>'
        f"{_SIGNS[mark]}</text>"
    )
