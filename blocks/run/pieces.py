"""Long runs in pieces: short enough to show progress and answer Ctrl-C, long enough to cost nothing."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable, Iterator

from cython_kernels import engine as native

PIECE_SECONDS = 0.1
"""How long a piece should take."""

PAUSED = next(number for number, name in native.STATUSES.items() if name == "paused")
"""The engine's status at the end of a piece that is not the last."""


class Pieces:
    """The one loop of all runs: an engine goes on, at most so many steps at once, until it says that it is done.

    What was learnt of the time that steps take is used by the next run. `first`: how many steps the first piece has;
    1 where a step may take long.
    """

    def __init__(self, first: int = 1000) -> None:
        self.steps = first

    def of(self, go_on: Callable[[int], int]) -> Iterator[int]:
        """Go on by pieces; the engine's status after each."""
        while True:
            began = clock.perf_counter()
            status = go_on(self.steps)
            spent = clock.perf_counter() - began
            if status == PAUSED or spent > 2.0 * PIECE_SECONDS:
                self.steps = next_piece(self.steps, spent)
            yield status
            if status != PAUSED:
                return


def next_piece(steps: int, spent: float) -> int:
    """How many steps the next piece should have, when one of `steps` took `spent` s."""
    return max(1, min(int(steps * min(4.0, PIECE_SECONDS / max(spent, 1e-9))), 10**9))


def usable_cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
