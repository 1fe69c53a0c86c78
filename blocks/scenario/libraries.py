"""The libraries that a scenario names: imported before its types are looked up, and written where it is saved."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, ScenarioError
from blocks.libraries.loading import beside, load_library, loaded_from
from blocks.scenario.model import FORMAT
from blocks.scenario.writing import seen_from
from blocks.yaml.reading import Document


def load_named(document: Document, folder: Path, named: Any = None) -> dict[str, ScenarioError]:
    """Import what a scenario names under `libraries`, or these; why some cannot be, by their names."""
    faults: dict[str, ScenarioError] = {}
    data = document.data
    if not isinstance(data, dict) or data.get("keelblocks") != FORMAT:
        return faults
    named = data.get("libraries") if named is None else named
    for number, name in enumerate([named] if isinstance(named, str) else named if isinstance(named, list) else ()):
        if isinstance(name, str):  # what else there is, the check of the structure tells
            item = ("libraries",) if isinstance(named, str) else ("libraries", number)
            try:
                load_library(name, folder)
            except KeelblocksError as fault:
                faults[Path(name).name] = document.located(fault, item, "libraries: ")
    return faults


def as_seen_from_here(given: Iterable[str], folder: Path) -> list[str]:
    """Libraries that a file in a folder names: those beside it by their paths."""
    return [
        Path(os.path.normpath(folder / name)).as_posix() if beside(name, folder) is not None else name for name in given
    ]


def named_in(folder: Path | None, libraries: Iterable[str], diagram: Diagram) -> list[str]:
    """What a file in a folder says under `libraries`: those that are named, and those whose blocks are in a diagram."""
    found = {
        Path(given).name: given if beside(given, Path()) is None else seen_from(given, folder) for given in libraries
    }
    for block in diagram.blocks().values():
        name = type(block).library
        if name and name not in found:
            place = loaded_from(name)
            found[name] = name if place is None else seen_from(str(place), folder)
    return list(found.values())
