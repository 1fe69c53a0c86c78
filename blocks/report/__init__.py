"""What a run has come to: a summary in numbers, figures, and an animation.

summary = summarise(result, scenario.diagram, scenario.report)
save_figures(result, scenario.diagram, "results/minerva_los", scenario.report, title=scenario.title)
animate(result, "plant.vessel", "minerva_los.gif", title=scenario.title)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.report.animation import animate
from blocks.report.dives import Dive
from blocks.report.mission import Mission, Parts, find_parts
from blocks.report.outputs import add_outputs
from blocks.report.summary import Item, summarise
from blocks.run.result import Result

__all__ = ["Dive", "Item", "Mission", "Parts", "add_outputs", "animate", "find_parts", "save_figures", "summarise"]


def save_figures(
    result: Result,
    diagram: Diagram | Block,
    folder: str | PathLike[str],
    options: Mapping[str, Any] | None = None,
    *,
    title: str = "",
    formats: Sequence[str] = ("png",),
) -> list[Path]:
    """Draw a run and return the files: one with everything for a slide, and one for each plot.

    A run with a mission gives a plan view and its errors, speeds and power over time; any other run gives what was
    recorded over time. `options` are those of `report` in a scenario. Raises ResultError if a file cannot be written,
    or if `options` name what is not there.
    """
    from blocks.report import figures  # matplotlib takes a moment to import

    return figures.save(result, diagram, Path(folder), options or {}, title, tuple(formats))
