"""What a design found: loops and runs before and after, and the gains that are proposed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.design.look import Look
from blocks.units import to_unit

if TYPE_CHECKING:
    from blocks.run.result import Result
    from blocks.scenario import Scenario


@dataclass(frozen=True, eq=False)
class Design:
    """What was found: the loops as they are, gains that are proposed, and the loops with these.

    gains: parameters that change, by name, as (before, after). refused: why there is no proposal, if there is none.
    kept: loops for which no others were found, and why. left: controllers whose gains were found and refused, and why.
    sweep: loops at other speeds, before and after, by the speed, m/s. errors: root mean squares
    of the controllers' errors in the runs, as (before, after). runs: the runs themselves, before and after.
    """

    scenario: Scenario
    before: Look
    after: Look | None
    gains: Mapping[str, tuple[Any, Any]]
    refused: str = ""
    kept: Mapping[str, str] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)
    sweep: tuple[tuple[float, Look | None, Look | None], ...] = ()
    errors: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    runs: tuple[Result, Result | None] | None = None
    stopped: tuple[str, str] = ("", "")

    @property
    def proposed(self) -> bool:
        """Whether there are gains to take."""
        return bool(self.gains) and not self.refused

    def apply(self) -> None:
        """Write the gains into the scenario, as an edit of its text: comments and order stay.

        Raises AnalysisError if nothing is proposed.
        """
        if not self.proposed:
            raise AnalysisError(self.refused or "there is nothing to write: the gains stay as they are")
        self.scenario.edit.set({name: self._written(name, after) for name, (_, after) in self.gains.items()})

    def _written(self, name: str, value: Any) -> Any:
        """A value as the file has it: in its unit where it has one there, in a list where it is one."""
        owner, _, parameter = name.rpartition(".")
        block = self.scenario.diagram.blocks()[owner]
        given = (self.scenario.notation.get(block) or {}).get(parameter, (None,))[0]
        unit = block.all_parameters()[parameter].unit
        if isinstance(given, str) and isinstance(unit, str) and isinstance(value, float):
            _, _, there = given.strip().partition(" ")
            return f"{value / to_unit(f'1 {there}', unit):.6g} {there}" if there else f"{value:g} {unit}"
        value = int(value) if isinstance(value, float) and value.is_integer() else value
        return [value] if isinstance(given, list) and not isinstance(value, list) else value
