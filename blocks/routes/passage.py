"""What a metre of the way costs in a current: time, energy or distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from blocks.routes.edges import Array

OBJECTIVES = ("time", "energy", "distance")
_SPEEDS = 9
_SLOWEST = 0.02
"""Ground speed, as a part of that through the water, below which a course counts as one that cannot be held."""


class Rates(NamedTuple):
    """Per metre over ground: what is to be least; time, s/m; energy, J/m. And the speed through the water, m/s."""

    cost: Array
    time: Array
    energy: Array
    speed: Array


@dataclass(frozen=True)
class Passage:
    """A craft that makes good a course in a current.

    V_g = c·d + √(V² - (c×d)²)

    V_g: speed over ground along the course, m/s; c: current, north and east, m/s; d: the course, a unit vector; V:
    speed through the water, m/s. No course can be held where |c×d| ≥ V or V_g ≤ 0. Power is P = P_0 + P_V (V/U)³, with
    P_V at the speed U, `speed`: the thrust goes with the square of the speed.

    For least time and distance V = U; for least energy it is what needs least energy per metre, between `lowest_speed`
    and U.
    """

    speed: float
    objective: str = "time"
    hotel_power: float = 0.0
    propulsion_power: float = 1.0
    lowest_speed: float = 0.0

    def ground_speed(self, along: Array, across: Array, speed: Array | float) -> Array:
        """V_g, m/s; below zero or no number where the course cannot be held."""
        square = np.asarray(speed) ** 2 - across**2
        return np.asarray(np.where(square > 0.0, along + np.sqrt(np.maximum(square, 0.0)), -np.inf))

    def rates(self, course: Array, north: Array | float, east: Array | float, *, soft: bool = False) -> Rates:
        """What a metre along courses, …×2, costs in currents: infinite where a course cannot be held.

        With `soft` it is finite there, and the more the less the course can be held: for a search by gradients.
        """
        along = course[..., 0] * north + course[..., 1] * east
        across = course[..., 0] * east - course[..., 1] * north
        best = self._at(along, across, self.speed, soft)
        if self.objective != "energy" or self.lowest_speed >= self.speed:
            return best
        speeds = np.linspace(self.lowest_speed, self.speed, _SPEEDS)
        tried = [*(self._at(along, across, float(speed), soft) for speed in speeds[:-1]), best]
        costs = np.stack([one.cost for one in tried])
        least = costs.argmin(axis=0)
        tried.append(self._at(along, across, _lowest(speeds, costs, least), soft))
        for other in tried:
            less = other.cost < best.cost
            best = Rates(*(np.where(less, new, old) for new, old in zip(other, best, strict=True)))
        return best

    def _at(self, along: Array, across: Array, speed: Array | float, soft: bool) -> Rates:
        ground, least = self.ground_speed(along, across, speed), _SLOWEST * speed
        possible = ground > least
        time = 1.0 / np.maximum(ground, least)
        worse: Array | float = np.inf
        if soft:
            lack = np.where(np.isfinite(ground), least - ground, least + np.abs(across)) / speed
            worse = (1.0 + np.clip(lack, 0.0, 1e3)) / least
        power = self.hotel_power + self.propulsion_power * (speed / self.speed) ** 3
        pairs = ((time, 1.0), (power * time, power + 1e-9), (np.ones_like(time), speed))
        time, energy, distance = (np.where(possible, value, worse * like) for value, like in pairs)
        cost = {"time": time, "energy": energy, "distance": distance}[self.objective]
        return Rates(cost, time, energy, np.broadcast_to(np.asarray(speed, dtype=np.float64), np.shape(time)))


def _lowest(speeds: Array, costs: Array, least: NDArray[np.intp]) -> Array:
    """The lowest point of the parabola through the least cost and those beside it; the speed itself at either end."""
    middle = np.clip(least, 1, len(speeds) - 2)
    below, at, above = (np.take_along_axis(costs, (middle + k)[None], axis=0)[0] for k in (-1, 0, 1))
    fits = np.isfinite(below) & np.isfinite(above) & (middle == least)
    below, above = np.where(fits, below, at), np.where(fits, above, at)
    bend = below - 2.0 * at + above
    shift = 0.5 * (below - above) / np.where(bend > 0.0, bend, 1.0)
    return np.asarray(speeds[least] + np.where(fits & (bend > 0.0), shift, 0.0) * (speeds[1] - speeds[0]))
