"""What both kinds of environment are made from: a diagram whose wires are cut, its settings, and the declaration."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ScenarioError, SimulationError, WiringError, shown
from blocks.input_series import attach_inputs
from blocks.live.learning.declaration import Declaration
from blocks.live.learning.opening import Alias, opened
from blocks.metrics.errors import MetricError
from blocks.metrics.text import RunMetric
from blocks.plan.settings import FIXED_STEP, SCIPY, Settings
from blocks.scenario import Scenario
from blocks.scenario.expression import Expression, names_in
from blocks.scenario.inputs import input_value
from blocks.scenario.reading import SETTINGS

Source = Scenario | Diagram | Block | str | PathLike[str]
"""What an environment is made of: a scenario, its file, or a diagram."""

_SETTINGS = tuple(name for name in SETTINGS if name != "end")


class Setup:
    """An environment's diagram, settings and declaration. Raises ScenarioError, WiringError or SimulationError.

    reference: leave the wires as they are, so that the scenario's own controllers act.
    """

    def __init__(
        self,
        source: Source,
        environment: Mapping[str, Any] | Declaration | None,
        reference: bool,
        settings: Mapping[str, Any],
    ) -> None:
        scenario = _scenario(source)
        self.name = scenario.name
        self.title = scenario.title
        self.report = scenario.report
        given = environment
        self.declaration = given if isinstance(given, Declaration) else Declaration.of(scenario, given)
        self.reference = reference
        self.diagram, self.aliases = self._opened(scenario.diagram)
        for name in settings:
            if name not in (*_SETTINGS, "inputs"):
                raise ScenarioError(
                    f"no setting '{name}'", code="unknown-name", wrong=name, valid=[*_SETTINGS, "inputs"]
                )
        merged = {**scenario.settings, **settings}
        self.settings = {name: merged[name] for name in _SETTINGS if name in merged}
        checked = Settings(**self.settings)
        if checked.solver in SCIPY:
            raise ScenarioError(f"an environment runs with euler, heun, rk4 or dopri5, not {checked.solver}")
        taken = self.commanded
        inputs = merged.get("inputs") or {}
        if not isinstance(inputs, Mapping):
            raise SimulationError(f"inputs are values by name, not {shown(inputs)}")
        inputs = {name: input_value(value) for name, value in inputs.items() if name not in taken}
        self.diagram, self.inputs = _attached(self.diagram, inputs)
        self.interval = self.declaration.seconds("interval")
        steps = round(self.interval / checked.step)
        if checked.solver in FIXED_STEP and (
            steps < 1 or abs(self.interval - steps * checked.step) > 1e-9 * self.interval
        ):
            raise self.declaration.error(
                "interval", message=f"{self.interval:g} s must be a whole number of steps of {checked.step:g} s"
            )

    def _opened(self, diagram: Diagram) -> tuple[Diagram, dict[str, Alias]]:
        """The diagram as it is commanded. Raises ScenarioError with the place of the action that cannot be."""
        ports = list(self.declaration.entry.action)
        try:
            return opened(diagram, ports, wired=self.reference)
        except WiringError:
            for port in ports:
                with self.declaration.at("action", port):
                    opened(diagram, [port], wired=self.reference)
            raise

    @property
    def outputs(self) -> list[str]:
        """The outputs that are looked at; what nobody looks at need not be evaluated."""
        entry = self.declaration.entry
        texts = [item.of if item.of is not None else name for name, item in entry.observation.items()]
        texts += [*entry.derived.values(), *entry.reward.values(), *entry.final.values()]
        texts += [text for item in entry.termination.values() for text in (item.when, item.reward)]
        names = [reference.name for reference in names_in(map(Expression, texts))]
        found = dict.fromkeys(self.aliases[name].name if name in self.aliases else name for name in names)
        there = [f"{path}.{name}" for path, block in self.diagram.blocks().items() for name in block.output_ports]
        for text in entry.metrics.values():
            with suppress(MetricError):
                found |= dict.fromkeys(RunMetric.of(text).needs(there))
        known = set(there)
        return [name for name in found if name in known]

    @property
    def commanded(self) -> list[str]:
        """The inputs that actions go to; none where the scenario's own controllers act."""
        return [] if self.reference else list(dict.fromkeys(alias.name for alias in self.aliases.values()))


def _attached(diagram: Diagram, inputs: dict[str, Any]) -> tuple[Diagram, dict[str, Any]]:
    """The diagram with what its inputs are over time, and those that are constant."""
    made, constants = attach_inputs(diagram, inputs, all_given=False)
    assert isinstance(made, Diagram)
    return made, constants


def _scenario(source: Source) -> Scenario:
    if isinstance(source, Scenario):
        return source
    if isinstance(source, Diagram):
        return Scenario(source)
    if isinstance(source, Block):
        raise ScenarioError("an environment is made of a scenario or a diagram; add the block to a Diagram")
    if isinstance(source, (str, PathLike)):
        return Scenario.load(Path(source))
    raise ScenarioError(f"an environment is made of a scenario, its file, or a diagram, not {source!r}")
