"""Designs: where in the space of the sampled factors a study has its members.

Factors with levels are crossed: each combination of levels is run, in a sampled design at every sample.
"""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from blocks.study.errors import StudyError


class Design:
    """The base of all designs. `count` is how many samples there are; 0: none, a grid of levels."""

    name: ClassVar[str] = ""
    count: int = 0

    def shares(self, dimensions: int, seed: int) -> NDArray[np.float64]:
        """Points in the open unit cube, a row for each sample, equal for equal seeds."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.count or ''})"


class Grid(Design):
    """Each combination of levels."""

    name = "grid"

    def shares(self, dimensions: int, seed: int) -> NDArray[np.float64]:
        """None."""
        return np.zeros((0, dimensions))


class _Sampled(Design):
    def __init__(self, count: int) -> None:
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise StudyError(f"{type(self).__name__} needs a whole number of samples ≥ 1, not {count!r}")
        self.count = int(count)

    def shares(self, dimensions: int, seed: int) -> NDArray[np.float64]:
        """Points in the open unit cube."""
        points = np.asarray(self._points(dimensions, np.random.default_rng(np.random.SeedSequence(seed))))
        inside: NDArray[np.float64] = np.clip(points, 2.0**-54, 1.0 - 2.0**-53)  # quantiles of 0 and 1 may be infinite
        return inside

    def _points(self, dimensions: int, generator: np.random.Generator) -> Any:
        raise NotImplementedError


class Random(_Sampled):
    """Independent samples: plain Monte Carlo."""

    name = "random"

    def _points(self, dimensions: int, generator: np.random.Generator) -> Any:
        return generator.random((self.count, dimensions))


class LatinHypercube(_Sampled):
    """One sample in each of `count` equal slices of every factor.

    Source: McKay, Beckman and Conover (1979), A comparison of three methods for selecting values of input variables in
    the analysis of output from a computer code, Technometrics 21(2); by scipy.stats.qmc.
    """

    name = "latin_hypercube"

    def _points(self, dimensions: int, generator: np.random.Generator) -> Any:
        from scipy.stats import qmc

        return qmc.LatinHypercube(dimensions, rng=generator).random(self.count)


class Sobol(_Sampled):
    """A scrambled sequence of low discrepancy; best balanced where `count` is a power of two.

    Source: Sobol' (1967), scrambled after Owen (1998); by scipy.stats.qmc.
    """

    name = "sobol"

    def _points(self, dimensions: int, generator: np.random.Generator) -> Any:
        from scipy.stats import qmc

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # said above: other numbers are balanced less well, not wrong
            return qmc.Sobol(dimensions, rng=generator).random(self.count)


DESIGNS: dict[str, type[Design]] = {cls.name: cls for cls in (Grid, Random, LatinHypercube, Sobol)}
"""By the names that study files use."""
