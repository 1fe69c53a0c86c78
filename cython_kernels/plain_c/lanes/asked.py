"""What the writers of lanes ask of those around them: an expression of its function, a function of its module."""

from __future__ import annotations

from typing import Any, Protocol

from cython_kernels.plain_c.lanes.addresses import Followed
from cython_kernels.plain_c.lanes.reading import Program
from cython_kernels.plain_c.lanes.types import T


class Called(Protocol):
    """A variant of a function that can be called."""

    name: str
    parameters: list[T]
    returns: T
    masked: bool
    needs_mask: bool


class Around(Protocol):
    """What a function asks of the module that it is written for."""

    program: Program
    attributes: dict[str, str]

    def default(self, kind: T) -> T:
        """What a type of one member is for several, as far as nothing else is known."""

    def in_memory(self, kind: T) -> T:
        """The same for what stands in memory."""

    def member(self, struct: str, name: str) -> T:
        """The type of a member of a struct."""

    def make_lane(self, node: Any, variant: Any) -> None:
        """Let a member of a struct be one per member of the ensemble from now on."""

    def struct(self, name: str) -> str:
        """A struct that is read, written or chosen as a whole per member."""

    def called(self, name: str, arguments: list[T], under_mask: bool) -> Called | str:
        """What is called for these arguments: a variant, or the name of the function of one member."""


class Within(Protocol):
    """What an expression asks of the function that it stands in."""

    module: Around
    variables: dict[str, T]
    registers: set[str]
    truths: set[str]
    followed: Followed
    mask: str | None
    needs_mask: bool

    def mask_text(self) -> str:
        """The members that are meant."""

    def is_truth(self, name: str) -> bool:
        """Whether a variable is kept as a mask."""

    def hold_lanes(self, name: str) -> None:
        """Let a local array hold one number per member."""

    def call(self, name: str, arguments: list[Any]) -> Any:
        """A call of another function of the engine."""
