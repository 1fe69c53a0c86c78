"""Values and places as lanes have them: one for all members or one per member, and how one becomes another."""

from __future__ import annotations

from dataclasses import dataclass

from cython_kernels.plain_c.lanes.types import INT, D, NotLaned, T, whole


@dataclass(frozen=True)
class E:
    """An expression: its C, its type.

    truth: whether it is 0 or 1 for what it says. array: that it leads into. own: a local variable that it leads into.
    """

    text: str
    type: T
    truth: bool = False
    array: str = ""
    own: str = ""

    @property
    def lane(self) -> bool:
        """Whether it is one value per member."""
        return self.type.lane


@dataclass(frozen=True)
class Place:
    """What can be assigned to. name: of a local variable; otherwise in memory: at an address per member, or not."""

    text: str
    type: T
    name: str = ""
    scattered: bool = False


def to_lane(e: E) -> str:
    """A value per member."""
    if e.lane:
        return e.text
    if e.type.kind == "d":
        return f"kl_d({e.text})"
    if e.type.kind == "i":
        return f"kl_i((long long)({e.text}))"
    if e.type.kind == "p":
        return f"kl_p({e.text})"
    raise NotLaned(f"a {e.type.kind} per member")


def as_mask(e: E) -> str:
    """Where it is true."""
    if e.type.kind == "m":
        return e.text
    if not e.lane:
        return f"kl_truth(({e.text}) != 0)"
    return f"((VI)({e.text} != kl_d(0.0)))" if e.type.kind == "d" else f"kl_ne({e.text}, KL_NONE)"


def as_whole(e: E) -> E:
    """A truth as a number."""
    return E(f"(-{e.text})", INT.laned(), truth=True) if e.type.kind == "m" else e


def as_double(e: E) -> E:
    """A number as a double."""
    e = as_whole(e)
    if e.type.kind == "d":
        return e
    if not e.lane:
        return E(f"((double){e.text})", D)
    by = {"int": "int", "unsigned int": "int", "unsigned long long": "ulong"}.get(e.type.name, "long")
    return E(f"kl_of_{by}({e.text})", D.laned())


def as_named(e: E, name: str) -> E:
    """A whole number as one of another type."""
    e = as_whole(e)
    if e.type.name == name:
        return e
    if not e.lane:
        return E(f"(({name}){e.text})", whole(name), truth=e.truth)
    if name in ("int", "unsigned int") and not e.truth:
        return E(f"kl_as_{'int' if name == 'int' else 'uint'}({e.text})", whole(name).laned())
    return E(e.text, whole(name).laned(), truth=e.truth)


def as_kind(kind: T, e: E) -> E:
    """A number as a variable of this kind has it."""
    if kind.kind == "d":
        return as_double(e)
    if kind.kind == "i" and e.type.kind == "d":
        raise NotLaned("a double as a whole number without a cast")
    return as_named(e, kind.name) if kind.kind == "i" else as_whole(e)


def wrapped(text: str, name: str) -> str:
    """What a whole number of a type keeps of a result."""
    return f"kl_as_uint({text})" if name == "unsigned int" else text
