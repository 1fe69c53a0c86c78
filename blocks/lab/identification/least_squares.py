"""The least squares of identification: weighted residuals of replays over what is unknown."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.log import Array
from blocks.lab.identification.replay import LARGEST, Replay

_FAILED_RESIDUAL = 1e6
"""The residual of a replay that fails, or gives what has no squares."""
_STEP = 1e-5


@dataclass(frozen=True)
class Unknown:
    """A number that is fitted: a parameter, what is found beside them, or an initial value of one replay."""

    name: str
    unit: str
    places: tuple[int | None, ...]
    """In the plan of each replay."""
    start: float
    low: float
    high: float
    scale: float
    prior: tuple[float, float] | None = None
    is_initial: bool = False


class Problem:
    """Weighted residuals over unknowns in units of their scales."""

    def __init__(self, replays: list[Replay], unknowns: list[Unknown], sigma: Array, pool: ThreadPoolExecutor) -> None:
        self.replays, self.unknowns, self.sigma, self.pool = replays, unknowns, sigma, pool
        self.scales = np.array([one.scale for one in unknowns])
        self.low = np.array([one.low for one in unknowns]) / self.scales
        self.high = np.array([one.high for one in unknowns]) / self.scales
        self.begin = np.array([one.start for one in unknowns]) / self.scales
        self.rows = sum(replay.measured.size for replay in replays)
        self.places = [
            [(k, one.places[number]) for k, one in enumerate(unknowns) if one.places[number] is not None]
            for number in range(len(replays))
        ]

    def outputs(self, w: Array) -> list[Array | None]:
        """Of each replay; None where it fails. Replays are independent, and run side by side."""
        return list(self.pool.map(lambda number: self._output(number, w), range(len(self.replays))))

    def _output(self, number: int, w: Array) -> Array | None:
        pairs = self.places[number]
        which = np.array([k for k, _ in pairs], dtype=np.intp)
        where = np.array([place for _, place in pairs], dtype=np.float64)
        return self.replays[number].run(where, (w * self.scales)[which])

    def _residual(self, number: int, found: Array | None) -> Array:
        replay = self.replays[number]
        if found is None:
            return np.full(replay.measured.size, _FAILED_RESIDUAL)
        weighted = self._weighted(replay, found)
        if not np.max(np.abs(weighted)) < LARGEST:
            return np.full(replay.measured.size, _FAILED_RESIDUAL)
        return np.asarray(weighted.reshape(-1))

    def _weighted(self, replay: Replay, found: Array) -> Array:
        left = replay.residuals(found)
        return np.asarray(left / np.maximum(self.sigma, np.abs(left) / (2.0 * LARGEST)))  # which does not overflow

    def residuals(self, w: Array) -> Array:
        parts = [self._residual(number, found) for number, found in enumerate(self.outputs(w))]
        for k, one in enumerate(self.unknowns):
            if one.prior is not None:
                parts.append(np.array([(w[k] * self.scales[k] - one.prior[0]) / one.prior[1]]))
        return np.concatenate(parts)

    def jacobian(self, w: Array) -> Array:
        """By central differences; a replay is run again for the unknowns that it depends on only."""

        def block(number: int) -> Array:
            made = np.zeros((self.replays[number].measured.size, len(w)))
            for k, _ in self.places[number]:
                step = _STEP * max(1.0, abs(w[k]))
                sides = []
                for side in (step, -step):
                    moved = w.copy()
                    moved[k] = min(max(w[k] + side, self.low[k]), self.high[k])
                    sides.append((moved[k], self._residual(number, self._output(number, moved))))
                made[:, k] = (sides[0][1] - sides[1][1]) / (sides[0][0] - sides[1][0])
            return made

        rows = list(self.pool.map(block, range(len(self.replays))))
        for k, one in enumerate(self.unknowns):
            if one.prior is not None:
                row = np.zeros((1, len(w)))
                row[0, k] = self.scales[k] / one.prior[1]
                rows.append(row)
        return np.concatenate(rows)

    def solve(self) -> Any:
        found = optimize.least_squares(
            self.residuals, np.clip(self.begin, self.low, self.high), self.jacobian, bounds=(self.low, self.high),
            x_scale="jac", max_nfev=100, xtol=1e-9, ftol=1e-11, gtol=1e-9,
        )  # fmt: skip
        self.begin = found.x
        return found

    def scatter(self, w: Array) -> Array:
        """The root mean square of the residuals of each output."""
        left = np.concatenate(
            [replay.residuals(found) for replay, found in zip(self.replays, self.outputs(w), strict=True)
             if found is not None]
        )  # fmt: skip
        return np.asarray(np.maximum(np.sqrt(np.mean(left**2, axis=0)), 1e-12))

    def deviance(self, w: Array, *, estimated: bool) -> float:
        """-2 ln(likelihood), but for a constant; of noise that is estimated, at its likeliest."""
        outputs = self.outputs(w)
        if any(found is None for found in outputs):
            return _FAILED_RESIDUAL**2 * self.rows
        weighted = self.residuals(w)
        if not estimated:
            return float(weighted @ weighted)
        each = sum(len(replay.time) for replay in self.replays)
        priors = weighted[self.rows :]
        return float(2.0 * each * np.sum(np.log(self.scatter(w))) + priors @ priors)

    def check_start(self) -> None:
        for replay, found in zip(self.replays, self.outputs(self.begin), strict=True):
            if found is None:
                raise IdentificationError(
                    f"the model fails on {replay.log.name} with its present parameters: start from "
                    f"better ones, or take a smaller step (now {replay.step:g} s)"
                )
            largest = np.max(np.abs(self._weighted(replay, found)), axis=0)
            worst = int(np.argmax(largest))
            if not largest[worst] < LARGEST:
                off = np.max(np.abs(replay.residuals(found)[:, worst]))
                raise IdentificationError(
                    f"{replay.log.name}: at the start {replay.outputs[worst].name} is {off:.3g} off, which cannot be "
                    f"weighed with a noise of {self.sigma[worst]:.3g}: give a standard deviation in "
                    f"{replay.outputs[worst].unit}"
                )
