"""`keelblocks run --animation`: which vessel is drawn, found out before the run and not after it."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blocks.errors import ScenarioError

if TYPE_CHECKING:
    from blocks.run.result import Result
    from blocks.scenario import Scenario


@dataclass(frozen=True)
class Animation:
    """An animation that is to be written after a run."""

    target: Path
    vessel: str
    waypoints: Any
    title: str

    @classmethod
    def of(cls, scenario: Scenario, path: Path) -> Animation:
        """The animation of a scenario's vessel. Raises KeelblocksError if there can be none."""
        from blocks.report import find_parts
        from blocks.report.animation import check_target

        target = check_target(path)
        blocks = scenario.diagram.blocks()
        parts = find_parts(scenario.diagram, scenario.report)
        if parts.vessel is None:
            vessels = [name for name, block in blocks.items() if {"eta", "nu"} <= set(block.output_ports)]
            raise ScenarioError(
                "--animation: "
                + (
                    f"this diagram has {len(vessels)} vessels, {', '.join(vessels)}; say in the scenario which one the "
                    f"report is about, such as report: {{vessel: {vessels[0]}}}"
                    if vessels
                    else "this diagram has no vessel, a block with the outputs eta and nu, that could be drawn"
                )
            )
        recorded = scenario.settings.get("record")
        if recorded is not None and not any(fnmatch.fnmatchcase(f"{parts.vessel}.eta", name) for name in recorded):
            raise ScenarioError(
                f"--animation: {parts.vessel}.eta is not recorded, and the animation is drawn from it; add --record "
                f"{parts.vessel}.eta"
            )
        waypoints = blocks[parts.guidance].values.get("waypoints") if parts.guidance else None
        return cls(target, parts.vessel, waypoints, scenario.title or scenario.name)

    def write(self, result: Result, progress: bool) -> Path:
        """Write it. Raises ResultError if that is not possible."""
        from blocks.report import animate

        return animate(result, self.vessel, self.target, waypoints=self.waypoints, title=self.title, progress=progress)
