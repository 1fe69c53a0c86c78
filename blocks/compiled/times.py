"""How long plans took to compile on this machine, and how long another one will: what "auto" weighs."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from blocks.files.cache import cache_folder, keep

if TYPE_CHECKING:
    from blocks.compiled.structure import Structure

_NAME = "plans/seconds.json"
_KEPT = 20
"""Measurements that are kept: machines change."""
_BLOCKS_AT_ONCE = 3
"""Compiling none takes as long as so many blocks: the engine itself."""
_GUESS = 0.25
"""Seconds per block, before any plan was compiled."""


def note(structure: Structure, seconds: float) -> None:
    """Keep what a plan took, s; not at all where the cache cannot be written."""
    kept = [*_measured(), seconds / _size(structure)][-_KEPT:]
    keep(_NAME, json.dumps(kept).encode("ascii"))


def estimate(structure: Structure) -> float:
    """About how long a plan takes to compile, s."""
    kept = sorted(_measured()) or [_GUESS]
    return _size(structure) * kept[len(kept) // 2]


def _size(structure: Structure) -> int:
    return _BLOCKS_AT_ONCE + len(structure.blocks)


def _measured() -> list[float]:
    """Seconds per block of the plans that were compiled last."""
    with suppress(OSError, ValueError, TypeError):
        kept = json.loads((cache_folder() / _NAME).read_bytes())
        return [float(item) for item in kept if 0.0 < float(item) < 1e4]
    return []
