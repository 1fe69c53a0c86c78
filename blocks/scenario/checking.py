"""From what a YAML text says to the structure of a scenario, with messages that name the line and the nearest key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from blocks.block import library
from blocks.errors import ScenarioError, did_you_mean
from blocks.model.file_origin import all_options_of
from blocks.scenario.model import (
    FORMAT,
    OTHER_NAMES,
    BlockEntry,
    DiagramEntry,
    NestedEntry,
    ReportEntry,
    RunEntry,
    ScenarioFile,
    SeriesEntry,
)
from blocks.yaml.reading import Document, Place

M = TypeVar("M", bound=BaseModel)
ModelAt = Callable[[Document, Place], type[BaseModel]]

_TAGS = ("block", "nested", "number", "list", "series", "files", "int", "float", "str", "list[any]")


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
    return validated(document, ScenarioFile, _model_at)


def validated(document: Document, model: type[M], model_at: ModelAt) -> M:
    """What a document says, as a model. Raises ScenarioError with a line for each finding.

    `model_at` gives the model of the mapping at a place, for the keys that are known there.
    """
    try:
        return model.model_validate(document.data)
    except ValidationError as problem:
        findings: dict[Place, list[Any]] = {}
        for finding in problem.errors():  # what fits none of several forms has a finding for each of them
            findings.setdefault(_place(document, finding["loc"]), []).append(finding)
        messages = (text for place, found in findings.items() for text in _explain(document, place, found, model_at))
        raise ScenarioError("\n".join(dict.fromkeys(messages))) from None


def _explain(document: Document, place: Place, findings: list[Any], model_at: ModelAt) -> list[str]:
    """What was found at one place, in words."""
    where = document.where(place)
    name = ".".join(str(part) for part in place)
    inside = ".".join(str(part) for part in place[:-1]) or "the file"
    messages = []
    forms = [_FORMS[finding["type"]] for finding in findings if finding["type"] in _FORMS]
    if forms:
        if place[-2:-1] in (("connections",), ("inputs",)) and place[:1] == ("diagram",):
            forms = ["a port, or a list of ports,"]
        forms = [
            form for form in dict.fromkeys(forms) if form != _FORMS["int_type"] or _FORMS["float_type"] not in forms
        ]
        messages.append(f"{where}: {name}: {' or '.join(forms)} is wanted{_given(findings[0])}")
    for finding in findings:
        kind = finding["type"]
        if kind == "extra_forbidden":
            model = model_at(document, place[:-1])
            hint = did_you_mean(str(place[-1]), model.model_fields)
            if model is BlockEntry and _is_parameter(document, place):
                hint = "; it is a parameter: write it under 'parameters'"
            messages.append(f"{where}: unknown key '{place[-1]}' in {inside}{hint}")
        elif kind == "missing":
            messages.append(f"{document.where(place[:-1])}: {inside} lacks '{place[-1]}'")
        elif kind == "string_pattern_mismatch":
            messages.append(f"{where}: {name}: '{finding['input']}' is not {_pattern(place)}")
        elif kind not in _FORMS:
            said = _WORDS[kind].format(**finding.get("ctx", {})) if kind in _WORDS else finding["msg"]
            messages.append(f"{where}: {name}: {said}{_given(finding)}")
    return messages


def _place(document: Document, loc: tuple[int | str, ...]) -> Place:
    """The place in the text, without what pydantic puts in for unions, lists made of one item, and keys."""
    place: Place = ()
    for part in loc:
        here = (*place, part)
        if here in document or not (part in _TAGS or part == "[key]" or isinstance(part, int)):
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


def _is_parameter(document: Document, place: Place) -> bool:
    """Whether a key of a block is called like one of its parameters, or like an option of reading its file."""
    entry: Any = document.data
    for part in place[:-1]:
        entry = entry[part]
    cls = library().get(OTHER_NAMES.get(str(entry.get("type")), str(entry.get("type"))))
    return cls is not None and (place[-1] in cls.all_parameters() or place[-1] in all_options_of(cls))


def _pattern(place: Place) -> str:
    """What a name has to look like."""
    name = "a name: letters, digits and underscores, beginning with a letter"
    if place == ("name",):
        return name
    if place[-2:-1] in (("blocks",), ("inputs",), ("outputs",)):
        return f"{name} (ports are written block.port)"
    return "a port: block.port, block.port[element], or the name of an input of the diagram"


_FORMS = {
    "string_type": "text",
    "dict_type": "a mapping of keys and values",
    "model_type": "a mapping of keys and values",
    "model_attributes_type": "a mapping of keys and values",
    "list_type": "a list",
    "int_type": "a whole number",
    "float_type": "a number",
}
_WORDS = {
    "too_short": "it is empty",
    "greater_than_equal": "it must be ≥ {ge}",
    "greater_than": "it must be > {gt}",
    "less_than_equal": "it must be ≤ {le}",
    "less_than": "it must be < {lt}",
}


def _given(finding: Any) -> str:
    given = finding["input"]
    if given is None:
        return ", not nothing"
    return f", not {given!r}" if isinstance(given, (str, int, float)) else ""
