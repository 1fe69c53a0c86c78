"""How much a file may take: what it unpacks to, the memory and the time for it, by how large it is."""

from __future__ import annotations

import math
from collections.abc import Sequence

DENSEST = 1100
"""Times by which a file may grow when it is unpacked: deflate reaches 1032."""
SLACK = 64_000_000
MOST = 1 << 35
SECONDS, BYTES_PER_SECOND = 10.0, 5e6
"""For reading a file: so long, and some more by its size."""


class Unreadable(Exception):
    """A file cannot be read, and why, as the end of a sentence."""


def most_bytes(size: int) -> int:
    """What a file of this size may unpack to."""
    return min(SLACK + DENSEST * size, MOST)


def seconds(size: int) -> float:
    """How long reading a file of this size may take."""
    return SECONDS + size / BYTES_PER_SECOND


def words(problem: BaseException) -> str:
    """What a library says, on one line."""
    said = problem.args[0] if isinstance(problem, KeyError) and problem.args else problem
    return " ".join(str(said).split()) or type(problem).__name__


class Budget:
    """Counts what is read, before it is."""

    def __init__(self, most: float) -> None:
        self.left = most

    def take(self, name: str, shape: Sequence[int], width: int) -> None:
        """Raise Unreadable if an array of so many elements, of so many bytes each, is too much."""
        needed = math.prod(shape) * max(width, 1)
        self.left -= needed
        if self.left < 0:
            raise Unreadable(
                f"'{name}' is {'×'.join(map(str, shape))}, which takes {needed / 1e6:,.0f} MB: more than a file of "
                f"this size can hold"
            )
