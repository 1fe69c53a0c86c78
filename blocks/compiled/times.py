"""How long plans took to compile on this machine, and how long another one will: what "auto" weighs."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from blocks.files.cache import cache_folder, keep

if TYPE_CHECKING:
    from blocks.compiled.structure import Structure

_NAMES = {False: "plans/seconds.json", True: "plans/seconds_together.json"}
"""Of plans for one member, and for several that go side by side."""
_KEPT = 20
"""Measurements that are kept: machines change."""
_BLOCKS_AT_ONCE = 3
"""Compiling none takes as long as so many blocks: the engine itself."""
_GUESS, _LONGER = 0.25, 1.5
"""Before any plan was compiled: seconds per block, and how many times as long for several members."""


def note(structure: Structure, seconds: float, *, together: bool = False) -> None:
    """Keep what a plan took, s; not at all where the cache cannot be written."""
    kept = [*_measured(together), seconds / _size(structure)][-_KEPT:]
    keep(_NAMES[together], json.dumps(kept).encode("ascii"))


def estimate(structure: Structure, *, together: bool = False) -> float:
    """About how long a plan takes to compile, s."""
    kept = sorted(_measured(together))
    if not kept and together:
        return _LONGER * estimate(structure)
    return _size(structure) * (kept[len(kept) // 2] if kept else _GUESS)


def _size(structure: Structure) -> int:
    return _BLOCKS_AT_ONCE + len(structure.blocks)


def _measured(together: bool) -> list[float]:
    """Seconds per block of the plans that were compiled last; none where the file is damaged."""
    with suppress(OSError, ValueError, TypeError, OverflowError, RecursionError):
        kept = json.loads((cache_folder() / _NAMES[together]).read_bytes())
        return [float(item) for item in kept if 0.0 < float(item) < 1e4]
    return []
