"""What gets a slider in a page: what is asked for, or what a reader is likely to want."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blocks.errors import ParameterError
from blocks.model.block import Block
from blocks.units import to_unit
from studio.errors import ShareError
from studio.subject import Subject

MOST_SLIDERS = 5
"""That a page begins with where none are asked for; more can be chosen in it."""


@dataclass(frozen=True)
class Vary:
    """A parameter, or one element of it, and the range of its slider: numbers in SI, or text with units; without one,
    the page takes a range about the value."""

    path: str
    low: float | str | None = None
    high: float | str | None = None

    @classmethod
    def read(cls, text: str | Vary) -> Vary:
        """What stands on a command line: "plant.current.speed=0:0.5", or only the path. Raises ShareError."""
        if isinstance(text, Vary):
            return text
        path, equals, span = text.partition("=")
        low, colon, high = span.partition(":")
        if not path.strip() or (equals and not (colon and low.strip() and high.strip())):
            raise ShareError(
                f"--vary {text}: write it as PATH=LO:HI, such as plant.current.speed=0:0.5, or "
                '"plant.current.direction=0 deg:90 deg"'
            )
        return cls(path.strip(), low.strip() or None, high.strip() or None)


def sliders_of(
    subject: Subject, parameters: Sequence[Mapping[str, Any]], vary: Iterable[str | Vary]
) -> list[dict[str, Any]]:
    """The sliders of a page: the number of the parameter, its element, and the range in SI where one is asked for."""
    given = [vary] if isinstance(vary, (str, Vary)) else vary
    asked = [_asked(Vary.read(one), parameters, subject) for one in given]
    last = {(one["parameter"], one["element"]): one for one in asked}
    return list(last.values()) or _likely(subject, parameters)


def _asked(vary: Vary, parameters: Sequence[Mapping[str, Any]], subject: Subject) -> dict[str, Any]:
    name, bracket, element = vary.path.partition("[")
    if bracket and not element.endswith("]"):
        raise ShareError(f"--vary {vary.path}: an element is named in brackets: {name}[{element or 'psi'}]")
    owner, _, own = name.rpartition(".")
    blocks: Mapping[str, Block] = {leaf.name: leaf.block for leaf in subject.plan.flat.leaves}
    if owner in blocks:
        name = f"{owner}.{blocks[owner].parameter_name(own)}"
    number = next((i for i, one in enumerate(parameters) if one["path"] == name), None)
    if number is None:
        raise _unknown(vary, name, parameters, blocks)
    parameter = parameters[number]
    if parameter["kind"] in ("choice", "switch"):
        raise ShareError(f"--vary {vary.path}: it is no number; it can be changed in the page all the same")
    place = _element(vary, parameter, element.removesuffix("]") if bracket else "")
    slider: dict[str, Any] = {"parameter": number, "element": place}
    if (vary.low, vary.high) != (None, None):
        slider["low"], slider["high"] = _ends(vary, parameter, place, subject)
    return slider


def _unknown(vary: Vary, name: str, parameters: Sequence[Mapping[str, Any]], blocks: Mapping[str, Block]) -> ShareError:
    owner, _, own = name.rpartition(".")
    if owner in blocks and own in blocks[owner].structural_parameters():
        return ShareError(
            f"--vary {vary.path}: {own} decides the structure of {owner}, and takes a plan of its own; write a page "
            f"for each: keelblocks share … --set {vary.path}=…"
        )
    return ShareError(
        f"--vary {vary.path}: there is no such parameter", code="unknown-parameter", wrong=name,
        valid=[one["path"] for one in parameters],
    )  # fmt: skip


def _element(vary: Vary, parameter: Mapping[str, Any], element: str) -> int:
    labels, count = parameter["labels"], parameter["count"]
    if "rows" in parameter:  # without the room that there is for more
        count = parameter["rows"]["now"] * parameter.get("columns", 1)
    if not element:
        if count == 1:
            return 0
        known = labels or [str(i) for i in range(count)]
        raise ShareError(
            f"--vary {vary.path}: it has {count} elements; name one: {vary.path}[{known[0]}]=…, of {', '.join(known)}"
        )
    if element in labels:
        return int(labels.index(element))
    if element.isdigit() and int(element) < count:
        return int(element)
    raise ShareError(
        f"--vary {vary.path}: there is no element '{element}'", code="unknown-element", wrong=element,
        valid=labels or [str(i) for i in range(count)],
    )  # fmt: skip


def _ends(vary: Vary, parameter: Mapping[str, Any], element: int, subject: Subject) -> tuple[float, float]:
    place = {**subject.plan.inputs, **subject.plan.parameters}[parameter["path"]]
    unit = place.unit[element] if isinstance(place.unit, tuple) else place.unit
    if vary.low is None or vary.high is None:
        raise ShareError(f"--vary {vary.path}: a range has two ends; give both, or none")
    low, high = (_number(vary, given, unit) for given in (vary.low, vary.high))
    if not low < high:
        raise ShareError(f"--vary {vary.path}: the range must go upwards, and goes from {low:g} to {high:g}")
    for end in (low, high):
        if not _allowed(end, parameter):
            raise ShareError(f"--vary {vary.path}: {end:g} is no value that it can have: it must be {_said(parameter)}")
    return low, high


def _number(vary: Vary, given: float | str, unit: str | None) -> float:
    try:
        number = to_unit(given, unit) if isinstance(given, str) and not _plain(given) else float(given)
    except ParameterError as problem:
        raise ShareError(f"--vary {vary.path}: {problem}") from None
    if not math.isfinite(number):
        raise ShareError(f"--vary {vary.path}: a range has two finite ends, not {given}")
    return number


def _plain(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _allowed(value: float, parameter: Mapping[str, Any]) -> bool:
    """Whether a value is within the declared limits."""
    inf = math.inf
    return bool(
        value > parameter.get("above", -inf)
        and value >= parameter.get("least", -inf)
        and value < parameter.get("below", inf)
        and value <= parameter.get("most", inf)
    )


def _said(parameter: Mapping[str, Any]) -> str:
    signs = {"above": ">", "least": "≥", "below": "<", "most": "≤"}
    return " and ".join(f"{sign} {parameter[key]:g}" for key, sign in signs.items() if key in parameter)


def _bounded(parameter: Mapping[str, Any]) -> bool:
    """Whether its value is one, and not what stands for no limit."""
    return bool(abs(parameter["values"][0]) < 1e300)


_LIKELY = (
    ("environment", ("speed", "direction", "significant_height")),
    ("guidance", ("lookahead", "cruise_speed", "integral_gain")),
    ("control", ("kp", "kd", "ki")),
)
"""Parameters by the families of their blocks, those first that readers want first."""


def _likely(subject: Subject, parameters: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Inputs, then what surroundings, guidance and the controllers are known by, a few of each."""
    families = {leaf.name: leaf.block.family for leaf in subject.plan.flat.leaves}
    known = list(enumerate(parameters))
    found = [(number, one) for number, one in known if one["kind"] == "input" and one["count"] == 1]
    for family, names in _LIKELY:
        fitting = [
            (number, one)
            for name in names
            for number, one in known
            if one["count"] == 1
            and one["path"].rpartition(".")[2] == name
            and families.get(one["path"].rpartition(".")[0]) == family
            and _bounded(one)
        ]
        found += sorted(fitting, key=lambda item: "heading" not in item[1]["path"])[:2]
    if len(found) < 2:  # nothing that is known by its name: what there is, but where runs start from
        usual = [
            (number, one) for number, one in known if one["count"] == 1 and one["kind"] == "number" and _bounded(one)
        ]
        found += [item for item in usual if item not in found and ".initial_" not in item[1]["path"]]
    return [{"parameter": number, "element": 0} for number, _ in found[:MOST_SLIDERS]]
