"""Knobs: inputs and parameters that can be changed while a simulation runs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from blocks.errors import SimulationError
from blocks.model.declare import Parameter
from blocks.plan.place import Place
from blocks.realtime.readings import Reading, readings
from blocks.units import to_unit

if TYPE_CHECKING:
    from blocks.simulator import Simulator


@dataclass
class Knob:
    """A number that can be changed: an element of an input, or a parameter."""

    reading: Reading
    start: float
    """What it was at first, in SI."""

    @property
    def name(self) -> str:
        """The name of what is changed."""
        return self.reading.name

    def nudge(self, simulator: Simulator, steps: int) -> None:
        """Change it by so many steps: a tenth of its power of ten, so 200 by 10 and 0.35 by 0.01."""
        value = self.reading.value()
        size = 10.0 ** math.floor(math.log10(abs(value)) + 1e-9) / 10.0 if value else 0.1
        self._set(simulator, round((value + steps * size) / size) * size / self.reading.factor)

    def enter(self, simulator: Simulator, text: str) -> None:
        """Change it to what was typed: a number in the unit that is shown, or with a unit of its own."""
        try:
            value = float(text) / self.reading.factor
        except ValueError:
            value = to_unit(text, self.reading.unit)
        self._set(simulator, value)

    def reset(self, simulator: Simulator) -> None:
        """Change it back to what it was at first."""
        self._set(simulator, self.start)

    def _set(self, simulator: Simulator, value: float) -> None:
        if not math.isfinite(value):
            raise SimulationError(f"{self.name} must be a finite number, not {value:g}")
        simulator[self.name] = value
        simulator.refresh()


def knobs(simulator: Simulator, names: Iterable[str] | None = None) -> list[Knob]:
    """A knob for each element of what is named; None: of all inputs, and all parameters that are a single number."""
    if names is None:
        names = [*simulator.plan.inputs, *_tunable(simulator)]
    return [Knob(reading, reading.value() / reading.factor) for reading in readings(simulator, names)]


def _tunable(simulator: Simulator) -> list[str]:
    return [name for name, place in simulator.plan.parameters.items() if place.count == 1 and _is_knob(place)]


def _is_knob(place: Place) -> bool:
    """Whether a parameter may change in mid-run, and takes any number."""
    parameter: Parameter | None = place.parameter  # type: ignore[call-overload]
    if parameter is None or not parameter.tunable:
        return False
    return not (parameter.choices or parameter.switch or parameter.integer)
