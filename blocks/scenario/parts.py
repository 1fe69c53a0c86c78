"""What a scenario is made of, from its text: the diagram, the settings of its runs, and the sections about them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blocks.diagram import Diagram
from blocks.plan.settings import Settings
from blocks.scenario.building import Builder
from blocks.scenario.checking import check
from blocks.scenario.inputs import checked_inputs
from blocks.scenario.model import BlockEntry
from blocks.scenario.reuse import Notation, Reuse
from blocks.yaml.plain import copied
from blocks.yaml.reading import Document

SETTINGS = ("solver", "step", "start", "end", "relative_tolerance", "absolute_tolerance", "max_step")
"""Keys of `run` that are settings of the solver."""


@dataclass
class Parts:
    """What a text says."""

    diagram: Diagram
    name: str
    title: str
    description: str
    settings: dict[str, Any]
    report: dict[str, Any]
    live: dict[str, Any]
    environment: dict[str, Any]
    notation: Notation
    entries: dict[str, BlockEntry]


def parts_of(document: Document, folder: Path, reuse: Reuse | None = None) -> Parts:
    """What a document says; paths in it are seen from `folder`. Raises ScenarioError, with file and line.

    reuse: what was built of the text as it was before; it is put back as it was if this one is not in order.
    """
    if reuse is None:
        return _parts(document, folder, None)
    try:
        return _parts(document, folder, reuse)
    except BaseException:
        reuse.restore()
        raise


def _parts(document: Document, folder: Path, reuse: Reuse | None) -> Parts:
    entry = check(document)
    builder = Builder(document, folder, reuse=reuse)
    diagram = builder.diagram(entry.diagram, ("diagram",), entry.name)
    settings = _given(entry.run.model_dump(exclude_none=True))
    solver = {key: value for key, value in settings.items() if key in SETTINGS}
    for key, value in solver.items():
        with builder.document.at(("run", key)):
            Settings(**{key: value})
    with builder.document.at(("run", "end")):
        Settings(**solver)
    if "inputs" in settings:
        settings["inputs"] = checked_inputs(builder, settings["inputs"])
    diagram.title, diagram.doc = diagram.title or entry.title, diagram.doc or entry.description
    return Parts(
        diagram,
        entry.name,
        entry.title,
        entry.description,
        settings,
        _given(entry.report.model_dump()),
        copied(document.data.get("live") or {}),
        copied(document.data.get("environment") or {}),
        builder.notation,
        builder.entries,
    )


def _given(section: dict[str, Any]) -> dict[str, Any]:
    """What is said, without what is left out."""
    return {key: value for key, value in section.items() if value is not None and value != {}}
