"""A way over the lattice becomes few corners, and these are moved until the way is as good as it can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.routes.bends import Bends, Sampling
from blocks.routes.edges import Array
from blocks.routes.search import Sea

_MOST_PAIRS = 200
"""Corners of a way over the lattice among which the best ones are looked for at once."""
_FINEST = 16
"""Legs that a way in a current is divided into, so that it may curve."""
_STRAIGHT = np.radians(0.3)
_NUDGE = 1e-4
"""By which slopes are found, in steps of the lattice."""
_CERTAIN = 300.0
"""Weight of bends that overlap."""
_LITTLE = 2e-4
"""A corner that makes the way better by less than this part of it is left out."""
_TURNING = 2.5
"""Within so many radii of an end with a course no leg is divided."""
_HOPELESS = 1.2
"""A way that is worse than this many times without a corner is not moved to see whether it could do without."""


@dataclass(frozen=True)
class Fit:
    """What a way is moved by: what it costs, how far it is to keep away, `clearance`, m, and how it bends.

    varied: whether the current differs from place to place. per_step: what a step of the lattice costs, about.
    """

    sea: Sea
    bends: Bends
    clearance: float
    varied: bool
    per_step: float = 1.0

    def best(self, way: Array) -> Array:
        """The corners of the best way near that one, n×2."""
        corners = self._fewest(_turns_of(way))
        if not self.varied:
            return self._thinned(self._moved(corners))
        for legs in (_FINEST // 4, _FINEST // 2, _FINEST):
            corners = self._moved(self._divided(corners, legs))
        return self._thinned(corners)

    def again(self, corners: Array) -> Array:
        """The same corners, moved once more: with another clearance than before."""
        return self._moved(corners, (10.0, 100.0))

    def cost(self, corners: Array, weight: float) -> float:
        """Of a way, n×2: with what it comes too near, times a weight, and bends that overlap."""
        return float(self._costs(corners[None], weight, self._sampling(corners)).sum())

    def _costs(self, corners: Array, weight: float, sampling: Sampling) -> Array:
        """Of b ways, b×n×2, for each line, then each arc, then what is spare of each, in the order of `Pieces`."""
        pieces = self.bends.pieces(corners)
        step = self.sea.lattice.step
        samples = sampling.of(pieces, self.bends.radius)
        away, north, east = self.sea.at(samples.place)
        rates = self.sea.passage.rates(samples.course, north, east, soft=True)
        near = np.maximum(self.clearance - away, 0.0) / self.clearance
        paid = (rates.cost + self.per_step * weight * near**2 / step) * samples.length
        counts = np.concatenate([sampling.lines, sampling.arcs[sampling.arcs > 0]])
        summed = np.add.reduceat(paid, np.cumsum(counts) - counts, axis=1)
        if self.bends.radius <= 0.0:
            return np.asarray(summed)
        # not by weight: what a path gains by bends that overlap is no path at all
        lack = np.maximum(1e-2 * step - pieces.spare, 0.0) / step
        return np.hstack([summed, _CERTAIN * self.per_step * lack**2])

    def _moves(self, count: int) -> NDArray[np.intp]:
        """Which inner corner of each colour moves what `_costs` gives, 4×…, -1 for none.

        Corners have four colours in turn. A line depends on the four corners around it, an arc on three, so one of each
        colour at most: the slopes of all corners of a colour are found together.
        """
        lines = [(k - 1, k + 2) for k in range(count - 1)]
        ends = [(1, 1)] if self.bends.start is not None else []
        ends += [(count - 2, count - 2)] if self.bends.goal is not None else []
        arcs = [(k - 1, k + 1) for k in range(1, count - 1)]
        ranges = [*lines, *arcs, *ends, *lines, *ends] if self.bends.radius > 0.0 else lines
        found = np.full((4, len(ranges)), -1, dtype=np.intp)
        for number, (low, high) in enumerate(ranges):
            for k in range(max(low, 1), min(high, count - 2) + 1):
                found[k % 4, number] = k
        return found

    def _sampling(self, corners: Array) -> Sampling:
        step = max(self.sea.lattice.step, 0.5 * self.clearance)
        return Sampling.every(self.bends.pieces(corners[None]), self.bends.radius, step)

    def _fewest(self, corners: Array) -> Array:
        """The best choice among the corners, all legs that are clear between any two considered."""
        while len(corners) > _MOST_PAIRS:
            kept = [corners[0], *self._fewest_of(corners[:_MOST_PAIRS])[1:], *corners[_MOST_PAIRS:]]
            if len(kept) == len(corners):
                break
            corners = np.array(kept)
        return self._fewest_of(corners) if len(corners) <= _MOST_PAIRS else corners

    def _fewest_of(self, corners: Array) -> Array:
        n = len(corners)
        first, last = np.triu_indices(n, 1)
        costs = self.sea.leg_costs(corners[first], corners[last], self.clearance)
        along = (last == first + 1) & ~np.isfinite(costs)  # what the lattice found is there, if only just
        costs[along] = 1e3 * np.hypot(*(corners[last] - corners[first]).T)[along]
        table = np.full((n, n), np.inf)
        table[first, last] = costs * (1.0 + 1e-9)
        best, before = np.full(n, np.inf), np.zeros(n, dtype=int)
        best[0] = 0.0
        for k in range(1, n):
            reached = best[:k] + table[:k, k]
            before[k] = int(np.argmin(reached))
            best[k] = reached[before[k]]
        kept = [n - 1]
        while kept[-1]:
            kept.append(before[kept[-1]])
        return corners[kept[::-1]]

    def _moved(self, corners: Array, weights: tuple[float, ...] = (1.0, 10.0, 100.0), steps: int = 80) -> Array:
        """Corners moved downhill, all at once, with ever more weight on what is too near."""
        from scipy.optimize import minimize

        if len(corners) < 3:
            return corners
        step, moves = self.sea.lattice.step, self._moves(len(corners))
        for weight in weights:
            sampling = self._sampling(corners)

            def slopes(
                flat: Array, like: Array = corners, weight: float = weight, sampling: Sampling = sampling
            ) -> tuple[float, Array]:
                tried = np.repeat(like[None], 9, axis=0)
                tried[:, 1:-1] = step * flat.reshape(-1, 2)
                inner = np.arange(1, len(like) - 1)
                for axis in range(2):
                    tried[1 + 4 * axis + inner % 4, inner, axis] += _NUDGE * step
                found = self._costs(tried, weight, sampling) / self.per_step
                change = (found[1:] - found[0]).reshape(2, 4, -1) / _NUDGE
                slope = np.zeros((2, len(like) + 1))  # what moves with none goes to the last
                for axis in range(2):
                    np.add.at(slope[axis], moves, change[axis])
                return float(found[0].sum()), slope[:, 1:-2].T.ravel()

            start = (corners[1:-1] / step).ravel()
            with np.errstate(over="ignore", invalid="ignore"):  # where a long step leads
                done = minimize(slopes, start, jac=True, method="BFGS", options={"maxiter": steps, "gtol": 1e-4})
            if np.isfinite(done.x).all():
                corners = corners.copy()
                corners[1:-1] = step * done.x.reshape(-1, 2)
        return corners

    def _divided(self, corners: Array, legs: int) -> Array:
        """The same way with about so many legs, but none within the turns at its ends, and none that is too short."""
        length = np.hypot(*np.diff(corners, axis=0).T)
        longest = max(float(length.sum()) / legs, 4.0 * self.sea.lattice.step, self.bends.radius)
        found = [corners[:1]]
        for k, far in enumerate(length):
            count = max(1, round(far / longest))
            part = (np.arange(1, count + 1) / count)[:, None]
            new = corners[k] + part * (corners[k + 1] - corners[k])
            fits = np.ones(count, dtype=bool)
            for end, course in ((corners[0], self.bends.start), (corners[-1], self.bends.goal)):
                if course is not None:
                    fits &= np.hypot(*(new - end).T) > _TURNING * self.bends.radius
            fits[-1] = True
            found.append(new[fits])
        return np.vstack(found)

    def _thinned(self, corners: Array) -> Array:
        """Without the corners that make next to nothing better, and moved once more without them."""
        weight = 100.0
        now = self.cost(corners, weight)
        k, gone = 1, False
        while k < len(corners) - 1:
            fewer = np.delete(corners, k, axis=0)
            less = self.cost(fewer, weight)
            if now * (1.0 + _LITTLE) < less < now * _HOPELESS:
                fewer = self._moved(fewer, (100.0,), 15)
                less = self.cost(fewer, weight)
            if less <= now * (1.0 + _LITTLE):
                corners, now, gone = fewer, min(now, less), True
            else:
                k += 1
        return self._moved(corners, (100.0,)) if gone else corners


def _turns_of(way: Array) -> Array:
    """A way without the places at which it goes straight on."""
    legs = np.diff(way, axis=0)
    course = np.arctan2(legs[:, 1], legs[:, 0])
    turned = np.abs((np.diff(course) + np.pi) % (2.0 * np.pi) - np.pi) > _STRAIGHT
    return np.asarray(way[np.concatenate([[True], turned, [True]])])
