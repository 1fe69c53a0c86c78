"""Sizes that follow from how long a block's parameters are, and what is said if these disagree."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from blocks.errors import ParameterError
from blocks.model.declare import Parameter, Value


def sizes_of(parameters: Mapping[str, Parameter], values: Mapping[str, Value], called: str) -> dict[str, int]:
    """The sizes that parameters share by name, such as "n". `called` is the block in messages.

    Raises ParameterError if two parameters disagree.
    """
    found: dict[str, dict[str, int]] = {}
    for name, parameter in parameters.items():
        if not parameter.shape or name not in values:
            continue
        shape = np.shape(values[name])
        for dimension, number in zip(parameter.shape, shape, strict=False):
            if isinstance(dimension, str) and found.setdefault(dimension, {}).setdefault(name, number) != number:
                raise ParameterError(
                    f"{called}.{name} must be an array of {'×'.join(map(str, parameter.shape))}, "
                    f"not of {'×'.join(map(str, shape))}"
                )
    for numbers in found.values():
        if len(set(numbers.values())) > 1:
            first, second = _disagreeing(numbers, {name: np.ndim(values[name]) for name in numbers})
            raise ParameterError(
                f"{called}.{first} has {numbers[first]} entries, {second} has {numbers[second]}: "
                f"they must have the same number"
            )
    return {dimension: next(iter(numbers.values())) for dimension, numbers in found.items()}


def _disagreeing(numbers: Mapping[str, int], ranks: Mapping[str, int]) -> list[str]:
    """Two parameters to name, in order: one whose number fewest share, and another of its kind that contradicts it."""
    counts = list(numbers.values())
    odd = min(reversed(list(numbers)), key=lambda name: counts.count(numbers[name]))
    others = [name for name in numbers if numbers[name] != numbers[odd]]
    partner = min(others, key=lambda name: ranks[name] != ranks[odd])
    return [name for name in numbers if name in (odd, partner)]
