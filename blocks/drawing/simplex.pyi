from collections.abc import Sequence
from typing import NamedTuple

class Arc(NamedTuple):
    tail: int
    head: int
    distance: int
    weight: int

def network_simplex(count: int, arcs: Sequence[tuple[int, int, int, int]]) -> list[int]: ...
