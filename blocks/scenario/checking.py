"""From what a YAML text says to the structure of a scenario, with messages that name the line and the nearest key."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from pydantic import BaseModel

from blocks.model.file_origin import all_options_of
from blocks.model.library import block_class
from blocks.problems import Problem
from blocks.replacement import Replacement, Span
from blocks.scenario.model import BlockEntry
from blocks.yaml import findings
from blocks.yaml.locating import with_mend
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document

M = TypeVar("M", bound=BaseModel)


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


def _mend(document: Document, item: ItemPath, model: type[BaseModel], problem: Problem) -> Problem:
    """With the mend of a parameter beside `parameters`: its entry moves there."""
    here, there = document.spot(item), document.spot((*item[:-1], "parameters"))
    if here is None or here.key is None:
        return problem
    text, entry = document.text, Span(here.key.start, here.value.end)
    said = text[entry.start : entry.end]
    if "\n" in said:
        return problem
    if there is None:
        changes = [Replacement(entry, f"parameters: {{{said}}}")]
    else:
        end = there.value.end
        if text[there.value.start] == "{":
            inside = text[there.value.start + 1 : end - 1].strip()
            changes = [Replacement(Span(end - 1, end - 1), f", {said}" if inside else said)]
        elif "\n" in text[there.key.end if there.key else 0 : end]:
            first = text.rindex("\n", 0, there.value.start) + 1
            line = re.compile(r"[^\r\n]*").match(text, end)
            after = line.end() if line else end
            ending = "\r\n" if text[after : after + 2] == "\r\n" else "\n"
            changes = [Replacement(Span(after, after), f"{ending}{text[first : there.value.start]}{said}")]
        else:
            return problem
        changes.append(Replacement(_whole_entry(text, entry), ""))
    return with_mend(problem, text, "move it to 'parameters'", *changes)


def _whole_entry(text: str, entry: Span) -> Span:
    """An entry with its line, if it has one to itself, or with the comma that follows it or stands before it."""
    start, end = text.rfind("\n", 0, entry.start) + 1, text.find("\n", entry.end) + 1 or len(text)
    if not text[start : entry.start].strip() and re.fullmatch(r"\s*(#.*)?", text[entry.end : end].rstrip("\r\n")):
        return Span(start, end)
    if after := re.match(r"\s*,\s*", text[entry.end :]):
        return Span(entry.start, entry.end + after.end())
    before = re.search(r"\s*,\s*\Z", text[: entry.start])
    return Span(before.start() if before else entry.start, entry.end)


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


WORDS = findings.Words(hint=_hint, pattern=_pattern, mend=_mend)
