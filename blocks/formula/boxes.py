"""Boxes of text, from which a formula is laid out on a terminal: beside, above and below one another."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


def width_of(text: str) -> int:
    """Columns of a terminal; a dot above a letter takes none."""
    return sum(not unicodedata.combining(char) for char in text)


@dataclass(frozen=True)
class Box:
    """Lines of one width. `base` is the number of the line that signs beside it stand on."""

    lines: tuple[str, ...]
    base: int = 0

    @property
    def width(self) -> int:
        return width_of(self.lines[0])

    @property
    def height(self) -> int:
        return len(self.lines)

    @property
    def below(self) -> int:
        """Lines below the base."""
        return self.height - self.base - 1

    def padded(self, width: int, where: str = "middle") -> Box:
        """As wide as that, with blanks to the left or right."""
        spare = width - self.width
        left = {"left": 0, "middle": spare // 2, "right": spare}[where]
        return Box(tuple(f"{' ' * left}{line}{' ' * (spare - left)}" for line in self.lines), self.base)


def text(words: str) -> Box:
    """One line."""
    return Box((words,))


def beside(boxes: Iterable[Box]) -> Box:
    """With their bases on one line."""
    found = list(boxes)
    if not found:
        return text("")
    above, under = max(box.base for box in found), max(box.below for box in found)
    columns = []
    for box in found:
        blank = (" " * box.width,)
        columns.append(blank * (above - box.base) + box.lines + blank * (under - box.below))
    return Box(tuple("".join(parts) for parts in zip(*columns, strict=True)), above)


def stacked(boxes: Sequence[Box], where: str = "left", base: int | None = None) -> Box:
    """One below the other; the base is that of the first one, or the line that is said."""
    width = max(box.width for box in boxes)
    lines = tuple(line for box in boxes for line in box.padded(width, where).lines)
    return Box(lines, boxes[0].base if base is None else base)


def fraction(over: Box, under: Box) -> Box:
    """With a bar between them."""
    width = max(over.width, under.width)
    return Box((*over.padded(width).lines, "─" * width, *under.padded(width).lines), over.height)


def raised(base: Box, power: Box) -> Box:
    """A power above the line."""
    upper = tuple(" " * base.width + line for line in power.lines)
    lower = tuple(line + " " * power.width for line in base.lines)
    return Box((*upper, *lower), power.height + base.base)


def root(inner: Box, degree: str = "") -> Box:
    """Under a root sign."""
    height = inner.height
    lines = [" " * (height + 1) + "_" * (inner.width + 1)]
    for number, line in enumerate(inner.lines):
        at = height - number
        lines.append(" " * at + "╱" + " " * (height - at + 1) + line)
    lines[-1] = "╲" + lines[-1][1:]
    if degree:
        lines[-2] = degree + lines[-2][1:]
    return Box(tuple(lines), inner.base + 1)


_TALL = {
    "(": tuple("⎛⎜⎝"), ")": tuple("⎞⎟⎠"), "[": tuple("⎡⎢⎣"), "]": tuple("⎤⎥⎦"), "|": tuple("│││"),
    "‖": tuple("║║║"), "⌊": tuple("⎢⎢⎣"), "⌋": tuple("⎥⎥⎦"), "⌈": tuple("⎡⎢⎢"), "⌉": tuple("⎤⎥⎥"),
}  # fmt: skip
"""Upper, middle and lower piece of a bracket of several lines."""


def bracket(kind: str, height: int, base: int) -> Box:
    """A bracket as high as what stands beside it."""
    if height == 1:
        return text(kind)
    upper, middle, lower = _TALL[kind]
    return Box((upper, *[middle] * (height - 2), lower), base)


def fenced(inner: Box, kind: str) -> Box:
    """Between brackets."""
    left, right = kind[0], kind[1]
    return beside((bracket(left, inner.height, inner.base), inner, bracket(right, inner.height, inner.base)))


def brace(height: int) -> Box:
    """The brace before cases; its height is odd."""
    half = height // 2
    return Box(("⎧", *"⎪" * (half - 1), "⎨", *"⎪" * (half - 1), "⎩"), half)
