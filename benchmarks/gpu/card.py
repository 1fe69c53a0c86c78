"""What a card can do at most, of what its driver says: the bandwidth of its memory, and operations on doubles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_SINGLES = {(7, 0): 64, (7, 2): 64, (7, 5): 64, (8, 0): 64, (8, 6): 128, (8, 7): 128, (8, 9): 128, (9, 0): 128}
"""Operations on singles per clock of a multiprocessor, by compute capability: CUDA C++ Programming Guide, arithmetic
instructions, throughput."""
_NEWER = 128
"""From 10.0 on."""


@dataclass(frozen=True)
class Limits:
    """bandwidth: bytes/s, at both edges of the memory's clock; doubles: additions or multiplications per second
    as long as they are not contracted."""

    bandwidth: float
    doubles: float


def limits_of(attributes: Mapping[str, int]) -> Limits:
    """The limits of a card with these attributes, see `driver.ATTRIBUTES`."""
    singles = _SINGLES.get((attributes["major"], attributes["minor"]), _NEWER)
    per_clock = attributes["processors"] * singles / attributes["singles_per_double"]
    return Limits(
        2.0 * 1e3 * attributes["memory_clock_khz"] * attributes["bus_bits"] / 8.0,
        1e3 * attributes["clock_khz"] * per_clock,
    )
