"""How often something costly, such as drawing, has its turn beside a loop that has to be on time."""

from __future__ import annotations

import time
from collections.abc import Callable

_SHARE = 0.2
"""Of the time, at most, that drawing may take."""


class Cadence:
    """Lets drawing happen every `period` seconds of real time, and less often if it takes more than a fifth of them."""

    def __init__(self, period: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.period, self.clock = period, clock
        self._next = -float("inf")

    def draw(self, function: Callable[[], None], *, now: bool = False) -> bool:
        """Call the function if it is time, or now in any case; whether it was called."""
        began = self.clock()
        if began < self._next and not now:
            return False
        function()
        self._next = began + self.period
        self.cost(self.clock() - began)
        return True

    def cost(self, seconds: float) -> None:
        """Wait until what took so many seconds, and has just ended, is a fifth of the time."""
        self._next = max(self._next, self.clock() + seconds * (1.0 / _SHARE - 1.0))
