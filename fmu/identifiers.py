"""The names that an FMU shows: what makes invalid Modelica of them gets another name, and nothing else does.

Tools that compile Modelica write a model around an FMU. OpenModelica's `importFMU` replaces each of ``. [ ] ( ) ,`` and
the blank by "_" and quotes nothing, neither names nor items of enumerations. What then is a keyword, the name of a type
or of something that the model around the FMU declares or calls, or equal to another name, would not compile. It gets a
"_" behind it: `output` is `output_` in an FMU, and `plant.output` stays.

`resolve` and `resolve_item` find what is meant by a name that an FMU does not show: the name that it has in Python, or
in an FMU of an earlier version.

Sources: Modelica Language Specification 3.7-dev, ch. 2.3.3 (keywords); OpenModelica up to 1.27.0, CodegenFMU.tpl
and FMIImpl.c (what is written, see tests/support/openmodelica.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_KEYWORDS = """
algorithm and annotation block break class connect connector constant constrainedby der discrete each else elseif
elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if import
impure in initial inner input loop model not operator or outer output package parameter partial protected public pure
record redeclare replaceable return stream then true type when while within
"""
_PREDEFINED = "Real Integer Boolean String time"
_AROUND = """
fmuWorkingDir logLevel debugLogging fmi2me fmi3me FMI2ModelExchange FMI3ModelExchange fmi2Functions fmi3Functions
numberOfContinuousStates fmi_x fmi_x_new numberOfEventIndicators fmi_z fmi_z_positive flowStartTime flowTime
flowEnterInitialization flowInitialized flowParamsStart flowInitInputs flowStatesInputs realInputVariables
integerInputVariables booleanInputVariables stringInputVariables callEventUpdate newStatesAvailable triggerDSSEvent
nextEventTime Modelica change noEvent pre reinit size terminal
"""
NEVER = frozenset((_KEYWORDS + _PREDEFINED).split())
"""Keywords, and names with the restrictions of keywords: of no variable and of no item."""
RESERVED = NEVER | frozenset(_AROUND.split())
"""With what OpenModelica's model around an FMU declares, and the functions that it calls: of no variable."""

_ATTRIBUTES = frozenset(("quantity", "min", "max", "start", "fixed"))
"""Attributes of enumerations, of which no item can have the name (ch. 4.9.5.2)."""
INPUT_COPY = "fmi_input_"
"""Before the name of an input: what the model around an FMU reads it back as."""
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_REPLACED = str.maketrans(dict.fromkeys(".[](), ", "_"))
_RELATIONS = {
    "<": "less", "<=": "less_equal", "==": "equal", "!=": "not_equal", ">=": "greater_equal", ">": "greater",
}  # fmt: skip


def identifier(name: str) -> str:
    """What an import makes of a name."""
    return name.translate(_REPLACED)


def is_legal(name: str) -> bool:
    """Whether an import can declare a variable of this name."""
    written = identifier(name)
    return _IDENTIFIER.match(written) is not None and written not in RESERVED


def legal_name(name: str) -> str:
    """The name itself if it is legal, else one that is."""
    if is_legal(name):
        return name
    return _made_legal(re.sub(r"[^\w.\[\](), ]", "_", name, flags=re.ASCII))


def legal_item(item: str) -> str:
    """An item of an enumeration, as `legal_name`; items are written as they are, so no character is replaced for us."""
    if _IDENTIFIER.match(item) and item not in NEVER and item not in _ATTRIBUTES:
        return item
    if item in _ATTRIBUTES:
        return f"{item}_"
    return _made_legal(_RELATIONS.get(item) or re.sub(r"\W", "_", item, flags=re.ASCII))


def _made_legal(text: str) -> str:
    start = text if _IDENTIFIER.match(text[:1]) else f"_{text}"
    return start if is_legal(start) else f"{start}_"


def legal_items(items: Iterable[str]) -> tuple[str, ...]:
    """Items of one enumeration, each its own: those that are legal keep their names."""
    wanted = tuple(items)
    taken = {item for item in wanted if legal_item(item) == item}
    found = []
    for item in wanted:
        name = legal_item(item)
        while name != item and name in taken:
            name += "_"
        taken.add(name)
        found.append(name)
    return tuple(found)


def resolve(name: str, names: Collection[str]) -> str | None:
    """Which of an FMU's names is meant: that one, or what it is in FMUs of this version or of those before."""
    legal = legal_name(name)
    for wanted in (name, legal):
        if wanted in names:
            return wanted
    if f"{name}_" in names and _gives_way(name, names):
        return f"{name}_"
    return next((known for known in names if legal_name(known) == name), None)


def _gives_way(name: str, names: Collection[str]) -> bool:
    """Whether a legal name may have got a "_" because an import would declare something else that is called alike."""
    written = identifier(name)
    others = {identifier(other) for other in names if other != f"{name}_"}
    if written in others or INPUT_COPY + written in others or written.startswith((INPUT_COPY, "Keelblocks_")):
        return True
    element = re.compile(rf"{re.escape(written)}__?\d+(_\d+)*_")
    return any(element.fullmatch(other) for other in others)


def resolve_item(item: str, items: Collection[str]) -> str | None:
    """Which of an enumeration's items is meant, as `resolve`."""
    if item in items:
        return item
    return next((known for known in items if legal_item(known) in (item, legal_item(item))), None)
