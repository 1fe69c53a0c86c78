"""What `reset(options=…)` may say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.errors import SimulationError, shown


def chosen(options: Any, *known: str) -> Mapping[str, Any]:
    """The options of a reset. Raises SimulationError for others than those that are known."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise SimulationError(f"options are a mapping with {' and '.join(known)}, not {shown(options)}")
    for name in options:
        if name not in known:
            raise SimulationError(f"reset has no option {name!r}", code="unknown-name", wrong=str(name), valid=known)
    return options
