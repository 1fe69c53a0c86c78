"""What a learner commands: from numbers between -1 and 1 to the inputs of a diagram."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError, SimulationError, WiringError, shown
from blocks.live.learning.setup import Setup
from blocks.live.learning.signals import Signals, View
from blocks.model import wiring
from blocks.plan import Plan
from blocks.plan.surface import Surface
from blocks.scenario.expression import Expression
from blocks.units import to_unit


class Commands:
    """The inputs that actions go to. Where the scenario's own controllers act there are none, and actions are ignored.

    `names` are what the numbers of an action are for, such as "thrusters.command[port]".
    """

    def __init__(self, setup: Setup, plan: Plan | Surface, view: View, count: int) -> None:
        self.names: list[str] = []
        self.count = count
        self._parts: list[tuple[NDArray[np.float64], slice]] = []
        lows: list[float] = []
        highs: list[float] = []
        signals = Signals({**plan.outputs, **plan.inputs}, setup.aliases)
        commanded: set[tuple[str, int]] = set()
        for text, item in setup.declaration.entry.action.items():
            with setup.declaration.at("action", text):
                (reference,) = Expression(text).references
                span = signals.span(reference)
                first = len(lows)
                elements = {(span.name, number) for number in range(span.first, span.last)}
                if elements & commanded:
                    raise WiringError("it has elements that another action commands, too; name each once")
                commanded |= elements
                for unit in span.units:
                    low, high = limits(item.range, unit or None)
                    lows.append(low)
                    highs.append(high)
                self.names += signals.names(reference)
            if not setup.reference:
                values = view(span.name)
                values[np.isnan(values)] = 0.0  # elements of a port that nobody commands
                self._parts.append((values[:, span.first : span.last], slice(first, len(lows))))
        self._middle = 0.5 * (np.array(lows) + np.array(highs))
        self._half = 0.5 * (np.array(highs) - np.array(lows))
        self._rest = np.clip(0.0, lows, highs)

    def give(self, action: Any) -> None:
        """Act: one row of numbers, or one for each vehicle. What is beyond -1 and 1 is held there.

        Raises SimulationError for what is no action.
        """
        width = len(self._middle)
        try:
            given = np.asarray(action)
        except ValueError:  # rows of different lengths
            given = np.empty(0)
        if (
            given.shape not in ((width,), (self.count, width))
            or given.dtype.kind not in "fiub"
            or not np.isfinite(given).all()
        ):
            numbers = wiring.count(width, "finite number")
            each = f", for each of {self.count} vehicles" if self.count > 1 else ""
            raise SimulationError(f"an action is {numbers} ({', '.join(self.names)}){each}, not {shown(action)}")
        wanted = np.maximum(given, -1.0, dtype=np.float64)
        np.minimum(wanted, 1.0, out=wanted)
        np.multiply(wanted, self._half, out=wanted)
        np.add(wanted, self._middle, out=wanted)
        for there, here in self._parts:
            there[...] = wanted[..., here]

    def rest(self, mask: Any = slice(None)) -> None:
        """Command nothing: 0, or the limit that is next to it."""
        for there, here in self._parts:
            there[mask] = self._rest[here]


def limits(given: tuple[Any, Any], unit: str | None) -> tuple[float, float]:
    """Two limits in a unit, the lower first. Raises ParameterError."""
    low, high = (to_unit(n, unit) if isinstance(n, str) else float(n) for n in given)
    if not np.isfinite([low, high]).all() or not low < high:
        raise ParameterError(f"the range must be finite and end above its beginning, not {list(given)}")
    return low, high
