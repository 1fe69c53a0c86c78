"""terminalsAndIcons.xml of FMI 3.0: ports of a family, such as a Wrench or a Pose, that fit together; and the icon."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from blocks import signal
from blocks.signal import Signal
from fmu.description.icon import Icon
from fmu.description.maps import Map, add_map
from fmu.description.markup import Document
from fmu.description.variables import Variable

_FAMILIES: dict[str, Signal] = {
    family.name: family
    for family in vars(signal).values()
    if isinstance(family, Signal) and family.shape and family is not signal.AnySignal
}
"""The types of signals that are vectors."""

_MILLIMETRES_PER_PIXEL = 0.1


def terminals_and_icons(variables: Iterable[Variable], icon: Icon, arrays: bool, tables: Sequence[Map] = ()) -> bytes:
    """The XML: where the icon is drawn, and a terminal for every input and output that carries a vector of a family.

    tables: those that have a terminal, too.

    Terminals fit if they are of one kind, "_keelblocks_Wrench", and then all that is in them is connected: the one
    array of that name, or without `arrays` its elements.
    """
    document = Document()
    with document.element("fmiTerminalsAndIcons", {"fmiVersion": "3.0"}):
        with document.element("GraphicalRepresentation"):
            corners = {"x1": "0", "y1": "0", "x2": str(icon.width), "y2": str(icon.height)}
            document.empty("CoordinateSystem", corners | {"suggestedScalingFactorTo_mm": repr(_MILLIMETRES_PER_PIXEL)})
            document.empty("Icon", corners)
        members = [v for v in variables if v.causality in ("input", "output") and _family(v)]
        if members or tables:
            with document.element("Terminals"):
                for variable in members:
                    _add_terminal(document, variable, arrays)
                for table in tables:
                    add_map(document, table)
    return document.encoded()


def _family(variable: Variable) -> str | None:
    """The family of a port; None for single numbers, and for parts of a vector."""
    of = variable.place.signal
    family = _FAMILIES.get(of.name) if of else None
    if of is None or family is None or len(of.shape) != len(family.shape):
        return None
    fits = all(isinstance(want, str) or want == got for want, got in zip(family.shape, of.shape, strict=True))
    return family.name if fits else None


def _add_terminal(document: Document, variable: Variable, arrays: bool) -> None:
    family = _family(variable)
    labels = variable.labels or tuple(str(i + 1) for i in range(variable.place.count))
    members = {str(family): variable.name} if arrays else dict(zip(labels, variable.elements(), strict=True))
    pairs = {"name": variable.name, "matchingRule": "plug", "terminalKind": f"_keelblocks_{family}"}
    if variable.place.doc:
        pairs["description"] = variable.place.doc
    with document.element("Terminal", pairs):
        for member, name in members.items():
            document.empty(
                "TerminalMemberVariable", {"variableName": name, "memberName": member, "variableKind": "signal"}
            )
