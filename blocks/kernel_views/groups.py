"""What a kernel sees of a block, group by group: inputs u, outputs y, parameters p, and so on, with their members.

The engine gives a kernel pointers: of u, y and p an array of pointers, one per member, of all others one array in which
the members stand one after the other. Names are laid over that in one of these forms:

    POINTERS    u, y, p: a struct of pointers, over the array of pointers
    ARRAYS      members of fixed length: a struct of arrays, over the array
    COMPUTED    members whose length depends on sizes: a struct of pointers, computed from these at each call
    NUMBERS     the sizes: a struct of ints, over the array
    EMPTY       nothing is declared, so there is nothing to read
    RAW         as the engine has it: ports whose number varies, and what a class wants by number
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from weakref import WeakKeyDictionary

from blocks.errors import DeclarationError
from blocks.kernel_views.declarations import kernels_of, snake, title
from blocks.kernel_views.source import ViewError
from blocks.model.block import Block
from blocks.model.declare import Parameter
from blocks.model.derived import names_in
from blocks.signal import Dimension

# Words that a member of a struct in C cannot be called, and macros of Windows' headers.
_TAKEN = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|far|float|for|goto|if|inline|int|interface|"
    "long|near|register|restrict|return|short|signed|sizeof|small|static|struct|switch|typedef|union|unsigned|void|"
    "volatile|while"
)

Form = Enum("Form", "POINTERS ARRAYS COMPUTED NUMBERS EMPTY RAW")

LETTERS = ("u", "y", "p", "w", "x", "dx", "z", "g", "n")
TYPES = {
    "u": "Inputs",
    "y": "Outputs",
    "p": "Parameters",
    "w": "Constants",
    "x": "States",
    "dx": "Derivatives",
    "z": "DiscreteStates",
    "g": "Crossings",
    "n": "Sizes",
}
"""What the struct of a group is called, behind the name of the class."""

WORDS = {
    "u": "inputs",
    "y": "outputs",
    "p": "parameters",
    "w": "derived constants",
    "x": "continuous states",
    "dx": "derivatives",
    "z": "discrete states",
    "g": "zero crossings",
    "n": "sizes",
}
"""What a group is."""

READ_ONLY = frozenset("upxn")


@dataclass(frozen=True)
class Member:
    """One name in a group."""

    name: str
    shape: tuple[Dimension, ...] = ()
    unit: str | tuple[str, ...] | None = None
    doc: str = ""
    conditional: bool = False

    @property
    def c_name(self) -> str:
        """As it stands in the struct."""
        return f"{self.name}_" if _TAKEN.fullmatch(self.name) else self.name

    @property
    def is_fixed(self) -> bool:
        """Whether its length is known when the kernel is compiled."""
        return all(isinstance(dimension, int) for dimension in self.shape)

    def comment(self) -> str:
        """Shape, unit and what it is, on one line."""
        units = self.unit if isinstance(self.unit, tuple) else (self.unit,)
        unit = ", ".join(dict.fromkeys(u for u in units if u and u != "1"))
        head = ", ".join(part for part in ("×".join(map(str, self.shape)), unit) if part)
        return ": ".join(part for part in (head, " ".join(self.doc.split())) if part)


@dataclass(frozen=True)
class Group:
    """A group of what a kernel sees."""

    letter: str
    form: Form
    members: tuple[Member, ...] = field(default=())


_KNOWN: WeakKeyDictionary[type[Block], dict[str, Group]] = WeakKeyDictionary()


def groups_of(cls: type[Block]) -> dict[str, Group]:
    """All groups of a class, by letter. Raises ViewError."""
    if cls not in _KNOWN:
        _KNOWN[cls] = _groups_of(cls)
    return _KNOWN[cls]


def _groups_of(cls: type[Block]) -> dict[str, Group]:
    discrete = [s for s in cls.declared_states.values() if s.discrete]
    continuous = [s for s in cls.declared_states.values() if not s.discrete]
    found = {
        "u": _ports(cls, "u", "input_ports", [_port(p) for p in cls.declared_inputs.values()]),
        "y": _ports(cls, "y", "output_ports", [_port(p) for p in cls.declared_outputs.values()]),
        "p": _group("p", Form.POINTERS, [_parameter(p) for p in _parameters(cls)]),
        "w": _laid_out(cls, "w", [_derived(item) for item in cls.derived_constants.values()]),
        "x": _laid_out(cls, "x", [_state(s) for s in continuous]),
        "z": _laid_out(cls, "z", [_state(s) for s in discrete]),
        "g": _laid_out(cls, "g", [_derived(item) for item in cls.crossings.values()]),
        "n": _sizes(cls),
    }
    found |= {letter: Group(letter, Form.RAW) for letter in cls.by_number}
    found["dx"] = Group("dx", found["x"].form, found["x"].members)
    return {letter: found[letter] for letter in LETTERS}


def _parameters(cls: type[Block]) -> Iterable[Parameter]:
    """Of an abstract class those that it declares: a subclass has more before those of sampling and initial values."""
    if kernels_of(cls):
        return cls.all_parameters().values()
    return [p for name, p in cls.parameters.items() if isinstance(inspect.getattr_static(cls, name, None), Parameter)]


def _port(port) -> Member:  # type: ignore[no-untyped-def]
    return Member(port.name, port.signal.shape, port.signal.unit, port.doc, port.when is not None)


def _parameter(parameter: Parameter) -> Member:
    return Member(parameter.name, parameter.shape, parameter.unit, parameter.doc)


def _state(state) -> Member:  # type: ignore[no-untyped-def]
    return Member(state.name, state.signal.shape, state.signal.unit, state.doc, state.when is not None)


def _derived(item) -> Member:  # type: ignore[no-untyped-def]
    return Member(item.name, item.shape, item.unit, item.doc, item.when is not None)


def overrides(cls: type[Block], name: str) -> bool:
    """Whether a class answers something itself that others leave to `Block`."""
    return inspect.getattr_static(cls, name) is not inspect.getattr_static(Block, name)


def _group(letter: str, form: Form, members: list[Member]) -> Group:
    return Group(letter, form if members else Form.EMPTY, tuple(members))


def _ports(cls: type[Block], letter: str, ports: str, members: list[Member]) -> Group:
    """Raw where an instance makes ports that are not declared."""
    if not members and overrides(cls, ports):
        return Group(letter, Form.RAW)
    return _group(letter, Form.POINTERS, members)


def _sizes(cls: type[Block]) -> Group:
    if overrides(cls, "kernel_sizes"):
        return Group("n", Form.RAW)
    return _group("n", Form.NUMBERS, [Member(name) for name in cls.sizes])


def _laid_out(cls: type[Block], letter: str, members: list[Member]) -> Group:
    """Members one after the other. What an instance may leave out comes last, or else there are no names for places."""
    conditional = [member.conditional for member in members]
    if conditional != sorted(conditional):
        return Group(letter, Form.RAW)
    unknown = [member for member in members if _unknown_sizes(cls, member)]
    if unknown and unknown != members[-1:]:
        return Group(letter, Form.RAW)
    fixed = all(member.is_fixed for member in members)
    return _group(letter, Form.ARRAYS if fixed else Form.COMPUTED, members)


def _unknown_sizes(cls: type[Block], member: Member) -> list[str]:
    try:
        return [name for dimension in member.shape for name in names_in(dimension) if name not in cls.sizes]
    except DeclarationError as problem:
        raise ViewError(f"{cls.__name__}.{member.name}: {problem}") from None


def constants_of(cls: type[Block]) -> list[tuple[str, list[str]]]:
    """Enumerations for what a class itself declares, choices of parameters and others: what for, and names in order."""
    found = []
    for parameter in cls.parameters.values():
        if parameter.choices and vars(cls).get(parameter.name) is parameter:
            names = [_constant(cls, parameter.name, choice) for choice in parameter.choices]
            found.append((f"{title(cls)}.{parameter.name}", names))
    for about, words in vars(cls).get("enumerations", {}).items():
        found.append((f"{title(cls)}.{about}", [_constant(cls, about, word) for word in words]))
    return found


def _constant(cls: type[Block], of: str, choice: str) -> str:
    return re.sub(r"\W", "_", f"{snake(cls)}_{of}_{_RELATIONS.get(choice, choice)}").upper()


_RELATIONS = {
    "<": "less", "<=": "less_equal", "==": "equal", "!=": "not_equal", ">=": "greater_equal", ">": "greater",
}  # fmt: skip
"""Choices that are signs, in words."""
