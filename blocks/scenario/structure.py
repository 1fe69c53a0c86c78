"""The structure of a scenario with all that is wrong in it, and what it would be without that."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from blocks.errors import near_misses
from blocks.problems import Problem
from blocks.scenario.model import ScenarioFile
from blocks.yaml import findings
from blocks.yaml.kinds import check_kind
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document

NO_TYPE = "?"
"""The type of a block of which the file does not say what it is."""
_MOST_ROUNDS = 5


@dataclass
class Structure:
    """What a file says, as far as that can be told, and what is wrong."""

    entry: ScenarioFile | None
    problems: tuple[Problem, ...] = ()
    incomplete: set[ItemPath] = field(default_factory=set)
    """Diagrams of which wires could not be read."""


def read_structure(document: Document, words: findings.Words) -> Structure:
    """The structure of a scenario. Where something is wrong, as if the nearest key were written and the rest left out.

    Raises ScenarioError if it is another kind of file.
    """
    check_kind(document, "keelblocks")
    try:
        return Structure(ScenarioFile.model_validate(document.data))
    except ValidationError as fault:
        found = Structure(None, tuple(findings.problems_of(document, fault, ScenarioFile, words)))
        data = copy.deepcopy(document.data)
        for _ in range(_MOST_ROUNDS):
            for item, faults in findings.by_item(document, fault).items():
                _leave_out(data, item, faults, found.incomplete, document.read_as)
            try:
                found.entry = ScenarioFile.model_validate(data)
                break
            except ValidationError as again:
                fault = again
        return found


def _leave_out(
    data: Any, item: ItemPath, faults: list[Any], incomplete: set[ItemPath], read_as: dict[ItemPath, ItemPath]
) -> None:
    """Change data so that a finding is none."""
    kind = faults[0]["type"]
    if kind == "extra_forbidden":
        _rename(data, item, read_as)
        return
    if kind == "missing":
        item = item[:-1] if _at(data, item[:-1]) is not None else item
        if not item and isinstance(data, dict):
            data.setdefault("name", "scenario")
            return
    block = None if faults[0]["loc"][-1:] == ("[key]",) else _block_around(item)
    if block is not None:
        _put(data, block, {"type": NO_TYPE})
        return
    if "diagram" in item:
        incomplete.add(item[: len(item) - item[::-1].index("diagram")])
    if item[:1] == ("name",):
        data["name"] = "scenario"
        return
    while item and isinstance(item[-1], int):
        item = item[:-1]
    around = _at(data, item[:-1])
    if isinstance(around, dict) and item:
        around.pop(item[-1], None)


def _rename(data: Any, item: ItemPath, read_as: dict[ItemPath, ItemPath]) -> None:
    """An unknown key by the nearest one that is not there, or not at all. Parameters beside `parameters` go there."""
    around, key = _at(data, item[:-1]), item[-1]
    if not isinstance(around, dict) or key not in around:
        return
    model: type[BaseModel] = findings.model_at(ScenarioFile, data, item[:-1])
    near = [name for name in near_misses(str(key), model.model_fields) if name not in around]
    if "parameters" in model.model_fields and not near:
        given = around.setdefault("parameters", {})
        if isinstance(given, dict) and key not in given:
            given[key] = around[key]
            moved = (*item[:-1], "parameters", key)
            read_as[moved] = item
    if near:
        meant = (*item[:-1], near[0])
        read_as[meant] = item
    renamed = {(near[0] if near else None) if name == key else name: value for name, value in around.items()}
    renamed.pop(None, None)
    around.clear()
    around.update(renamed)


def _block_around(item: ItemPath) -> ItemPath | None:
    """The block that an item is a part of, if it is none of a diagram in it."""
    for i in range(len(item) - 2, -1, -1):
        if item[i] == "blocks" and item[0] == "diagram":
            inner = item[i + 2 :]
            if not inner or inner[0] != "diagram" or inner in (("diagram",), ("diagram", "blocks")):
                return item[: i + 2]
            return None
    return None


def _at(data: Any, item: ItemPath) -> Any:
    for part in item:
        if isinstance(data, dict):
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        else:
            return None
    return data


def _put(data: Any, item: ItemPath, value: Any) -> None:
    around = _at(data, item[:-1])
    if isinstance(around, dict):
        around[item[-1]] = value
