"""A sea that grows, or abates, and veers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from blocks.basic.common import check_increasing
from blocks.block import Block, Sizes
from blocks.environment.sea import MOST_COMPONENTS, ROWS, depth, gravity
from blocks.errors import ParameterError
from blocks.model.declare import Output, Parameter
from blocks.model.dependence import TIME, Pattern, Sources, matrix
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.problems import Problem
from blocks.signal import Waves


class EvolvingSea(Block):
    """A sea whose height, period and direction change over hours, as a wind sea grows and veers: a schedule.

    ζ(x, y, t) = Σ a_ij(t) cos(k_north x + k_east y - ω_ij t + ε_ij)
    ½ a_ij² = (H_s(t)²/16) e_i d_j,  e_i = ∫_i S df/∫ S df,  d_j = ∫_j D dθ/∫ D dθ

    S, D: JONSWAP's spectrum and cos^2s spreading of this moment, with the peak period T_p(t) and the mean direction
    μ(t); i, j: bands of frequency and of direction; H_s: `significant_height`, m, T_p: `peak_period`, s, μ:
    `direction` that the waves travel **to**, from north, clockwise, rad, each m, at `times`, s, straight in between and
    held before and after; γ: `peakedness`, or with `peak_enhancement="dnv"` that of H_s(t) and T_p(t), see
    `JonswapSea`; s: `spreading`. `waves`, 7×n, n = `frequencies` · `directions`, is that of every sea, see
    `IrregularSea`, but its amplitudes change.

    **Why amplitudes.** Each component keeps its frequency, its wave number and its phase, and energy goes from one to
    the other: an evolutionary spectrum. At each instant Σ ½ a² is H_s²/16 to rounding, so that heights over seeds, or
    over times that are long beside the waves and short beside the schedule, have the statistics of that sea. Were the
    frequencies to change instead, phases ω t would run off with t, and with directions k·x far from the origin.

    Bands cover what the schedule needs: frequencies from `lower_limit`/max T_p to `upper_limit`/min T_p, each band the
    same factor wide, directions from the least to the greatest and as far as the spreading goes to both sides, at most
    a turn. Within its band the `seed` draws frequency and direction of each component.

    Directions are taken as numbers: past north go on counting, from 350° to 370°, or down to -10°.

    The sea changes everywhere at once: fronts, fetch and the travel of swell are not in it.

    Raises ParameterError if times do not increase, a height is negative, a period not positive, another number is out
    of range, or the direction changes and there is but one band of it.

    Source: Priestley (1965), Evolutionary spectra and non-stationary processes, J. Royal Statistical Society B 27;
    spectrum and spreading as of `JonswapSea`.
    """

    examples = variants(
        {
            "times": [0.0, 2.0, 5.0],
            "significant_height": [0.5, 1.5, 1.0],
            "peak_period": [3.0, 5.0, 4.0],
            "direction": [0.7, 0.9, 1.4],
            "frequencies": 4,
            "directions": 3,
            "seed": 7,
            "depth": 8.0,
        },
        {"peak_enhancement": "dnv", "spreading": 4.0},
    )

    kernel = "evolving_sea"
    sizes: ClassVar[tuple[str, ...]] = ("n", "m", "frequencies", "directions")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}
    uses_time = True

    waves = Output(Waves, "a column per component: ω, k_north, k_east, k, a, ε, e^(-2kh)", feedthrough=False)
    times = Parameter(shape=("m",), unit="s", doc="increasing times of the schedule")
    significant_height = Parameter(shape=("m",), unit="m", at_least=0.0, doc="H_s at these times")
    peak_period = Parameter(shape=("m",), unit="s", above=0.0, doc="T_p at these times")
    direction = Parameter(0.0, shape=("m",), unit="rad", doc="μ at these times, from north, clockwise")
    peakedness = Parameter(3.3, at_least=1.0, at_most=100.0, doc="γ, height of the peak over that without it")
    peak_enhancement = Parameter("given", choices=("given", "dnv"), doc="γ: the peakedness, or DNV's rule")
    spreading = Parameter(1.0, at_least=0.0, at_most=1000.0, doc="s of cos^2s: the greater, the longer the crests")
    frequencies = Parameter(
        30, integer=True, at_least=2, at_most=1000, structural=True, doc="number of bands of frequency"
    )
    directions = Parameter(
        12, integer=True, at_least=1, at_most=360, structural=True, doc="number of bands of direction; 1: long crests"
    )
    seed = Parameter(0, integer=True, at_least=0, at_most=4294967295, doc="which of 2³² independent realisations")
    depth = depth()
    gravity = gravity()
    lower_limit = Parameter(0.652, at_least=0.05, below=1.0, doc="lowest frequency over the lowest peak frequency")
    upper_limit = Parameter(5.946, above=1.0, at_most=100.0, doc="highest frequency over the highest peak frequency")

    components = Derived("the waves, of no height", shape=(len(ROWS), "n"), unit=None)
    bands = Derived("of frequency: edges and middles, Hz", shape=("2*frequencies+1",), unit="Hz")
    sectors = Derived("of direction: edges and middles", shape=("2*directions+1",), unit="rad")

    def known_sizes(self) -> dict[str, int]:
        """How many components there are follows from the numbers of bands."""
        own = {"n": self.frequencies * self.directions, "frequencies": self.frequencies, "directions": self.directions}
        return super().known_sizes() | own

    def validate(self) -> None:
        """A schedule over increasing times, and bands enough."""
        check_increasing(self, "times", at_least=2)
        if self.frequencies * self.directions > MOST_COMPONENTS:
            raise ParameterError(
                f"{self._called()}.frequencies times directions must be ≤ {MOST_COMPONENTS}, not {self.frequencies} · "
                f"{self.directions} = {self.frequencies * self.directions}"
            )
        if self.directions == 1 and np.ptp(self.direction) > 0.0:
            raise ParameterError(
                f"{self._called()}.directions must be 2 or more where the direction changes, here from "
                f"{np.degrees(np.min(self.direction)):g} to {np.degrees(np.max(self.direction)):g} deg: long crests "
                f"keep their direction, and energy goes from one direction to another"
            )

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Row by row."""
        every: dict[str, tuple[str, ...]] = {
            TIME: ("amplitude",),
            "times": ("amplitude",),
            "significant_height": ("amplitude",),
            "peakedness": ("amplitude",),
            "peak_enhancement": ("amplitude",),
            "peak_period": ("omega", "k_north", "k_east", "k", "bottom", "amplitude"),
            "lower_limit": ("omega", "k_north", "k_east", "k", "bottom", "amplitude"),
            "upper_limit": ("omega", "k_north", "k_east", "k", "bottom", "amplitude"),
            "seed": ("omega", "k_north", "k_east", "k", "bottom", "phase"),
            "depth": ("k_north", "k_east", "k", "bottom"),
            "gravity": ("k_north", "k_east", "k", "bottom"),
            "direction": ("k_north", "k_east"),
        }
        if self.directions > 1:
            every |= {
                "direction": ("k_north", "k_east", "amplitude"),
                "spreading": ("k_north", "k_east", "amplitude"),
            }
        found: dict[str, Pattern] = {}
        for name, rows in every.items():
            found[name] = matrix(np.repeat([[row in rows] for row in ROWS], sizes["n"], axis=0))
        return found

    def improbable(self) -> Iterator[Problem]:
        """A direction that goes the long way round, and bands of direction that are wider than the spreading."""
        yield from super().improbable()
        turns = np.abs(np.diff(np.broadcast_to(self.direction, np.shape(self.times))))
        if np.any(turns > np.pi):
            k = int(np.argmax(turns))
            before, after = (float(v) for v in np.degrees(self.direction[k : k + 2]))
            yield Problem(
                "warning",
                "improbable-value",
                f"{self.path}.direction goes from {before:g} to {after:g} deg, more than half a turn",
                hint=f"the short way is to {before + (after - before + 180.0) % 360.0 - 180.0:g} deg",
                block=self.path,
                parameter="direction",
            )
