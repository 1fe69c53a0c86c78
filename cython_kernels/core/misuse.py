"""What a guarded call found a kernel to do wrong (see `checked.pxd`), in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

FUNCTIONS = ("setup", "start", "outputs", "derivatives", "update", "crossings", "jumps")
NONE, INPUT, OUTPUT, PARAMETER, WORK, STATES, DERIVATIVES, DISCRETE, CROSSINGS, SIZES = range(10)
_OUTSIDE, _NOT_ITS_OWN, _NULL, _ASTRAY, _DIVISION, _UNDEFINED, _UNWRITTEN, _READ_OUTSIDE = range(1, 9)
_BEFORE, _MOST = 512, 1023

_ARRAYS = {
    INPUT: "input {port}",
    OUTPUT: "output {port}",
    PARAMETER: "parameter {port}",
    WORK: "the derived constants w",
    STATES: "the states x",
    DERIVATIVES: "the derivatives dx",
    DISCRETE: "the discrete states z",
    CROSSINGS: "the crossings g",
    SIZES: "the sizes n",
}
_MAY_WRITE = {
    OUTPUT: "outputs may write there",
    WORK: "setup may write there",
    STATES: "start may write there",
    DERIVATIVES: "derivatives may write there",
    DISCRETE: "start and update may write there",
    CROSSINGS: "crossings and jumps may write there",
}


@dataclass(frozen=True)
class Misuse:
    """A fault below 0, taken apart: function, array, number of its port or parameter from 0, and element."""

    array: int
    function: str
    port: int
    element: int
    kind: int

    @classmethod
    def of(cls, fault: int) -> Misuse:
        """From the number."""
        rest, kind = divmod(-fault, 16)
        rest, element = divmod(rest, 1024)
        rest, port = divmod(rest, 1024)
        array, function = divmod(rest, 8)
        return cls(array, FUNCTIONS[function], port, element, kind)


class Names(Protocol):
    """Says what a block calls its arrays and their elements."""

    def array(self, misuse: Misuse) -> str:
        """The array, "output 'force'"."""

    def element(self, misuse: Misuse) -> str:
        """An element of it, "output 'force[1]'"."""


class _Numbers:
    """Where the names of a block are not known."""

    def array(self, misuse: Misuse) -> str:
        return _ARRAYS[misuse.array].format(port=misuse.port)

    def element(self, misuse: Misuse) -> str:
        return f"element {misuse.element} of {self.array(misuse)}"


def explain_misuse(fault: int, kernel: str = "", names: Names | None = None) -> str:
    """The meaning of a fault below 0, of a kernel that has this name."""
    found, names = Misuse.of(fault), names or _Numbers()
    if found.element == _MOST:
        names = _Coarse(names)
    who = f"{kernel}_{found.function}" if kernel else f"its kernel ({found.function})"
    if found.kind == _OUTSIDE:
        place = (
            f"{found.element - _BEFORE} before its first"
            if found.element > _BEFORE
            else (f"{found.element + 1} behind its last")
        )
        return (
            f"{who} wrote outside of {names.array(found)}, {place} element; compare its indices with the block's "
            f"declaration"
        )  # fmt: skip
    if found.kind == _NOT_ITS_OWN:
        may = _MAY_WRITE.get(found.array, "a kernel only reads there")
        return f"{who} wrote to {names.element(found)}, where it may only read: {may}"
    if found.kind == _NULL:
        name = names.array(found)
        return (
            f"{who} used {name}, which is not wanted in this call (NULL); a block whose outputs differ in feedthrough, "
            f"or one of which is a state, asks `!= NULL` of each output before it writes it"
        )
    if found.kind == _UNWRITTEN:
        return f"{who} left {names.element(found)} unwritten"
    if found.kind == _READ_OUTSIDE:
        return (
            f"{who} made {names.element(found)} of what it read outside of an array; compare its indices with the "
            f"block's declaration"
        )
    return f"{who} {_ENDED[found.kind]}"


_ENDED = {
    _ASTRAY: "reached for an address that is none of its arrays; compare its indices with the block's declaration",
    _DIVISION: "divided whole numbers by zero",
    _UNDEFINED: "did what C leaves undefined, and the compiler's checks stopped it: an index outside of an array of "
    "fixed length, a number that is none or too large made whole, a whole number that overflows or is divided by zero, "
    "a shift too far",
}


class _Coarse:
    """Names of arrays for elements that are too far behind to be told."""

    def __init__(self, names: Names) -> None:
        self.array = names.array

    def element(self, misuse: Misuse) -> str:
        return self.array(misuse)
