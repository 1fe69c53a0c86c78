"""What all irregular seas share: their components, how the spectrum is cut into bands, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.calculated import CalculatedParameter
from blocks.declare import Output, Parameter
from blocks.dependence import Pattern, Sources, matrix
from blocks.errors import ParameterError
from blocks.signal import Waves

Array = NDArray[np.float64]

ROWS = ("omega", "k_north", "k_east", "k", "amplitude", "phase", "bottom")
"""The rows of `waves`."""

_HEADER, _NODES, _RAYS = 6, 513, 129  # as in cython_kernels/sea.pxd
_PLACED = ("omega", "k_north", "k_east", "k", "bottom")
_ARROW = ("k_north", "k_east")


def waves_output() -> Output:
    """The port of a sea: depends on parameters alone."""
    return Output(Waves, "components: ω, k_north, k_east, k, a, ε and e^(-2kh), one column each", feedthrough=False)


def rows_of(waves: tuple[str, ...], components: int) -> Pattern:
    """Only these rows of `waves` depend on the source."""
    return matrix(np.repeat([[row in waves] for row in ROWS], components, axis=0))


def depth_parameter() -> Parameter:
    """Depth of the water."""
    return Parameter(NO_LIMIT, unit="m", above=0.0, doc="h, of the water; deep unless given")


def gravity_parameter() -> Parameter:
    """Gravity, of the dispersion."""
    return Parameter(9.81, unit="m/s^2", above=0.0, doc="g")


@dataclass(frozen=True)
class SeaTables:
    """Spectrum and spreading of a sea as its kernel has them: densities at points, straight in between."""

    frequencies: Array
    """Hz."""
    densities: Array
    """S, m²/Hz; its integral is H_s²/16."""
    directions: Array
    """From the mean direction, rad."""
    spreading: Array
    """D, 1/rad; its integral is 1."""


def _derived(place: int, unit: str, doc: str, depends: tuple[str, ...]) -> CalculatedParameter:
    return CalculatedParameter(unit=unit, doc=doc, place=lambda sizes: place, depends=depends)


_CUTTING = ("bands", "placement", "seed")


def sea_numbers(height: tuple[str, ...], peak: tuple[str, ...], shape: tuple[str, ...]) -> dict[str, Any]:
    """What follows from the parameters of a sea: those that its height, its peak and its other periods hang on."""
    periods = tuple(dict.fromkeys((*peak, *shape, *_CUTTING, "directions", "spreading")))
    return {
        "peak_period": _derived(1, "s", "T_p, of the peak of the spectrum", peak),
        "mean_period": _derived(2, "s", "T_1 = m_0/m_1 of the components", periods),
        "zero_crossing_period": _derived(3, "s", "T_z = √(m_0/m_2) of the components", periods),
        "steepness": _derived(
            4, "1", "S_p = 2π H_s/(g T_p²)", tuple(dict.fromkeys((*height, *peak, "gravity")))
        ),
    }
