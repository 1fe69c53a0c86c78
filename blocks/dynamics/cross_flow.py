"""What blocks with cross-flow drag by strips share: parameters that a hull has once, or strip by strip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.model.declare import REQUIRED, Parameter
from blocks.problems import Problem

STRIPS = "strips"
"""The size: how many strips of equal length there are, from aft to fore."""


class StripParameter(Parameter):
    """A number for the whole hull, or a list with one for each strip, from aft to fore."""

    def _check_shape(self, array: NDArray[np.float64], where: str) -> None:
        if array.ndim:
            super()._check_shape(array, where)

    def form(self) -> str:
        """What a value looks like, in words."""
        unit = f" in {self.unit}" if self.unit != "1" else ""
        return f"a number{unit}, or a list with one for each strip from aft to fore"


def strip_parameter(doc: str, *, unit: str = "1", default: Any = REQUIRED) -> StripParameter:
    """Declare one: none of them is negative."""
    return StripParameter(default, shape=(STRIPS,), unit=unit, at_least=0.0, doc=doc)


def incomplete_cross_flow(block: Any, planes: tuple[tuple[str, str], ...]) -> Iterator[Problem]:
    """A warning if a vessel is given a part of what cross-flow drag takes, from which nothing follows.

    planes: the width and the coefficient that go together.
    """
    given = {name: np.asarray(block.values[f"cross_flow_{name}"]) for plane in planes for name in plane}
    if not block.cross_flow_length:
        name = next((name for name, value in given.items() if np.any(value)), "")
        if not name:
            return
        message = f"{block.path}.cross_flow_{name} is given and cross_flow_length is not"
        hint = "without the length over which the strips lie, in m, there is no cross-flow drag"
        parameter = f"cross_flow_{name}"
    elif any(np.any(given[a] * given[b]) for a, b in planes):
        return
    else:
        message = f"{block.path}.cross_flow_length is {block.cross_flow_length:g} m and no drag follows from it"
        hint = f"give {' or '.join(f'cross_flow_{a} with cross_flow_{b}' for a, b in planes)}"
        parameter = "cross_flow_length"
    yield Problem("warning", "no-cross-flow", message, hint=hint, block=block.path, parameter=parameter)
