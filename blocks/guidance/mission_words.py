"""The phases of a mission in words: what they can say, and how it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.errors import ParameterError, shown
from blocks.guidance.mission_values import Depth, Either, Heading, Point, Points
from blocks.model.declare import Parameter

_ROW = (list, tuple, np.ndarray)
_DEEPEST = 30
"""How many keys and numbers may lead to a phase: each that is done if another is late adds three or four."""

_MOST_LINES = 10_000
"""Of a survey: what is beyond is a slip of the unit, and takes the memory of the machine."""


def _point(doc: str) -> Point:
    return Point(shape=("k",), unit="m", frame="ned", doc=doc)


def _length(doc: str, **limits: float) -> Parameter:
    return Parameter(unit="m", doc=doc, **limits)  # type: ignore[arg-type]


def _time(doc: str) -> Parameter:
    return Parameter(unit="s", at_least=0.0, doc=doc)


_DEPTH = Depth("depth that is kept; without it the one before")
_SIDE = Parameter("starboard", choices=("starboard", "port"), doc="to which side")
_OFFSET = Parameter(shape=(3,), unit="m", frame="ned", doc="from the target to the place beside it: north, east, down")


@dataclass(frozen=True)
class Kind:
    """A kind of phase: what it is, its keys, those it must have, and the one that is meant without a key."""

    doc: str
    keys: Mapping[str, Parameter]
    needed: tuple[str, ...] = ()
    main: str = ""


KINDS: Mapping[str, Kind] = {
    "hold": Kind(
        "stay at a place",
        {
            "for": _time("how long"),
            "at": _point("where, else where the vehicle is"),
            "depth": _DEPTH,
        },
        ("for",),
        "for",
    ),
    "dive to": Kind(
        "go to a depth, on the spot",
        {
            "depth": Depth("the depth"),
            "at": _point("where, else where the vehicle is"),
        },
        ("depth",),
        "depth",
    ),
    "go to": Kind("go straight to a place", {"place": _point("where"), "depth": _DEPTH}, ("place",), "place"),
    "go along": Kind(
        "go along straight legs, the first of them to the first waypoint",
        {
            "waypoints": Points(shape=("k", 3), unit="m", frame="ned", doc="north, east, and down where it is another"),
            "depth": _DEPTH,
        },
        ("waypoints",),
        "waypoints",
    ),
    "survey": Kind(
        "go up and down over a box in parallel lines",
        {
            "corner": _point("where the first line begins"),
            "length": _length("length of the lines", above=0.0),
            "width": _length("from the first line to the last", above=0.0),
            "direction": Heading(0.0, doc="of the first line"),
            "spacing": _length("between lines, at most", above=0.0),
            "side": _SIDE,
            "run in": _length("how far the lines begin before the box and end behind it", at_least=0.0),
            "depth": _DEPTH,
        },
        ("corner", "length", "width", "spacing"),
    ),
    "circle": Kind(
        "go round a place",
        {
            "around": _point("the centre"),
            "radius": _length("of the circle", above=0.0),
            "turns": Parameter(1.0, above=0.0, doc="how often, and parts of it"),
            "side": _SIDE,
            "depth": _DEPTH,
        },
        ("around", "radius"),
    ),
    "follow": Kind(
        "follow the input target",
        {
            "for": _time("how long, else to the end"),
            "offset": _OFFSET,
            "slow within": _length("nearer than which the approach slows down, 10 m unless given", above=0.0),
            "depth": Depth("depth that is kept; without it that of the target"),
        },
        (),
        "for",
    ),
    "dock": Kind(
        "go to a place slowly and along a line, and again if it is missed",
        {
            "at": Either("target", _point("the dock, or the word target for the input of that name")),
            "heading": Heading(doc="of the line to the dock"),
            "from": _length("where the line begins, from the dock, 10 m unless given", above=0.0),
            "within": _length("how near is docked, 0.5 m unless given", above=0.0),
            "depth": _DEPTH,
        },
        ("at", "heading"),
    ),
    "stay until": Kind(
        "stay where the vehicle is",
        {"time": Either("proceed", _time("time of the run, or the word proceed: until the input of that name is 1"))},
        ("time",),
        "time",
    ),
    "return": Kind(
        "go straight back",
        {"to": _point("where, else where the mission began"), "depth": _DEPTH},
        (),
        "to",
    ),
}
"""All kinds of phases by their words."""

COMMON: Mapping[str, Parameter] = {
    "speed": Parameter(unit="m/s", above=0.0, doc="desired speed, else cruise_speed"),
    "at most": Parameter(unit="s", above=0.0, doc="time that the phase may take"),
}
"""What every phase may say, besides its `name` and what is done `if late`."""

CONDITIONS: Mapping[str, Parameter] = {
    "battery below": Parameter(at_least=0.0, at_most=1.0, doc="the input state_of_charge"),
    "sensor lost for": _time("the input sensor_valid is 0 for longer than this"),
    "deeper than": Depth("depth of the vehicle"),
    "farther than": _length("from where the mission began, over the water", above=0.0),
    "off track by": _length("cross-track error to whatever side", above=0.0),
    "later than": _time("time since the mission began"),
}
"""What a mission can be aborted for, the most pressing ones first."""

LATE = ("go on", "stop")
"""What may be done if a phase takes too long, besides other phases."""


@dataclass(frozen=True)
class Phase:
    """A phase as it is read: values in SI, by key."""

    kind: str
    values: Mapping[str, Any]
    name: str = ""
    late: str | tuple[Phase, ...] = "go on"


@dataclass(frozen=True)
class Abort:
    """When a mission is aborted, and what is done then; nothing: stop."""

    condition: str
    value: float
    then: tuple[Phase, ...]


def _fault(message: str, inside: tuple[str | int, ...], **facts: Any) -> ParameterError:
    problem = ParameterError(message, **facts)
    problem.inside = inside
    return problem


Inside = tuple[str | int, ...]


def _read(parameter: Parameter, value: Any, where: str, inside: Inside) -> Any:
    try:
        return parameter.read(value, where)
    except ParameterError as problem:
        problem.inside = inside
        raise


def read_phases(data: Any, where: str, inside: Inside = ()) -> tuple[tuple[Phase, ...], list[Any]]:
    """The phases that a list means, and the list in full words. Raises ParameterError, with the place in it."""
    if len(inside) > _DEEPEST:
        raise _fault(f"{where}: phases in phases in phases cannot go deeper", inside)
    if isinstance(data, (str, Mapping)):
        data = [data]
        places: list[Inside] = [inside]
    elif isinstance(data, _ROW) and len(data):
        places = [(*inside, k) for k in range(len(data))]
    else:
        form = "a list of phases, such as [{hold: 30 s}, {dive to: 5 m}, return]"
        raise _fault(f"{where} must be {form}, not {shown(data)}", inside)
    found, words = [], []
    for number, (item, place) in enumerate(zip(data, places, strict=True), start=1):
        phase, said = _phase(item, f"{where}: phase {number}" if len(data) > 1 else where, place)
        found.append(phase)
        words.append(said)
    names: dict[str, int] = {}
    for number, phase in enumerate(found):
        if phase.name and names.setdefault(phase.name, number) != number:
            raise _fault(f"{where}: two phases have the name '{phase.name}'", places[number])
        if phase.kind == "follow" and phase is not found[-1] and not {"for", "at most"} & phase.values.keys():
            raise _fault(f"{where}: no phase comes after a follow without 'for' or 'at most': give one", places[number])
    return tuple(found), words


def _phase(item: Any, where: str, inside: Inside) -> tuple[Phase, Any]:
    if isinstance(item, str):
        item = {item: {}}
    if not isinstance(item, Mapping) or len(item) != 1:
        hint = _inside_or_apart(item) if isinstance(item, Mapping) else ""
        raise _fault(f"{where} must be one of {', '.join(KINDS)} with what it needs, not {shown(item)}{hint}", inside)
    ((word, given),) = item.items()
    if word not in KINDS:
        raise _fault(
            f"{where}: there is no phase '{word}'",
            (*inside, str(word)),
            code="unknown-key",
            wrong=str(word),
            valid=KINDS,
        )
    kind, where, inside = KINDS[word], f"{where}, {word}", (*inside, word)
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        if not kind.main:
            raise _fault(f"{where} must have keys ({', '.join(kind.needed)}), not {shown(given)}", inside)
        given = {kind.main: given}
    known = {**kind.keys, **COMMON}
    values: dict[str, Any] = {}
    said: dict[str, Any] = {}
    name, late = "", "go on"  # type: str, str | tuple[Phase, ...]
    for key, value in given.items():
        place = (*inside, key) if isinstance(item[word], Mapping) else inside
        if key == "name":
            name = _name(value, where, place)
        elif key == "if late":
            late, value = _late(value, f"{where}: if late", place)
        elif key in known:
            values[key] = _read(known[key], value, f"{where}: {key}", place)
        else:
            raise _fault(
                f"{where}: there is no '{key}'",
                place,
                code="unknown-key",
                wrong=str(key),
                valid=(*known, "name", "if late"),
            )
        said[key] = _plain(value)
    if missing := [key for key in kind.needed if key not in values]:
        wanted = ", ".join(f"'{key}' ({kind.keys[key].doc})" for key in missing)
        raise _fault(f"{where} lacks {wanted}", inside)
    if "if late" in said and "at most" not in values:
        raise _fault(f"{where}: 'if late' needs 'at most', the time that the phase may take", inside)
    if word == "survey" and values["width"] > _MOST_LINES * values["spacing"]:
        lines = values["width"] / values["spacing"]
        raise _fault(
            f"{where}: spacing {values['spacing']:g} m makes {lines:.3g} lines of a width of {values['width']:g} m, "
            f"and a survey has {_MOST_LINES} at most",
            (*inside, "spacing") if isinstance(item[word], Mapping) else inside,
        )
    return Phase(word, values, name, late), {word: said}


def _inside_or_apart(item: Mapping[Any, Any]) -> str:
    """What to do with several keys: they belong inside of the only phase among them, or are phases of their own."""
    words = [word for word in item if word in KINDS]
    if len(words) == 1 and len(item) > 1 and (main := KINDS[words[0]].main):
        within = dict(item[words[0]]) if isinstance(item[words[0]], Mapping) else {main: item[words[0]]}
        within.update((key, value) for key, value in item.items() if key != words[0])
        return f"; what it needs goes inside: {shown({words[0]: within})}"
    return "; begin each with '- '" if len(item) > 1 else ""


def _name(value: Any, where: str, inside: Inside) -> str:
    if not isinstance(value, str) or not value.strip() or set(value) & set(",=()[]:\n\0"):
        raise _fault(f"{where}: name must be text without , = : and brackets, not {shown(value)}", inside)
    return value.strip()


def _late(value: Any, where: str, inside: Inside) -> tuple[str | tuple[Phase, ...], Any]:
    if isinstance(value, str) and value in LATE:
        return value, value
    if isinstance(value, str) and value not in KINDS:
        raise _fault(
            f"{where}: there is no '{value}'", inside, code="unknown-choice", wrong=value, valid=(*LATE, *KINDS)
        )
    return read_phases(value, where, inside)


def read_aborts(data: Any, where: str) -> tuple[tuple[Abort, ...], list[Any]]:
    """What a list of aborts means, and the list in full words. Raises ParameterError, with the place in it."""
    form = "a list such as [{when: {battery below: 20 %}, then: return}]"
    if not isinstance(data, _ROW):
        raise ParameterError(f"{where} must be {form}, not {shown(data)}")
    found: list[Abort] = []
    words: list[Any] = []
    for number, item in enumerate(data):
        here = f"{where}: abort {number + 1}"
        if not isinstance(item, Mapping) or "when" not in item:
            raise _fault(
                f"{here} must be like {{when: {{battery below: 20 %}}, then: return}}, not {shown(item)}", (number,)
            )
        for key in item:
            if key not in ("when", "then"):
                raise _fault(f"{here}: there is no '{key}'", (number, key), code="unknown-key", wrong=str(key),
                             valid=("when", "then"))  # fmt: skip
        when = item["when"]
        if not isinstance(when, Mapping) or len(when) != 1:
            raise _fault(f"{here}: when must be one of {', '.join(CONDITIONS)} with its limit, not {shown(when)}",
                         (number, "when"))  # fmt: skip
        ((word, limit),) = when.items()
        if word not in CONDITIONS:
            raise _fault(f"{here}: there is no condition '{word}'", (number, "when", str(word)), code="unknown-key",
                         wrong=str(word), valid=CONDITIONS)  # fmt: skip
        value = _read(CONDITIONS[word], limit, f"{here}: {word}", (number, "when", word))
        then, said = _late(item.get("then", "stop"), f"{here}: then", (number, "then"))
        if then == "go on":
            raise _fault(f"{here}: then must be phases, or stop, not 'go on'", (number, "then"))
        found.append(Abort(word, float(value), then if isinstance(then, tuple) else ()))
        words.append({"when": {word: _plain(limit)}, "then": said})
    return tuple(found), words


def _plain(value: Any) -> Any:
    """A value as JSON has it, whatever of numpy is in it."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return [_plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def as_data(value: Any, where: str) -> Any:
    """What was given, out of text if it is one that holds a list."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            raise ParameterError(f"{where} must be a list of phases, not the text {shown(value)}") from None
    return value
