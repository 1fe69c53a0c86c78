"""What a learner commands: from numbers between -1 and 1 to the inputs of a diagram."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import ParameterError, SimulationError, shown
from blocks.live.learning.setup import Setup
from blocks.live.learning.signals import Signals, View
from blocks.model import wiring
from blocks.plan import Plan
from blocks.scenario.expression import Expression
from blocks.units import to_unit


class Commands:
    """The inputs that actions go to. Where the scenario's own controllers act there are none, and actions are ignored.

    `names` are what the numbers of an action are for, such as "thrusters.command[port]".
    """

    def __init__(self, setup: Setup, plan: Plan, view: View) -> None:
        self.names: list[str] = []
        self._parts: list[tuple[NDArray[np.float64], slice]] = []
        lows: list[float] = []
        highs: list[float] = []
        signals = Signals({**plan.outputs, **plan.inputs}, setup.aliases)
        for text, item in setup.declaration.entry.action.items():
            with setup.declaration.at("action", text):
                (reference,) = Expression(text).references
                span = signals.span(reference)
                first = len(lows)
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
        given = np.asarray(action, dtype=np.float64)
        if given.shape[-1:] != self._middle.shape or not np.isfinite(given).all():
            count = wiring.count(len(self._middle), "finite number")
            raise SimulationError(f"an action is {count} ({', '.join(self.names)}), not {shown(action)}")
        wanted = np.minimum(np.maximum(given, -1.0), 1.0) * self._half + self._middle
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
