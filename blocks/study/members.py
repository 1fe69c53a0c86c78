"""The members of a study, numbered row by row: levels of the crossed factors, then samples, then replicates."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from blocks.study.design import Design
from blocks.study.distribution import frozen, quantiles
from blocks.study.errors import StudyError
from blocks.study.factor import NamedFactor

SAMPLE, REPLICATE = "sample", "replicate"

MOST = 20_000_000
"""Members of a study: each has a row in memory, and text in tables."""


class Members:
    """How many there are, and which level of each factor each of them has.

    `dimensions` names the axes along which results are laid out, and how long they are.
    """

    def __init__(self, factors: list[NamedFactor], design: Design, replicates: int, seed: int) -> None:
        self.factors = factors
        self.replicates = replicates
        sampled = [factor for factor in factors if factor.sampled]
        if sampled and not design.count:
            raise StudyError(
                f"factor '{sampled[0].name}' is a distribution, which a grid cannot go through: give levels, or a "
                f"design=LatinHypercube(100), Sobol(128) or Random(100)"
            )
        if design.count and not sampled:
            raise StudyError(
                f"{design!r} samples factors that are distributions, but none is: give one, such as Uniform(0, 1), or "
                f"leave the design to go through all levels"
            )
        self.dimensions: dict[str, int] = {factor.name: len(factor.levels) for factor in factors if not factor.sampled}
        self.samples = design.count
        if self.samples:
            self.dimensions[SAMPLE] = design.count
        if replicates > 1:
            self.dimensions[REPLICATE] = replicates
        self.shape = tuple(self.dimensions.values())
        self.count = math.prod(self.shape)
        if self.count > MOST:
            along = " × ".join(f"{count:,} {name}" for name, count in self.dimensions.items())
            raise StudyError(
                f"{self.count:,} members, along {along}, are more than a study can have ({MOST:,}): take fewer levels, "
                f"or samples of a design instead of all combinations"
            )
        self._shares = design.shares(len(sampled), seed) if sampled else np.zeros((0, 0))
        self._columns = {factor.name: column for column, factor in enumerate(sampled)}

    def along(self, dimension: str, members: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where members stand along a dimension; 0 where there is no such dimension."""
        if dimension not in self.dimensions:
            return np.zeros(len(members), dtype=np.int64)
        axis = list(self.dimensions).index(dimension)
        return np.asarray(np.unravel_index(members, self.shape)[axis], dtype=np.int64)

    def values(self, factor: NamedFactor, unit: str | None) -> NDArray[np.float64]:
        """The value of a factor with a distribution at each sample."""
        where = f"factor '{factor.name}'"
        distribution = frozen(factor.distribution, unit, where)
        assert distribution is not None
        return quantiles(distribution, self._shares[:, self._columns[factor.name]], where)

    def choice(self, factor: NamedFactor) -> NDArray[np.int64]:
        """The level of a factor with a `Choice` at each sample."""
        count = len(factor.levels)
        shares = self._shares[:, self._columns[factor.name]]
        return np.minimum((shares * count).astype(np.int64), count - 1)

    def codes(self, factor: NamedFactor, members: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which level of a factor members have, or for a distribution which sample."""
        if not factor.sampled:
            return self.along(factor.name, members)
        sample = self.along(SAMPLE, members)
        return self.choice(factor)[sample] if factor.chosen else sample
