"""What a connection does to the numbers on their way: linear functions and tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Linear:
    """y = factor·x + offset."""

    factor: float = 1.0
    offset: float = 0.0

    def then(self, other: Linear) -> Linear:
        """This one, and the other on what comes out."""
        return Linear(other.factor * self.factor, other.factor * self.offset + other.offset)

    def inverse(self) -> Linear:
        """The way back."""
        return Linear(1.0 / self.factor, -self.offset / self.factor)

    def __call__(self, value: float) -> float:
        return self.factor * value + self.offset


@dataclass(frozen=True)
class Table:
    """From some discrete values to others; what is not among them stays."""

    pairs: tuple[tuple[float, float], ...]

    def __call__(self, value: float) -> float:
        return dict(self.pairs).get(value, value)


Change = tuple[Linear | Table, ...]
"""What is done to a number, one after the other."""
UNCHANGED: Change = ()


def joined(*changes: Linear | Table) -> Change:
    """The same in as few steps as there can be."""
    found: list[Linear | Table] = []
    for change in changes:
        if isinstance(change, Linear) and found and isinstance(found[-1], Linear):
            found[-1] = found[-1].then(change)
        else:
            found.append(change)
    return tuple(change for change in found if change != Linear())
