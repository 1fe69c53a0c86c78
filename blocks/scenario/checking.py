"""From what a YAML text says to the structure of a scenario, with messages that name the line and the nearest key."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel

from blocks.model.file_origin import all_options_of
from blocks.model.library import block_class
from blocks.scenario.model import BlockEntry, ScenarioFile
from blocks.yaml import findings
from blocks.yaml.kinds import check_kind
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document

M = TypeVar("M", bound=BaseModel)


def check(document: Document) -> ScenarioFile:
    """The scenario's structure. Raises ScenarioError with a line for each finding."""
    check_kind(document, "keelblocks")
    return validated(document, ScenarioFile)


def validated(document: Document, model: type[M]) -> M:
    """What a document says, as a model. Raises ScenarioError with a line for each finding."""
    return findings.validated(document, model, WORDS)


def _hint(document: Document, item: ItemPath, model: type[BaseModel]) -> str:
    """Whether a key of a block is called like one of its parameters, or like an option of reading its file."""
    if model is not BlockEntry:
        return ""
    entry: Any = document.data
    for part in item[:-1]:
        entry = entry[part]
    cls = block_class(str(entry.get("type")))
    if cls is not None and (item[-1] in cls.all_parameters() or item[-1] in all_options_of(cls)):
        return "; it is a parameter: write it under 'parameters'"
    return ""


def _pattern(item: ItemPath) -> str:
    """What a name has to look like."""
    name = "a name: letters, digits and underscores, beginning with a letter"
    if item == ("name",):
        return name
    if item[:1] == ("live",):
        return _live_pattern(item)
    if item[-2:-1] in (("blocks",), ("inputs",), ("outputs",), ("layout",)):
        return f"{name} (ports are written block.port)"
    return "a port: block.port, block.port[element], or the name of an input of the diagram"


def _live_pattern(item: ItemPath) -> str:
    """What a name under `live` has to look like."""
    if item[-2:-1] in (("topics",), ("inputs",)):
        return "a topic: /name, or /name/name"
    if item[1:2] == ("ros2",) and item[-1] in ("node", "namespace", "vehicles"):
        return "a name of ROS 2: letters, digits and underscores" + (", with {} in it" * (item[-1] == "vehicles"))
    if item[-1] in ("frame_id", "child_frame_id") or item[-2:-1] == ("transforms",):
        return "the name of a frame: letters, digits, . _ - and /"
    return "a signal: block.port, block.port[element], or the name of an input or output"


WORDS = findings.Words(hint=_hint, pattern=_pattern)
