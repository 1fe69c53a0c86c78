"""Kinds of arguments at which functions are tried, seeded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Array = NDArray[np.float64]
Points = Callable[[Generator, int], Array]
"""Points (n,), or (n, 2) of a function of two numbers."""

LARGEST = np.finfo(float).max
LEAST = 5e-324


def around(points: Array) -> Array:
    """Points with the four numbers next to each, and all of it with the other sign."""
    near = np.asarray(points, dtype=float)
    with np.errstate(all="ignore"):
        for _ in range(2):
            near = np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)])
    near = near[np.isfinite(near)]
    return np.unique(np.concatenate([near, -near]))


def exponents(lowest: int, highest: int, *, signed: bool = True) -> Points:
    """Numbers with every exponent of 2 from `lowest` up to below `highest` as likely, subnormal numbers too."""

    def points(random: Generator, count: int) -> Array:
        sign = random.choice([-1.0, 1.0], count) if signed else 1.0
        return np.ldexp(sign * random.uniform(1.0, 2.0, count), random.integers(lowest, highest, count))

    return points


def uniform(least: float, greatest: float) -> Points:
    """Numbers uniform between two bounds."""
    return lambda random, count: random.uniform(least, greatest, count)


def together(*kinds: Points) -> Points:
    """Points of several kinds in equal parts, mixed."""

    def points(random: Generator, count: int) -> Array:
        parts = np.array_split(np.empty(count), len(kinds))
        drawn = np.concatenate([kind(random, len(part)) for kind, part in zip(kinds, parts, strict=True)])
        return random.permutation(drawn, axis=0)

    return points


def pairs(first: Points, second: Points) -> Points:
    """Two numbers by two kinds, without regard to each other."""
    return lambda random, count: np.column_stack([first(random, count), second(random, count)])


def each_with_each(first: Array, second: Array) -> Array:
    """All pairs."""
    return np.stack(np.meshgrid(first, second), axis=-1).reshape(-1, 2)


def near_units(random: Generator, count: int) -> Array:
    """Pairs whose power is within the range: the exponent of the result is uniform."""
    x = exponents(-1074, 1024, signed=False)(random, count)
    x[: count // 3] = random.uniform(0.5, 2.0, count // 3)
    wanted = random.uniform(-1080.0, 1025.0, count)
    logarithm = np.log2(x)
    y = np.divide(wanted, logarithm, out=np.ones(count), where=logarithm != 0.0)
    return np.column_stack([x, np.clip(y, -LARGEST, LARGEST)])


def quotients(random: Generator, count: int) -> Array:
    """Pairs whose quotient has any exponent, those that underflow too."""
    x = exponents(-1074, 1024)(random, count)
    with np.errstate(over="ignore", under="ignore"):
        y = x * exponents(-1074, 60)(random, count)
    return np.column_stack([np.where(np.isfinite(y), y, 1.0), x])
