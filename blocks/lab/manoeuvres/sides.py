"""Orders to starboard and to port."""

from __future__ import annotations

import math
from collections.abc import Iterable

from blocks.errors import did_you_mean
from blocks.lab.manoeuvres.craft import Craft, Lever
from blocks.lab.manoeuvres.limits import check_reach
from blocks.lab.trial import ManoeuvreError

SIDES = {"starboard": 1.0, "port": -1.0}


def both(sides: str | Iterable[str]) -> list[float]:
    """1 to starboard, -1 to port. Raises ManoeuvreError for other names."""
    names = [sides] if isinstance(sides, str) else list(sides)
    for name in names:
        if name not in SIDES:
            raise ManoeuvreError(f"there is no side '{name}'{did_you_mean(str(name), SIDES)}")
    if not names:
        raise ManoeuvreError("name at least one side: starboard, port")
    return [SIDES[name] for name in dict.fromkeys(names)]


def order_of(craft: Craft, lever: Lever, order: float | str) -> float:
    """The size of an order. Raises ManoeuvreError unless it is positive, and within the limits of what takes it."""
    size = lever.order(order)
    if not size > 0.0:
        raise ManoeuvreError(
            f"order must be positive, not {order!r}: `sides` says where to, and a factor of -1 turns the helm round, "
            f"helm={{'rudder': -1}}"
        )
    if lever.unit == "rad" and size > math.pi:
        raise ManoeuvreError(f"order is {size:g} rad, more than half a turn: degrees are written as '{size:g} deg'")
    check_reach(craft, lever, size)
    return size
