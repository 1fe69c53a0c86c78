"""A part of a recorded manoeuvre between its samples: when the heading was where, and what the vessel did then."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy  # its parts are loaded where they are used: interpolation takes 0.4 s

from blocks.lab.trial import Array, Trial


class Motion:
    """The samples from `first` up to `last`, joined by cubic splines.

    Headings count from the one at `first` and are positive to `side`, 1 or -1 (starboard, port). Where a rudder is put
    over the acceleration jumps, so a part begins there and ends where that is done next.
    """

    def __init__(self, trial: Trial, first: int, last: int, side: float) -> None:
        self.time = trial.time[first:last]
        self.heading = trial.heading[first:last]
        self.turned = side * (self.heading - self.heading[0])
        self._turned = scipy.interpolate.CubicSpline(self.time, self.turned)
        self._rate = self._turned.derivative()
        self._position = scipy.interpolate.CubicSpline(self.time, trial.position[first:last])
        self._velocity = self._position.derivative()
        self._side = side

    @property
    def begin(self) -> float:
        """The time of the first sample."""
        return float(self.time[0])

    @property
    def end(self) -> float:
        """The time of the last sample."""
        return float(self.time[-1])

    def reaches(self, angle: float, after: float | None = None) -> float | None:
        """When the heading change is first `angle` or more, after a time if one is given; None: never."""
        return self._crossing(angle, 1.0, after)

    def returns(self, angle: float, after: float | None = None) -> float | None:
        """When the heading change is first `angle` or less, likewise."""
        return self._crossing(angle, -1.0, after)

    def _crossing(self, angle: float, sign: float, after: float | None) -> float | None:
        begin = self.begin if after is None else after
        later = np.flatnonzero((self.time > begin) & (sign * (self.turned - angle) >= 0.0))
        if not later.size:
            return None
        i = int(later[0])
        low, high = max(begin, float(self.time[i - 1])), float(self.time[i])
        if sign * (self._turned(low) - angle) >= 0.0:  # there already when the search begins
            return low
        return float(scipy.optimize.brentq(lambda t: sign * float(self._turned(t) - angle), low, high, xtol=1e-12))

    def peak(self, begin: float, end: float, sign: float = 1.0) -> tuple[float, float]:
        """When the heading change, times `sign`, is greatest between two times, and the heading change then."""
        inside = np.flatnonzero((self.time >= begin) & (self.time <= end))
        i = int(inside[np.argmax(sign * self.turned[inside])])
        low, high = float(self.time[max(i - 1, inside[0])]), float(self.time[min(i + 1, inside[-1])])
        if sign * self._rate(low) > 0.0 > sign * self._rate(high):
            t = float(scipy.optimize.brentq(self._rate, low, high, xtol=1e-12))
            return t, float(self._turned(t))
        return float(self.time[i]), float(self.turned[i])

    def position(self, t: float) -> Array:
        """North and east, m."""
        return np.asarray(self._position(t))

    def turned_at(self, t: float) -> float:
        """Heading change, positive to the side of the turn, rad."""
        return float(self._turned(t))

    def speed(self, t: float | Array) -> Array:
        """Over ground, m/s."""
        return np.asarray(np.linalg.norm(self._velocity(t), axis=-1))

    def ahead_speed(self, t: float | Array) -> Array:
        """Over ground along the heading, negative astern, m/s."""
        heading = self.heading[0] + self._side * np.asarray(self._turned(t))
        velocity = np.asarray(self._velocity(t))
        return np.asarray(velocity[..., 0] * np.cos(heading) + velocity[..., 1] * np.sin(heading))

    def yaw_rate(self, t: float | Array) -> Array:
        """Positive to the side of the turn, rad/s."""
        return np.asarray(self._rate(t))

    def drift_angle(self, t: float | Array) -> Array:
        """From the course over ground to the heading, positive where the bow points into the turn, rad."""
        velocity = self._velocity(t)
        course = np.arctan2(velocity[..., 1], velocity[..., 0])
        drift = self._turned(t) - self._side * (course - self.heading[0])
        return np.asarray((drift + np.pi) % (2.0 * np.pi) - np.pi)

    def between(self, begin: float, end: float) -> Array:
        """The times of the samples between two instants, and those."""
        inside = self.time[(self.time > begin) & (self.time < end)]
        return np.concatenate([[begin], inside, [end]])

    def distance(self, begin: float, end: float) -> float:
        """Length of the path between two instants, m."""
        t = self.between(begin, end)
        return float(np.trapezoid(self.speed(t), t))

    def mean(self, of: Callable[[Array], Array], begin: float, end: float) -> float:
        """The mean over time between two instants."""
        t = self.between(begin, end)
        return float(np.trapezoid(of(t), t) / (end - begin))
