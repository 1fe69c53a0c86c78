"""Sine, cosine, tangent and their inverses; that vessels and waves take the same numbers."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from blocks.dynamics import Vessel3DOF
from cython_kernels import elementary

Array = NDArray[np.float64]
INF, NAN, PI = math.inf, math.nan, math.pi
LEAST, LARGEST = 5e-324, float(np.finfo(float).max)


def bits(numbers: ArrayLike) -> NDArray[np.int64]:
    return np.asarray(numbers, dtype=float).view(np.int64)


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "asin", "acos", "atan", "atan2"])
def test_is_within_a_unit_in_the_last_place(name: str, greatest_error: Callable[[str, int], float]) -> None:
    assert greatest_error(name, 4000) < 0.9


@pytest.mark.parametrize(
    ("name", "at", "wanted"),
    [
        ("sin", [0.0, -0.0, LEAST, -LEAST], [0.0, -0.0, LEAST, -LEAST]),
        ("cos", [0.0, -0.0, LEAST], [1.0, 1.0, 1.0]),
        ("tan", [0.0, -0.0, LEAST, -LEAST], [0.0, -0.0, LEAST, -LEAST]),
        ("asin", [0.0, -0.0, -LEAST, 1.0, -1.0], [0.0, -0.0, -LEAST, PI / 2, -PI / 2]),
        ("acos", [1.0, -1.0, 0.0, -0.0, LEAST], [0.0, PI, PI / 2, PI / 2, PI / 2]),
        ("atan", [0.0, -0.0, -LEAST, INF, -INF, LARGEST, 1.0], [0.0, -0.0, -LEAST, PI / 2, -PI / 2, PI / 2, PI / 4]),
    ],
)
def test_special_values_of_c99(name: str, at: list[float], wanted: list[float]) -> None:
    function = getattr(elementary, name)
    assert np.array_equal(bits(function(at)), bits(wanted))
    outside = {"asin": [1.0 + 2.0**-52, -2.0, INF], "acos": [1.0 + 2.0**-52, -2.0, -INF], "atan": []}
    assert np.isnan(function([NAN, *outside.get(name, [INF, -INF])])).all()


def test_directions_of_c99() -> None:
    """By the rules of F.9.1.4, for y of either sign."""
    for y, x, angle in (
        (0.0, 0.0, 0.0), (0.0, -0.0, PI), (0.0, 1.0, 0.0), (0.0, -1.0, PI), (0.0, LEAST, 0.0), (0.0, -LEAST, PI),
        (1.0, 0.0, PI / 2), (1.0, -0.0, PI / 2), (LEAST, 0.0, PI / 2), (LEAST, -0.0, PI / 2), (INF, 0.0, PI / 2),
        (1.0, -INF, PI), (1.0, INF, 0.0), (0.0, INF, 0.0), (0.0, -INF, PI), (LARGEST, INF, 0.0), (LARGEST, -INF, PI),
        (INF, 1.0, PI / 2), (INF, -LARGEST, PI / 2), (INF, INF, PI / 4), (INF, -INF, 3 * PI / 4),
        (LEAST, LEAST, PI / 4), (LARGEST, -LARGEST, 3 * PI / 4), (LARGEST, LEAST, PI / 2), (LEAST, -LARGEST, PI),
    ):  # fmt: skip
        assert np.array_equal(bits(elementary.atan2([y, -y], x)), bits([angle, -angle])), (y, x)
    y, x = np.meshgrid([NAN, 0.0, -1.0, INF, -INF], [NAN, 0.0, 1.0, -INF, INF])
    assert np.array_equal(np.isnan(elementary.atan2(y, x)), np.isnan(y) | np.isnan(x))


def angles() -> Array:
    """Of every size."""
    random = np.random.default_rng(1)
    near = [random.uniform(-size, size, 300) for size in (0.7, 6.3, 500.0, 4.1e5)]
    return np.concatenate([*near, random.uniform(4.12e5, 1e9, 100), np.geomspace(1e-300, 1e300, 200), [0.0, -0.0]])


def test_odd_and_even_functions_are_so_to_the_bit() -> None:
    x = angles()
    for odd in (elementary.sin, elementary.tan, elementary.atan):
        assert np.array_equal(bits(odd(-x)), bits(-odd(x)))
    assert np.array_equal(bits(elementary.asin(-np.sin(x))), bits(-elementary.asin(np.sin(x))))
    assert np.array_equal(bits(elementary.cos(-x)), bits(elementary.cos(x)))
    assert np.array_equal(bits(elementary.atan2(-x, -1.5)), bits(-elementary.atan2(x, -1.5)))


def test_the_arc_tangent_is_a_direction() -> None:
    assert np.array_equal(bits(elementary.atan(angles())), bits(elementary.atan2(angles(), 1.0)))


@pytest.mark.parametrize("name", ["asin", "acos", "atan"])
def test_does_not_turn_back_where_reductions_change(name: str) -> None:
    """From one number to the next, beside the ends of the polynomials."""
    joints = np.array([0.5, 1.0 - 2.0**-40] if name != "atan" else [math.sqrt(2) - 1, 1.0, math.sqrt(2) + 1])
    near = joints[:, np.newaxis] + np.spacing(joints)[:, np.newaxis] * np.arange(-200, 200)
    assert np.all(np.diff(getattr(elementary, name)(near), axis=1) * (-1 if name == "acos" else 1) >= 0.0)


def test_sine_and_cosine_together_are_the_same_numbers() -> None:
    """Seen through the velocity of a vessel that only surges: (cos ψ, sin ψ)."""
    vessel = Vessel3DOF.diagonal(m=(1.0, 1.0, 1.0), d=(1.0, 1.0, 1.0))
    moving = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    x = angles()[::3]
    found = [vessel.evaluate(states={"eta": [0, 0, 0, 0, 0, psi], "nu": moving}).derivatives["eta"][:2] for psi in x]
    cosine, sine = np.array(found).T
    assert np.array_equal(sine, elementary.sin(x))
    assert np.array_equal(cosine, elementary.cos(x))
