"""Types of C as lanes have them: which values are one for all members, and which are one per member."""

from __future__ import annotations

from dataclasses import dataclass, replace

RANKS = ("int", "unsigned int", "long long", "unsigned long long")
"""Whole numbers, from the narrowest on, as the usual conversions go up."""
UNSIGNED = ("unsigned int", "unsigned long long")
_CANONICAL = {
    "char": "int", "long": "long long", "size_t": "unsigned long long", "ptrdiff_t": "long long",
    "unsigned long": "unsigned long long", "long int": "long long", "unsigned": "unsigned int", "signed int": "int",
}  # fmt: skip


@dataclass(frozen=True)
class T:
    """A type.

    kind: d a double, i a whole number, m a truth per lane as all bits set or none, p a pointer, a an array, s a struct,
    v nothing, f a function. name: of a whole number or a struct. of: what a pointer or an array leads to. lane: one per
    member; of a pointer: an address per member. size: of an array, as C.
    """

    kind: str
    name: str = ""
    of: T | None = None
    lane: bool = False
    size: str = ""

    @property
    def is_number(self) -> bool:
        """Whether it is a number: double, whole or truth."""
        return self.kind in "dim"

    def laned(self) -> T:
        """The same, one per member."""
        return replace(self, lane=True)

    def text(self, name: str = "") -> str:
        """A declaration in C of `name`, or the type alone."""
        if self.kind == "a":
            assert self.of
            return self.of.text(f"{name}[{self.size}]")
        if self.kind == "p":
            assert self.of
            if self.lane:
                return f"VI {name}".rstrip()
            return self.of.text(f"*{name}") if self.of.kind != "a" else self.of.text(f"(*{name})")
        return f"{self._word()} {name}".rstrip()

    def _word(self) -> str:
        if self.kind == "d":
            return "VD" if self.lane else "double"
        if self.kind == "m":
            return "VI"
        if self.kind == "i":
            return "VI" if self.lane else self.name
        return f"L_{self.name}" if self.kind == "s" else "void"


D, VOID = T("d"), T("v")
INT, MASK = T("i", "int"), T("m", lane=True)


def whole(name: str) -> T:
    """A whole number of a type of C by any of its names."""
    return T("i", _CANONICAL.get(name, name))


def pointer(of: T, lane: bool = False) -> T:
    """A pointer to something."""
    return T("p", of=of, lane=lane)


def usual(a: T, b: T) -> str:
    """The whole number that the usual conversions make of two."""
    names = [t.name if t.kind == "i" else "int" for t in (a, b)]
    return max(names, key=RANKS.index)


class NotLaned(Exception):
    """Code that cannot be done for several members at once; says why."""
