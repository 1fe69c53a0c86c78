"""Exponential and hyperbolic functions, logarithms, powers and cube roots."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from cython_kernels import elementary

Array = NDArray[np.float64]
GreatestError = Callable[[str, int | Array], float]
INF, NAN = math.inf, math.nan
LEAST, LARGEST = 5e-324, np.finfo(float).max


def same(found: ArrayLike, wanted: ArrayLike) -> bool:
    """Signs of zeros count; a not-a-number is as good as any other."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    equal = (found == wanted) & (np.signbit(found) == np.signbit(wanted))
    return bool(np.all(equal | (np.isnan(found) & np.isnan(wanted))))


def bits(numbers: Array) -> NDArray[np.int64]:
    return numbers.view(np.int64)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("exp", 0.96),
        ("expm1", 0.9),
        ("log", 0.95),
        ("log10", 0.8),
        ("pow", 0.9),
        ("cbrt", 0.501),
        ("sinh", 0.8),
        ("cosh", 0.95),
        ("tanh", 0.9),
    ],
)
def test_is_as_close_to_the_true_value_as_its_file_says(name: str, most: float, greatest_error: GreatestError) -> None:
    """In units in the last place; all promise 1."""
    assert greatest_error(name, 6000) < most


def test_what_is_small_beside_large_terms_counts(greatest_error: GreatestError) -> None:
    """The 1 of e^x - 1 from 2^53 on, and e^-x of sinh x and cosh x."""
    assert greatest_error("expm1", np.linspace(36.4, 38.2, 1500)) < 0.75
    assert greatest_error("sinh", np.linspace(17.0, 20.0, 1500)) < 0.75
    assert greatest_error("cosh", np.linspace(17.0, 20.0, 1500)) < 0.95


@pytest.mark.parametrize(
    ("name", "at", "wanted"),
    [
        ("exp", [0.0, -0.0, LEAST, -INF, INF, 709.79, LARGEST, -745.2, -LARGEST], [1, 1, 1, 0, INF, INF, INF, 0, 0]),
        ("expm1", [0.0, -0.0, -LEAST, -INF, INF, 709.79, -40.0], [0.0, -0.0, -LEAST, -1, INF, INF, -1]),
        ("log", [0.0, -0.0, 1.0, INF, -LEAST, -1.0, -INF], [-INF, -INF, 0.0, INF, NAN, NAN, NAN]),
        ("log10", [0.0, -0.0, 1.0, INF, -LEAST, -1.0, -INF], [-INF, -INF, 0.0, INF, NAN, NAN, NAN]),
        ("cbrt", [0.0, -0.0, INF, -INF, -27.0, -(2.0**-1074)], [0.0, -0.0, INF, -INF, -3.0, -(2.0**-358)]),
        ("sinh", [0.0, -0.0, LEAST, INF, -INF, 710.5, -LARGEST], [0.0, -0.0, LEAST, INF, -INF, INF, -INF]),
        ("cosh", [0.0, -0.0, INF, -INF, 710.5, -LARGEST], [1, 1, INF, INF, INF, INF]),
        ("tanh", [0.0, -0.0, -LEAST, INF, -INF, 22.0, -LARGEST], [0.0, -0.0, -LEAST, 1, -1, 1, -1]),
    ],
)
def test_special_values_of_c99(name: str, at: list[float], wanted: list[float]) -> None:
    function = getattr(elementary, name)
    assert same(function(at), wanted)
    assert np.isnan(function(NAN))


def test_special_powers_of_c99() -> None:
    """By the rules of F.9.4.4, written for whole tables of bases and exponents."""
    sizes = [0.0, LEAST, 1e-310, 2.0**-1022, 0.5, 1.0 - 2.0**-53, 1.0, 1.5, 3.0, 2.0**53 + 2.0, LARGEST, INF]
    exponents = [0.0, LEAST, 0.5, 1.0, 2.0, 3.0, 7.5, 2.0**52 - 0.5, 2.0**52 + 1.0, 2.0**53 - 1.0, 2.0**53, 1e300, INF]
    for y in [*exponents, *(-y for y in exponents)]:
        whole, odd = math.floor(y) == y if math.isfinite(y) else True, abs(y) < 2**53 and y % 2.0 == 1.0
        for x in sizes:
            found = float(elementary.pow(x, y))
            if x == 1.0 or y == 0.0:
                assert found == 1.0
            elif x in (0.0, INF):
                assert found == (INF if (x == 0.0) == (y < 0.0) else 0.0)
            elif math.isinf(y):
                assert found == (INF if (x > 1.0) == (y > 0.0) else 0.0)
            mirrored = -found if odd else found if whole or x in (0.0, INF) else NAN
            assert same(elementary.pow(-x, y), mirrored), (x, y)
    for x, y in ((NAN, 1.0), (2.0, NAN), (-1.0, NAN), (NAN, INF), (0.0, NAN)):
        assert np.isnan(elementary.pow(x, y))
    assert elementary.pow(1.0, NAN) == elementary.pow(NAN, 0.0) == elementary.pow(NAN, -0.0) == 1.0


def test_odd_and_even_functions_are_so_to_the_bit() -> None:
    x = np.concatenate([np.random.default_rng(1).uniform(0.0, 30.0, 1000), np.geomspace(1e-300, 1.0, 300)])
    for odd in (elementary.sinh, elementary.tanh, elementary.cbrt):
        assert np.array_equal(bits(odd(-x)), bits(-odd(x)))
    assert np.array_equal(bits(elementary.cosh(-x)), bits(elementary.cosh(x)))


@pytest.mark.parametrize("name", ["exp", "expm1", "sinh", "log", "log10", "cbrt"])
def test_does_not_turn_back_where_reductions_change(name: str) -> None:
    """From one number to the next, beside the odd multiples of ln 2 / 2, powers of 2 and their halfway points."""
    steps = np.arange(-100, 101)
    of_powers = np.log(2.0) * (np.arange(40) + 0.5)
    of_numbers = np.concatenate([2.0 ** np.arange(-30.0, 31.0), np.sqrt(0.5) * 2.0 ** np.arange(-30.0, 31.0)])
    joints = of_powers if name in ("exp", "expm1", "sinh") else of_numbers
    near = joints[:, np.newaxis] + np.spacing(joints)[:, np.newaxis] * steps
    assert np.all(np.diff(getattr(elementary, name)(near), axis=1) >= 0.0)
    if name in ("exp", "expm1"):
        assert np.all(np.diff(getattr(elementary, name)(-near), axis=1) <= 0.0)


def test_what_can_be_exact_is() -> None:
    assert np.array_equal(elementary.log10([float(f"1e{n}") for n in range(-307, 309)]), np.arange(-307, 309))
    roots = np.arange(1.0, 20_000.0) * 10.0
    assert np.array_equal(elementary.cbrt(roots**3), roots)
    for x in range(2, 60):
        y = np.arange(1, int(53 / math.log2(x)) + 1)
        assert np.array_equal(elementary.pow(float(x), y), [float(x**k) for k in y.tolist()])
        assert np.array_equal(elementary.pow(float(x * x), 0.5 * y), [float(x**k) for k in y.tolist()])
    assert np.array_equal(elementary.pow(2.0, np.arange(-1074, 1024)), np.ldexp(1.0, np.arange(-1074, 1024)))
