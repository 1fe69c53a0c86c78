"""Components that foreign tools are given as FMUs, with inputs that move and the run in this process to compare with.

Every block of the library with every sample of its parameters, and the Minerva mission with its two parts.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks import Block, Diagram, library
from blocks.basic import Gain, Selector
from blocks.plan import Plan, make_plan
from blocks.plan.kernel import kernel_name
from blocks.plan.place import Place
from blocks.scenario import Scenario
from fmu.exporting.context import signals_from_outside

ROOT = Path(__file__).parents[2]
MISSION = ROOT / "examples" / "minerva_los.yaml"
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Subject:
    """A component to export: `make` gives a fresh one. Steps of `step` inside, of `communication_step` outside."""

    name: str
    make: Callable[[], Diagram | Block]
    step: float = 0.05
    communication_step: float = 0.1
    steps: int = 12

    @cached_property
    def plan(self) -> Plan:
        """As the export makes it."""
        return self._make_plan()

    def _make_plan(self, **settings: Any) -> Plan:
        component = self.make()
        wanted, signals = list(component.output_ports), signals_from_outside(component)
        return make_plan(component, wanted=wanted, input_signals=signals, step=self.step, **settings)

    @property
    def kernels(self) -> set[str]:
        """The kernels that its plan calls."""
        return {kernel_name(leaf.block) for leaf in self.plan.flat.leaves}

    @property
    def time(self) -> Floats:
        """The communication points."""
        return np.arange(self.steps + 1) * self.communication_step

    @cached_property
    def inputs(self) -> dict[str, Floats]:
        """For each input a row per communication point: sines of different frequencies about a positive value."""
        waves, number = {}, 0
        for name, place in self.plan.inputs.items():
            phases = np.arange(number, number + place.count)
            number += place.count
            waves[name] = 0.85 + 0.4 * np.sin(np.outer(self.time, 1.7 + 0.613 * phases) + phases)
        return waves

    def input_columns(self, version: str = "2.0") -> dict[str, Floats]:
        """The same by the names of the FMU's variables: "force[1]" in FMI 2.0, and "force", a matrix, in FMI 3.0."""
        if version == "3.0":
            return {name: self.inputs[name] for name in self.plan.inputs}
        return {
            element: self.inputs[name][:, i]
            for name, place in self.plan.inputs.items()
            for i, element in enumerate(elements(name, place))
        }

    def output_names(self, version: str = "2.0") -> list[str]:
        """The FMU's outputs, in the order of the columns of `run`."""
        outputs = self.plan.external_outputs
        listed = [e for name, place in outputs.items() for e in ([name] if version == "3.0" else elements(name, place))]
        return [
            {"output": "output_"}.get(name, name) for name in listed
        ]  # what Modelica would not take has another name

    @cached_property
    def run(self) -> Floats:
        """All outputs at the communication points, of a run in this process; inputs are held between the points.

        Outputs that follow inputs at once show, at a communication point, the inputs of the step that ends there.
        """
        return np.array([before for before, _ in self.steps_of(self.plan)])

    @cached_property
    def renewed_run(self) -> Floats:
        """The same after the next inputs are set: what model exchange has at a communication point."""
        return np.array([after for _, after in self.steps_of(self.plan)])

    @cached_property
    def precise_run(self) -> Floats:
        """As `renewed_run`, with an adaptive solver whose error is far below what is compared."""
        plan = self._make_plan(solver="dopri5", relative_tolerance=1e-12, absolute_tolerance=1e-13)
        return np.array([after for _, after in self.steps_of(plan)])

    def steps_of(self, plan: Plan) -> Iterator[tuple[Floats, Floats]]:
        """The outputs at each communication point, before and after inputs are set there."""
        engine = plan.engine()

        def check(status: int) -> Floats:
            assert status == 0, f"{self.name} stops at {engine.time:g} s: {engine.failure}"
            return np.concatenate([engine.values[place.slice] for place in plan.external_outputs.values()])

        def give(row: int) -> None:
            for name, place in plan.inputs.items():
                engine.values[place.slice] = self.inputs[name][row]
            engine.inputs_changed()

        give(0)
        first = check(engine.start(0.0))
        yield first, first
        for k, t in enumerate(self.time[1:], 1):
            before = check(engine.advance(t))
            give(k)
            yield before, check(engine.refresh())


def elements(name: str, place: Place) -> list[str]:
    """Names of a port's elements by FMI's structured convention."""
    indices = itertools.product(*(range(1, length + 1) for length in place.shape))
    return [f"{name}[{','.join(map(str, index))}]" for index in indices] if place.shape else [name]


def _block(name: str, parameters: dict[str, Any]) -> Diagram | Block:
    """The block; behind a gain if nothing but a wire says how wide its input is."""
    block = library()[name](**parameters)
    if not isinstance(block, Selector):
        return block
    diagram = Diagram("selected")
    gain = diagram.add("gain", Gain([1.0, 2.0, 3.0]))
    diagram.add("selector", block)
    diagram.connect(gain.y, block.u)
    diagram.inputs(u=gain.u)
    diagram.outputs(y=block.y)
    return diagram


def _blocks() -> list[Subject]:
    return [
        Subject(name if k == 0 else f"{name}-{k + 1}", lambda n=name, p=parameters: _block(n, p))
        for name, cls in library().items()
        if cls.__module__.split(".")[0] == "blocks"
        for k, parameters in enumerate(cls.examples or ({},))
    ]


def mission() -> Diagram:
    """The Minerva mission: `plant` and `autopilot` in a closed loop."""
    return Scenario.load(MISSION).diagram


MINERVA = [
    Subject("minerva", mission, step=0.01, communication_step=0.05, steps=40),
    Subject("plant", lambda: mission()["plant"], step=0.01, communication_step=0.05, steps=40),
    Subject("autopilot", lambda: mission()["autopilot"], step=0.01, communication_step=0.05, steps=40),
]
SUBJECTS = [*_blocks(), *MINERVA]
BY_NAME = {subject.name: subject for subject in SUBJECTS}
FUZZING = int(os.environ.get("KEELBLOCKS_FUZZ", "1"))
"""How many times as many rounds of random calls there are, with all subjects then."""
SANITIZED = ["control.PID", "guidance.LineOfSight", "plant"] if FUZZING == 1 else [*BY_NAME]
"""What runs with sanitizers."""
