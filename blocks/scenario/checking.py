"""From what a YAML text says to the structure of a scenario, with messages that name the line and the nearest key."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from blocks.errors import ScenarioError, did_you_mean
from blocks.scenario.model import (
    FORMAT,
    BlockEntry,
    DiagramEntry,
    NestedEntry,
    ReportEntry,
    RunEntry,
    ScenarioFile,
    SeriesEntry,
)
from blocks.scenario.yaml_text import Document, Place

_TAGS = ("block", "nested", "SeriesEntry", "int", "float", "str", "list[any]")


def check(document: Document) -> ScenarioFile:
    """The scenario's structure. Raises ScenarioError with a line for each finding."""
    data = document.data
    if not isinstance(data, dict):
        raise document.error((), "a scenario is a mapping that begins with 'keelblocks: 1'")
    version = data.get("keelblocks")
    if version is None:
        raise document.error((), "the key 'keelblocks' is missing; a scenario begins with 'keelblocks: 1'")
    if version != FORMAT or isinstance(version, bool):
        raise document.error(
            ("keelblocks",), f"the format is {version!r}, but this version of Keelblocks reads format {FORMAT} only"
        )
    try:
        return ScenarioFile.model_validate(data)
    except ValidationError as problem:
        raise ScenarioError("\n".join(dict.fromkeys(_explain(document, e) for e in problem.errors()))) from None


def _explain(document: Document, finding: Any) -> str:
    place = _place(document, finding["loc"])
    where = document.where(place)
    inside = ".".join(str(part) for part in place[:-1]) or "the file"
    kind = finding["type"]
    if kind == "extra_forbidden":
        known = _model_at(document, place[:-1]).model_fields
        return f"{where}: unknown key '{place[-1]}' in {inside}{did_you_mean(str(place[-1]), known)}"
    if kind == "missing":
        return f"{document.where(place[:-1])}: {inside} lacks '{place[-1]}'"
    name = ".".join(str(part) for part in place)
    if kind == "string_pattern_mismatch":
        return f"{where}: {name}: '{finding['input']}' is not {_form(place)}"
    return f"{where}: {name}: {_words(finding)}"


def _place(document: Document, loc: tuple[int | str, ...]) -> Place:
    """The place in the text, without what pydantic puts in for unions, lists made of one item, and keys."""
    place: Place = ()
    for part in loc:
        here = (*place, part)
        if here in document.lines or not (part in _TAGS or part == "[key]" or isinstance(part, int)):
            place = here
    return place


def _model_at(document: Document, place: Place) -> type[BaseModel]:
    """The model of the mapping at a place."""
    if not place:
        return ScenarioFile
    if place in (("run",), ("report",)):
        return RunEntry if place == ("run",) else ReportEntry
    if place[:2] == ("run", "inputs"):
        return SeriesEntry
    if place[-1] == "diagram" and place[-2:-1] != ("blocks",):
        return DiagramEntry
    data = document.data
    for part in place:
        data = data[part]
    return NestedEntry if "diagram" in data else BlockEntry


def _form(place: Place) -> str:
    if place == ("name",) or place[-2:-1] in (("blocks",), ("inputs",)) or (len(place) > 1 and place[-2] == "outputs"):
        return "a name: letters, digits and underscores, beginning with a letter (ports are written block.port)"
    return "a port: block.port, block.port[element], or the name of an input of the diagram"


_WORDS = {
    "string_type": "text is wanted",
    "dict_type": "a mapping of keys and values is wanted",
    "model_type": "a mapping of keys and values is wanted",
    "model_attributes_type": "a mapping of keys and values is wanted",
    "list_type": "a list is wanted",
    "int_type": "a whole number is wanted",
    "float_type": "a number is wanted",
    "too_short": "it is empty",
    "greater_than_equal": "it must be ≥ 1",
}


def _words(finding: Any) -> str:
    wanted = _WORDS.get(finding["type"], str(finding["msg"]))
    given = finding["input"]
    kind = "nothing" if given is None else repr(given) if isinstance(given, (str, int, float, bool)) else ""
    return f"{wanted}, not {kind}" if kind else wanted
