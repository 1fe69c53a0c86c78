"""Long runs in pieces: short enough to show progress and answer Ctrl-C, long enough to cost nothing."""

from __future__ import annotations

import os

from cython_kernels import engine as native

PIECE_SECONDS = 0.1
"""How long a piece should take."""

PAUSED = next(number for number, name in native.STATUSES.items() if name == "paused")
"""The engine's status at the end of a piece that is not the last."""


def next_piece(steps: int, spent: float) -> int:
    """How many steps the next piece should have, when one of `steps` took `spent` s."""
    return max(1, min(int(steps * min(4.0, PIECE_SECONDS / max(spent, 1e-9))), 10**9))


def usable_cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
