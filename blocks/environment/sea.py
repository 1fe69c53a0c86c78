"""What all irregular seas share: waves that stand for the bands of a spectrum, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Output, Parameter
from blocks.model.dependence import Pattern, Sources, matrix
from blocks.model.derived import Derived, number
from blocks.model.examples import Example
from blocks.model.improbable import doubtful
from blocks.problems import Problem
from blocks.signal import Waves

__all__ = ["IrregularSea"]

ROWS = ("omega", "k_north", "k_east", "k", "amplitude", "phase", "bottom")
"""The rows of `waves`."""

NODES, RAYS = 513, 129
"""Points of the table of a spectrum, and of the spreading: as in sea.pxd."""

MOST_COMPONENTS = 1_000_000

_BREAKING = 0.1
"""Steepness S_p that no sea has."""
_NUMBER = ("k_north", "k_east", "k", "bottom")


def waves_output() -> Output:
    """The port of a sea."""
    return Output(Waves, "a column per component: ω, k_north, k_east, k, a, ε, e^(-2kh)", feedthrough=False)


def depth() -> Parameter:
    """Depth of the water."""
    return Parameter(NO_LIMIT, unit="m", above=0.0, doc="h, of the water, which is deep unless this is given")


def gravity() -> Parameter:
    """Gravity, of the dispersion."""
    return Parameter(9.81, unit="m/s^2", above=0.0, doc="g")


def wave_sources(found: dict[str, set[str]], components: int) -> Sources:
    """Which rows of `waves` depend on which parameter, as patterns."""
    patterns: dict[str, Pattern] = {}
    for name, rows in found.items():
        patterns[name] = matrix(np.repeat([[row in rows] for row in ROWS], components, axis=0))
    return patterns


@dataclass(frozen=True)
class SeaTables:
    """Spectrum and spreading of a sea as its kernel has them: densities at points, straight in between."""

    frequencies: NDArray[np.float64]
    """f, Hz."""
    densities: NDArray[np.float64]
    """S(f), m²/Hz; its integral is H_s²/16."""
    directions: NDArray[np.float64]
    """θ, from the mean direction, clockwise, rad."""
    spreading: NDArray[np.float64]
    """D(θ), 1/rad; its integral is 1."""


@dataclass(frozen=True)
class SeaParameters:
    """The parameters that the height of a sea, its peak frequency, and the form of its spectrum follow from."""

    height: tuple[str, ...]
    peak: tuple[str, ...]
    shape: tuple[str, ...]

    def sources(self, components: int, directions: int) -> Sources:
        """What `waves` depends on, row by row. Amplitudes follow from the form where bands are of equal step."""
        found: dict[str, set[str]] = {}

        def add(names: tuple[str, ...], *rows: str) -> None:
            for name in names:
                found.setdefault(name, set()).update(rows)

        add((*self.peak, *self.shape, "bands", "placement", "seed"), "omega", *_NUMBER)
        add((*self.height, *self.shape, "bands"), "amplitude")
        add(("depth", "gravity"), *_NUMBER)
        add(("direction",), "k_north", "k_east")
        add(("seed",), "phase")
        if directions > 1:
            add(("spreading",), "k_north", "k_east", "amplitude")
        return wave_sources(found, components)

    def numbers(self) -> tuple[CalculatedParameter, CalculatedParameter, CalculatedParameter, CalculatedParameter]:
        """Mean period, zero-crossing period, steepness and repetition period."""
        placed = tuple(dict.fromkeys((*self.peak, *self.shape, "bands", "placement", "seed", "spreading")))
        return (
            _number("s", "T_1 = m_0/m_1, mean period of the components", placed),
            _number("s", "T_z = √(m_0/m_2), zero-crossing period of the components", placed),
            _number(
                "1", "S_p = 2π H_s/(g T_p²), steepness", tuple(dict.fromkeys((*self.height, *self.peak, "gravity")))
            ),
            _number("s", "when the envelope of the waves begins anew; 1e300: never", placed),
        )

    def height_number(self) -> CalculatedParameter:
        """Significant height, where it is no parameter."""
        return _number("m", "H_s = 4 √m_0, significant height", self.height)

    def peak_number(self) -> CalculatedParameter:
        """Peak period, where it is no parameter."""
        return _number("s", "T_p, peak period", self.peak)


def _number(unit: str, doc: str, depends: tuple[str, ...]) -> CalculatedParameter:
    return CalculatedParameter(unit=unit, doc=doc, depends=depends)


class IrregularSea(Block, abstract=True):
    """The base of all irregular seas: a spectrum S(f) and a spreading D(θ) as a sum of regular waves.

    ζ(x, y, t) = Σ a cos(k_north x + k_east y - ω t + ε),  ½ a² = ∫ S df ∫ D dθ over the band of the component
    D(θ) = C cos^2s θ, |θ| < π/2,  ω² = g k tanh kh

    ζ: elevation, positive up, m; (k_north, k_east) = k (cos μ, sin μ): wave number, rad/m, where μ is the direction
    that the component travels **to**, from north, clockwise, rad, and θ = μ - `direction`; s: `spreading`; h: `depth`,
    m; g: `gravity`, m/s²; ε: phase, uniform on (0, 2π), drawn by the `seed`. `waves`, 7×n: a column per component with
    ω, k_north, k_east, k, a, ε and e^(-2kh), which is 0 in deep water; n = `frequencies` · `directions`, those of one
    band of frequency side by side.

    **Bands** are of equal energy (`bands="equal-area"`), in frequency as in direction, or of equal width
    ("equal-step"). All energy is in them: 4 √(Σ a²/2) is H_s to rounding for any number of components, and what the
    spectrum has beyond its limits goes to all of them by one common factor.

    S, unless it is a table itself, is taken as straight between 513 frequencies, each the same factor above the one
    before, and D between 129 directions of equal distance, up to where it falls below 2e-16 of its greatest value.

    **Placement.** Within its band a component stands at a frequency and a direction that the `seed` draws by the
    energy there (`placement="drawn"`), so that no two have the same frequency and spectral moments are right on the
    average of seeds; or in the "middle": by energy in bands of equal area, by width in those of equal step, which then
    begin anew after `repetition_period` = 1/Δf.

    Equal seeds give equal seas, whatever the block is called.

    Raises ParameterError if a number is out of range or there are more than a million components.

    Source: Faltinsen (1990), Sea Loads on Ships and Offshore Structures, ch. 2; DNV-RP-C205 (2010), sec. 3.3 and 3.5;
    random numbers: Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, Proc. SC11.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        {"frequencies": 2, "directions": 2, "direction": 0.7, "seed": 7, "depth": 3.0},
    )

    sizes: ClassVar[tuple[str, ...]] = ("n",)
    follows: ClassVar[SeaParameters]

    waves = waves_output()
    frequencies = Parameter(
        25, integer=True, at_least=1, at_most=10_000, structural=True, doc="number of bands of frequency"
    )
    directions = Parameter(
        3, integer=True, at_least=1, at_most=1000, structural=True, doc="number of bands of direction; 1: long crests"
    )
    direction = Parameter(0.0, unit="rad", doc="mean direction that the waves travel to, from north, clockwise")
    spreading = Parameter(1.0, at_least=0.0, at_most=1000.0, doc="s of cos^2s: the greater, the longer the crests")
    bands = Parameter("equal-area", choices=("equal-area", "equal-step"), doc="bands of equal energy or equal width")
    placement = Parameter("drawn", choices=("drawn", "middle"), doc="where in its band a component stands")
    seed = Parameter(0, integer=True, at_least=0, at_most=4294967295, doc="which of 2³² independent realisations")
    depth = depth()
    gravity = gravity()

    mean_period = Derived("T_1", unit="s")
    zero_crossing_period = Derived("T_z", unit="s")
    steepness = Derived("S_p")
    repetition_period = Derived("1e300: never", unit="s")
    components = Derived("the waves, as they go out", shape=(len(ROWS), "n"), unit=None)
    spectrum = Derived("f, S(f) and its integral up to there", shape=(3, NODES), unit=None)
    rays = Derived("θ, D(θ) and its integral up to there", shape=(3, RAYS), unit=None)

    def known_sizes(self) -> dict[str, int]:
        """How many components there are follows from the numbers of bands."""
        return super().known_sizes() | {"n": self.frequencies * self.directions}

    def validate(self) -> None:
        """As many components as memory can be expected to hold."""
        if self.frequencies * self.directions > MOST_COMPONENTS:
            raise ParameterError(
                f"{self._called()}.frequencies times directions must be ≤ {MOST_COMPONENTS}, not {self.frequencies} · "
                f"{self.directions} = {self.frequencies * self.directions}"
            )

    def improbable(self) -> Iterator[Problem]:
        """Waves that would break."""
        yield from super().improbable()
        if self.steepness > _BREAKING:
            yield doubtful(
                self,
                self.follows.height[0],
                f" gives a steepness 2π H_s/(g T_p²) of {self.steepness:.2g}, and waves break before that: seas stay "
                f"below about 1/15 (DNV-RP-C205, 3.5.5)",
                "a lower height or a longer period",
            )

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Row by row."""
        return self.follows.sources(sizes["n"], self.directions)

    def tables(self) -> SeaTables:
        """Spectrum and spreading as the kernel has them."""
        from blocks.plan import make_plan

        plan = make_plan(self)
        (sizes,) = plan.flat.sizes.values()
        engine = plan.engine()
        engine.initialise(0.0)

        def table(name: str) -> NDArray[np.float64]:
            start = plan.regions.work + self.derived_place(name, sizes)
            shape = [number(dimension, sizes) for dimension in self.derived_constants[name].shape]
            found: NDArray[np.float64] = engine.values[start : start + math.prod(shape)].reshape(shape).copy()
            return found

        f, s, _ = table("spectrum")
        theta, d, _ = table("rays")
        return SeaTables(f, s, theta, d)


class PeakedSea(IrregularSea, abstract=True):
    """The base of irregular seas with a parametric spectrum, which is cut off at multiples of its peak frequency.

    f_lower = `lower_limit` f_p,  f_upper = `upper_limit` f_p

    With the limits as they are, a thousandth of the energy of Pierson and Moskowitz's spectrum is cut off on each side.

    Definition: of this library; the limits are those of Thomas, Bossens and Tarapore (2021), ASVLite.
    """

    lower_limit = Parameter(0.652, at_least=0.05, below=1.0, doc="lowest frequency over the peak frequency")
    upper_limit = Parameter(5.946, above=1.0, at_most=100.0, doc="highest frequency over the peak frequency")
