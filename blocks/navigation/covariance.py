"""What the covariance of an estimate is as a signal: its units follow from those of the estimate."""

from __future__ import annotations

from itertools import product

from blocks.signal import Signal


def covariance_of(estimate: Signal) -> Signal:
    """The covariance matrix of an estimate whose units are m, rad, m/s or rad/s, row by row."""
    assert isinstance(estimate.unit, tuple)
    n = len(estimate.unit)
    return Signal("Covariance", (n, n), tuple(_times(a, b) for a, b in product(estimate.unit, repeat=2)))


def _times(a: str, b: str) -> str:
    """m/s times rad is m*rad/s."""
    (one, *rate), (other, *other_rate) = a.split("/"), b.split("/")
    first, second = sorted((one, other))
    seconds = len(rate) + len(other_rate)
    top = f"{first}^2" if first == second else f"{first}*{second}"
    return top + ("", "/s", "/s^2")[seconds]
