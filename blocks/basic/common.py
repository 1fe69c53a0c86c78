"""What several of the general blocks share: signal types, numbered ports, and checks of parameters."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from blocks.block import Block, Units
from blocks.errors import ParameterError
from blocks.model.declare import Input
from blocks.signal import AnySignal, Signal
from blocks.unit_products import product

if TYPE_CHECKING:
    from blocks.model.component import PortRef
    from blocks.run.probe import Evaluation

NO_LIMIT = 1e300
"""Default of limits: finite, so that it fits FMI and JSON, and out of reach of any quantity in SI units."""

AnyScalar = Signal("Any scalar")
"""Takes any single quantity."""


class ModeBlock(Block, abstract=True):
    """The base of blocks with a mode: a discrete state that is a function of inputs and continuous states.

    In a run the engine lets modes settle at each major step. An evaluation of such a block alone does the same.
    """

    def evaluate(
        self, t: float = 0.0, states: Mapping[str, ArrayLike] | None = None, **inputs: ArrayLike
    ) -> Evaluation:
        """As `Block.evaluate`, with the mode settled unless it is given among the states."""
        given = dict(states or {})
        before = super().evaluate(t, given, **inputs)
        return super().evaluate(t, before.updated | given, **inputs)


class NumberedPorts:
    """What blocks are whose parameters say how many ports they have: to mypy and editors any name is a port."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> PortRef: ...


@functools.lru_cache
def numbered_inputs(count: int, doc: str) -> Mapping[str, Input]:
    """Inputs in1, in2, … of one common size."""
    names = [f"in{i + 1}" for i in range(count)]
    return MappingProxyType({name: Input(AnySignal, doc, name=name) for name in names})


def check_limits(block: Block, lower: str, upper: str) -> None:
    """Raise ParameterError where the parameter named `lower` exceeds the one named `upper`."""
    low, high = np.broadcast_arrays(np.asarray(block.values[lower]), np.asarray(block.values[upper]))
    bad = np.argwhere(low > high)
    if len(bad):
        index = tuple(int(i) for i in bad[0])
        place = f"[{index[0]}]" if index else ""
        raise ParameterError(
            f"{block._called()}.{lower}{place} must not exceed {upper}{place}: "
            f"{float(low[index]):g} is above {float(high[index]):g}"
        )


def check_increasing(block: Block, name: str, at_least: int) -> None:
    """Raise ParameterError unless the parameter has so many elements or more and each exceeds the one before it."""
    values = np.asarray(block.values[name], dtype=np.float64)
    if values.ndim != 1 or len(values) < at_least:
        wanted = f"at least {at_least} element{'s' * (at_least > 1)}"
        given = f"{len(values)}" if values.ndim else "a single number"
        raise ParameterError(f"{block._called()}.{name} must be an array of {wanted}, not {given}")
    for k, (first, second) in enumerate(pairwise(values)):
        if not second > first:
            raise ParameterError(
                f"{block._called()}.{name} must increase from element to element, "
                f"but [{k}] is {first:g} and [{k + 1}] is {second:g}"
            )


def given_unit(source: Block) -> Units:
    """The unit in which the first of its levels is given that has one, for all elements."""
    unit = next((source.given_units[name] for name in source.levels if name in source.given_units), None)
    return (unit,) if unit else ()


def rate_units(inputs: Mapping[str, Units], power: int) -> Units:
    """The units of the input `u` times a power of the time."""
    return tuple(unit and product((unit, 1), ("s", power)) for unit in inputs["u"])
