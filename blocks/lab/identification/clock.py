"""The time of a log: from its stamps, or from a rate where stamps are too coarse to tell samples apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.errors import SimulationError
from blocks.lab.identification.errors import LogError
from blocks.lab.identification.numbers import Array
from blocks.realtime import turns

_DRIFT = 2e-3
"""The part by which a logger's rate may be off that it says."""
_COARSE = 0.2
"""The part of samples with the stamp of the one before, from which on stamps are coarse."""


def hertz(name: str, rate: Any) -> float:
    """A rate, "10 Hz" or 10. Raises LogError."""
    try:
        return turns.hertz(rate)
    except SimulationError as problem:
        raise LogError(f"{name}: {problem}") from None


def from_rate(name: str, count: int, rate: float, stamps: Array | None) -> tuple[Array, str]:
    """Times of samples one after the other, and what is to be said of it. Raises LogError if stamps tell otherwise."""
    time = np.arange(count) / rate
    if stamps is None or count < 2:
        return time, f"time from the rate, {rate:g} Hz, without stamps"
    missing = int(np.sum(~np.isfinite(stamps)))
    if missing:
        return time, f"time from the rate, {rate:g} Hz; stamps are missing in {missing} of {count} samples"
    steps = np.diff(stamps)
    if np.any(steps < 0.0):
        i = int(np.flatnonzero(steps < 0.0)[0])
        raise LogError(f"{name}: after sample {i}, at {stamps[i]:g} s, the time goes back to {stamps[i + 1]:g} s")
    apart = stamps - stamps[0] - time
    grain = resolution(stamps)
    most = grain + 2.0 / rate + _DRIFT * time[-1]
    if np.ptp(apart) > most:
        jump = int(np.argmax(steps))
        wide = steps[jump] > grain + 2.0 / rate
        where = f": between {stamps[jump]:g} s and {stamps[jump + 1]:g} s samples are missing" if wide else ""
        span = float(stamps[-1] - stamps[0]) + grain
        raise LogError(
            f"{name}: {count} samples at {rate:g} Hz take {count / rate:g} s, and their stamps go over {span:g} s"
            f"{where}; that would be {count / span:.3g} Hz on the whole"
        )
    same = int(np.sum(steps == 0.0))
    told = f"stamps are {grain:g} s apart and repeat in {same} of {count} samples" if same else "stamps agree with it"
    return time, f"time from the rate, {rate:g} Hz; {told}"


def resolution(stamps: Array) -> float:
    """The least time from one stamp to another, s."""
    steps = np.diff(stamps)
    return float(np.min(steps[steps > 0.0])) if np.any(steps > 0.0) else 0.0


def advice(stamps: Array) -> str:
    """What to do about stamps that repeat: of coarse ones, to say the rate."""
    steps = np.diff(stamps)
    if np.any(steps < 0.0) or np.mean(steps == 0.0) < _COARSE:
        return ""
    grain = resolution(stamps)
    rate = len(stamps) / (float(stamps[-1] - stamps[0]) + grain) if grain else 0.0
    guess = f", rate='{rate:.3g} Hz' by their number" if rate else ""
    return f". Stamps look too coarse for the samples: say at what rate they were taken{guess}"
