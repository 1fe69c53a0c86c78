"""Which connectors may be connected, and which way a value goes: the standard's table of allowed connections.

Source: System Structure and Parameterization 2.0 (2024), 5.3.2; what 1.0.1 (2022) allows is a part of it.
"""

from __future__ import annotations

ELEMENT, SYSTEM = "element", "system"
ANY_KIND = "unspecified"

Side = tuple[str, str]
"""Owner and kind of a connector."""

_ROWS: dict[Side, str] = {
    (SYSTEM, "structuralParameter"): (
        "system: calculatedParameter output local; element: structuralParameter parameter input inout"
    ),
    (SYSTEM, "parameter"): "system: calculatedParameter output local; element: parameter input inout",
    (SYSTEM, "input"): "system: output local; element: input inout",
    (ELEMENT, "constant"): (
        "element: structuralParameter parameter input inout; system: constant calculatedParameter output local"
    ),
    (ELEMENT, "calculatedParameter"): "element: parameter input inout; system: calculatedParameter output local",
    (ELEMENT, "output"): "element: input inout; system: output local",
    (ELEMENT, "local"): "element: input inout; system: output local",
    (ELEMENT, "inout"): "element: input; system: output local",
}

ALLOWED: frozenset[tuple[Side, Side]] = frozenset(
    (source, (owner, kind))
    for source, row in _ROWS.items()
    for part in row.split("; ")
    for owner, kinds in [part.split(": ")]
    for kind in kinds.split()
)
"""Pairs of source and sink."""


def allowed(source: Side, sink: Side) -> bool:
    """Whether a value may go from one to the other. A connector of no certain kind is of any that is needed."""
    return any(_fits(source, a) and _fits(sink, b) for a, b in ALLOWED)


def _fits(side: Side, row: Side) -> bool:
    return side[0] == row[0] and side[1] in (row[1], ANY_KIND)


def sinks_of(source: Side) -> list[str]:
    """What a connector may lead to, in words."""
    return [described(sink) for sink in dict.fromkeys(b for a, b in sorted(ALLOWED) if _fits(source, a))]


def described(side: Side) -> str:
    """A connector in words: "the parameter of an element"."""
    return f"{side[1]} of {'an element' if side[0] == ELEMENT else 'the system'}"
