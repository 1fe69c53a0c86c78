"""What a result is of: its blocks and what feeds them, of a diagram or of the plan that ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.plan.flatten import Flat, flatten_as_is
from blocks.run.result import Result


class HasBlocks(Protocol):
    """A diagram, or what is left of it in a plan."""

    def blocks(self) -> Mapping[str, Block]:
        """Every block, by its dotted name."""


@dataclass(frozen=True)
class Flattened:
    """The flattened diagram that a plan was made of."""

    flat: Flat

    def blocks(self) -> Mapping[str, Block]:
        """Every block, by its dotted name."""
        return {leaf.name: leaf.block for leaf in self.flat.leaves}  # type: ignore[misc]


def ran(result: Result) -> Flattened | None:
    """What a result is of, if it still knows."""
    return None if result.ran is None else Flattened(result.ran.plan.flat)


def flat_of(component: HasBlocks) -> Flat:
    """The blocks with what feeds each of their inputs."""
    if isinstance(component, Flattened):
        return component.flat
    assert isinstance(component, Diagram)
    return flatten_as_is(component)[0]
