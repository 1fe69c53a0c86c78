"""Plain data: copies of it, and whether two read as the same."""

from __future__ import annotations

import math
from typing import Any


def copied(data: Any) -> Any:
    """A copy of mappings and lists, and of all that they hold."""
    if isinstance(data, dict):
        return {name: copied(value) for name, value in data.items()}
    if isinstance(data, list):
        return [copied(value) for value in data]
    return data


def same(one: Any, other: Any) -> bool:
    """Whether two values read as the same: 1 and 1.0 do, 1 and true do not."""
    if one is other:
        return True
    if isinstance(one, dict):
        if not isinstance(other, dict) or len(one) != len(other):
            return False
        return all(name in other and same(value, other[name]) for name, value in one.items())
    if isinstance(one, (list, tuple)):
        if not isinstance(other, (list, tuple)) or len(one) != len(other):
            return False
        return all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return False
    if isinstance(one, float) or isinstance(other, float):
        if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
            return False
        return (one == other and math.copysign(1, one) == math.copysign(1, other)) or (one != one and other != other)
    return bool(one == other)
