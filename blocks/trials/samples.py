"""Samples: a block with the parameters of one of the examples of its class, as every trial takes them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from blocks.block import Block
from blocks.errors import KeelblocksError
from blocks.plan import Plan, make_plan
from blocks.trials.errors import TrialError

Shape = tuple[int, ...]

_WIDTHS = (None, 3, 4, 6, 8)
"""How many elements an input has whose size nothing decides: as a plan has it, or as many as the block can do with."""


@dataclass(frozen=True)
class Shapes:
    """What a plan of the block alone says of it."""

    inputs: Mapping[str, Shape]
    states: Mapping[str, Shape]
    sizes: Mapping[str, int]
    free: Mapping[str, Shape]
    """Of inputs that had to be said."""


class Sample:
    """Makes one block with the parameters of an example."""

    def __init__(self, block_class: type[Block], parameters: Mapping[str, Any], number: int = 0) -> None:
        self.block_class = block_class
        self.name = block_class.type_name()
        self.parameters = dict(parameters)
        self.number = number

    def __call__(self) -> Block:
        """A fresh one. Raises TrialError if parameters have neither a default nor an example."""
        declared = self.block_class.all_parameters()
        missing = [name for name, p in declared.items() if p.required and name not in self.parameters]
        if missing:
            raise TrialError(
                f"{self.name} has no defaults for {', '.join(missing)}: give the class an example of its parameters, "
                f"examples = ({{{', '.join(f'{name!r}: …' for name in missing)}}},)"
            )
        return self.block_class(**self.parameters)

    @functools.cached_property
    def shapes(self) -> Shapes:
        """Shapes of the inputs and states; a size that nothing decides is 1, or as many as the block can do with."""
        plan, free = plan_alone(self())
        (leaf,) = plan.flat.leaves
        return Shapes(
            {name: place.shape for name, place in plan.inputs.items()},
            {name: plan.flat.shape(leaf, state.signal) for name, state in leaf.states.items()},
            plan.flat.sizes[leaf],
            free,
        )

    def fault(self, what: str) -> TrialError:
        """An error about this sample."""
        return TrialError(f"{self}: {what}", block=self.name)

    def __str__(self) -> str:
        return self.name if self.number == 0 else f"{self.name}, example {self.number + 1}"


def plan_alone(block: Block, first: int | None = None) -> tuple[Plan, Mapping[str, Shape]]:
    """A plan of a block alone, its inputs from outside, and the shapes that had to be said for that.

    first: how many elements inputs are to have whose size nothing decides, if the block can do with that.
    """
    known = block.known_sizes()
    names = [
        name
        for name, port in block.input_ports.items()
        if len(port.signal.shape) == 1 and isinstance(port.signal.shape[0], str) and port.signal.shape[0] not in known
    ]
    problem: KeelblocksError | None = None
    for width in (first, *_WIDTHS[first is None :]):
        free = dict.fromkeys(names, (width,)) if width is not None else {}
        try:
            return make_plan(block.copy(), input_shapes=free), free
        except KeelblocksError as refused:
            problem = problem or refused
            if not names:
                break
    assert problem is not None
    raise problem


_known: WeakKeyDictionary[type[Block], tuple[Sample, ...]] = WeakKeyDictionary()


def samples_of(block_class: type[Block]) -> tuple[Sample, ...]:
    """A sample for each example of a class; one without parameters if it has none."""
    if block_class not in _known:
        chosen = block_class.examples or ({},)
        _known[block_class] = tuple(Sample(block_class, parameters, k) for k, parameters in enumerate(chosen))
    return _known[block_class]
