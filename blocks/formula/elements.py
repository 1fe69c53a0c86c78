"""What a typeset formula is put together from, before it is drawn for a terminal or written as LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FenceKind = Literal["()", "[]", "||", "‖‖", "⌊⌋", "⌈⌉"]


class Element:
    """A piece of a formula."""


@dataclass(frozen=True)
class Word(Element):
    """The upright name of a function, or a word."""

    text: str


@dataclass(frozen=True)
class Letter(Element):
    """A name of a quantity: "tau_x" is drawn as τₓ. index: of an element, nu[u]. dotted: a derivative by time."""

    name: str
    index: str = ""
    dotted: bool = False


@dataclass(frozen=True)
class Numeral(Element):
    """A number as it stands in the text."""

    text: str


@dataclass(frozen=True)
class Sign(Element):
    """An operator; a line can be broken before it where it `breaks`."""

    text: str
    spaced: bool = True
    breaks: bool = True


@dataclass(frozen=True)
class Row(Element):
    """One beside the other."""

    items: tuple[Element, ...]


@dataclass(frozen=True)
class Fraction(Element):
    over: Element
    under: Element


@dataclass(frozen=True)
class Raised(Element):
    base: Element
    power: Element


@dataclass(frozen=True)
class Root(Element):
    inner: Element
    degree: str = ""


@dataclass(frozen=True)
class Fence(Element):
    inner: Element
    kind: FenceKind = "()"


@dataclass(frozen=True)
class Matrix(Element):
    """Rows in square brackets; a vector stands upright."""

    rows: tuple[tuple[Element, ...], ...]


@dataclass(frozen=True)
class Cases(Element):
    """Values with their conditions; the last one, without a condition, holds otherwise."""

    rows: tuple[tuple[Element, Element | None], ...]
