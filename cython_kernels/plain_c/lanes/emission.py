"""The C of a function for several members while it is written."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from cython_kernels.plain_c.lanes.addresses import Followed
from cython_kernels.plain_c.lanes.source import Source
from cython_kernels.plain_c.lanes.structs import Structs
from cython_kernels.plain_c.lanes.types import VOID, NotLaned, T


class Functions(Structs):
    """What a function has to know of the others. attributes: of functions, for the compiler."""

    attributes: dict[str, str]

    @abstractmethod
    def called(self, name: str, arguments: list[T], mask: str | None, seen: bool) -> Emission | str:
        """What is called for these arguments: a variant, or the function of one member where all is one for all.

        mask: None if all members are meant. seen: whether what it stores matters for those that are not.
        """


class Emission:
    """What is known of a function: what its variables are, which members are meant, what has been written.

    mask: the members that are meant, None for all. resumed: for each place where others go on, the variables that they
    will read. needs_mask: whether it matters who is meant; writes: whether only for what others see of its stores;
    branches: whether it asks if anyone is meant. truths: variables that are only ever 0 or 1.
    pending: labels at which members wait. followed: pointers that lead somewhere, whoever is meant.
    """

    def __init__(self, module: Functions, source: Source, name: str, parameters: list[T], masked: bool) -> None:
        self.module, self.source, self.name, self.masked = module, source, name, masked
        self.parameters = list(parameters)
        self.returns = VOID
        self.registers = source.registers
        self.variables: dict[str, T] = {}
        self.needs_mask = self.writes = self.branches = False
        self.truths: set[str] = set()
        self.pending: set[str] = set()
        self.fixed_pointers: set[str] = set()
        self.begin()

    def begin(self) -> None:
        """Write from the beginning."""
        self.mask: str | None = "live" if self.masked else None
        self.lines: list[str] = []
        self.depth = 0
        self.names = 0
        self.uses: set[str] = set()
        self.resumed: list[frozenset[str]] = []
        self.followed = Followed()

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(f"{'    ' * (self.depth + 1)}{text}\n")

    def new_mask(self, text: str) -> str:
        """A mask with a name."""
        self.names += 1
        name = f"m{self.names}_"
        self.line(f"VI {name} = {text};")
        return name

    def mask_text(self) -> str:
        """The members that are meant."""
        return self.mask or "KL_ALL"

    def is_truth(self, name: str) -> bool:
        """Whether a variable is kept as a mask."""
        return name in self.truths and self.variables[name].lane

    def hold_lanes(self, name: str) -> None:
        """Let a local array of whole numbers hold one per member."""
        kind = self.variables.get(name)
        if kind is None or kind.of is None:
            raise NotLaned("whole numbers of one and of all members side by side")
        self.variables[name] = replace(kind, of=self.module.in_memory(kind.of))
