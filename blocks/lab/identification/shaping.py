"""What a column does to the model behind a delay and a first-order lag: means over the steps of the integration.

y(t) = u(t - τ),  T dy/dt + y = u(t - τ),  and what the model gets from t_k to t_{k+1} is the mean of y there

A mean moves smoothly with τ, also where u jumps within a step, so that least squares have something to go by; the
impulse that the model gets is that of y whatever the step.
"""

from __future__ import annotations

import numpy as np

from blocks.lab.identification.log import Array

_QUICK = 1e-9
"""Time constants below this, s, are none."""


class Shaped:
    """A column as the model gets it. time, values: of the log, n; hold: what it is between samples; edges: of steps.

    Before the first sample and after the last one the column stays as it is, and the lag has settled at the start.
    """

    def __init__(self, time: Array, values: Array, *, hold: bool, edges: Array) -> None:
        self.time, self.values, self.edges = time, values, edges
        spans = np.diff(time)
        self.slopes = np.append(np.zeros(len(spans)) if hold else np.diff(values) / spans, 0.0)
        areas = values[:-1] * spans + 0.5 * self.slopes[:-1] * spans**2
        self.area = np.concatenate([[0.0], np.cumsum(areas)])

    def means(self, delay: float, lag: float) -> Array:
        """Of each step."""
        at = self.edges - delay
        k = np.maximum(np.searchsorted(self.time, at, side="right") - 1, 0)
        since = at - self.time[k]
        slope = np.where(since > 0.0, self.slopes[k], 0.0)
        level = self.values[k]
        total = self.area[k] + level * since + 0.5 * slope * since**2
        if lag > _QUICK:
            after = np.maximum(since, 0.0)
            left = self._answer(lag)[k] - level + slope * lag
            answer = level + slope * (after - lag) + left * np.exp(-after / lag)
            total = total - lag * (answer - self.values[0])
        return np.asarray(np.diff(total) / np.diff(self.edges))

    def _answer(self, lag: float) -> Array:
        """y at the samples, exactly."""
        spans, slopes = np.diff(self.time), self.slopes[:-1]
        fades = np.exp(-spans / lag)
        level = self.values[:-1]
        gains = level + slopes * (spans - lag) + (slopes * lag - level) * fades
        made, y = [float(self.values[0])], float(self.values[0])
        for fade, gain in zip(fades.tolist(), gains.tolist(), strict=True):
            y = fade * y + gain
            made.append(y)
        return np.array(made)
