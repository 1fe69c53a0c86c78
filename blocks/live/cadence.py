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
        ended = self.clock()
        self._next = max(began + self.period, ended + (ended - began) * (1.0 / _SHARE - 1.0))
        return True
