"""Units of expressions: by hand, and by what every right equation keeps, its form in whatever units it is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from random_formulas import SYMBOLS, Random, factor, values_in, worth

from blocks.formula.errors import FormulaError
from blocks.formula.reading import read_equations
from blocks.formula.tree import Equations, Symbol
from blocks.unit_products import agree


def read(text: Any, symbols: Any = SYMBOLS, **more: Any) -> Equations:
    arguments: dict[str, Any] = {"let": {}, "states": {}, "update": {}, "sampled": False} | more
    return read_equations(symbols, outputs={"y": text}, **arguments)


SI = {"m": 1.0, "kg": 1.0, "s": 1.0}
OTHER = {"m": 2.0**12, "kg": 2.0**-6, "s": 2.0**18}
"""Roots of these are powers of 2, too, so that no digit changes."""


@pytest.mark.parametrize("unit", ["m/s", "N", "1", "rad/s", "m^2/s^2"])
def test_a_right_expression_says_the_same_in_all_units(unit: str) -> None:
    random = Random(5)
    numbers = 0
    for seed in range(60):
        text = random.text(unit, 3)
        root = read(text).outputs["y"]
        assert root.shape == ()
        assert root.unit is None or agree(root.unit, unit), text
        with np.errstate(all="ignore"):
            one, other = (worth(root, values_in(scales, seed)) for scales in (SI, OTHER))
        assert other == pytest.approx(one * factor(unit, OTHER), rel=1e-12, nan_ok=True), text
        numbers += bool(np.isfinite(one))
    assert numbers > 30


def test_a_term_of_another_unit_is_told_or_does_no_harm() -> None:
    random = Random(6)
    told = 0
    for seed in range(150):
        text = random.text("N", 3)
        wrong = text.replace(random.pick("u", "F", "a", "T"), random.pick("L", "r", "k", "psi"), 1)
        try:
            root = read(wrong).outputs["y"]
        except FormulaError:
            told += 1
            continue
        if root.unit is not None:
            with np.errstate(all="ignore"):
                one, other = (worth(root, values_in(scales, seed)) for scales in (SI, OTHER))
            assert other == pytest.approx(one * factor(str(root.unit), OTHER), rel=1e-12, nan_ok=True), wrong
    assert 40 < told < 150


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("k*u*abs(u)", "N"),
        ("-F", "N"),
        ("u + 0", "m/s"),
        ("0", None),
        ("0*u", None),
        ("u**0.5*u**(1/2)", "m/s"),
        ("u**-2", "s^2/m^2"),
        ("cbrt(L**3)", "m"),
        ("sqrt(L)", "m^(1/2)"),
        ("psi + 0.1", "rad"),
        ("0.1 + psi", "rad"),
        ("psi - 2*pi*floor(psi/(2*pi))", "rad"),
        ("u/L + r", "rad/s"),
        ("L*r + u", "m/s"),
        ("L*r", "m/s"),
        ("F*L*r", "W"),
        ("psi*180/pi", "1"),
        ("asin(a)", "rad"),
        ("atan2(u, w)", "rad"),
        ("u > w", "1"),
        ("sign(u)", "1"),
        ("a if u > 0 else b", "1"),
        ("2**a", "1"),
        ("t*u", "m"),
        ("v", "m/s"),
        ("v*T", "m"),
        ("[u, r]", ("m/s", "rad/s")),
        ("[0, 0, F]", "N"),
        ("[u, 0, F]", ("m/s", None, "N")),
        ("nu*T", ("m", "m", "rad", "kg*m/s")),
        ("nu[0:2]", "m/s"),
        ("nu[2:]", ("rad/s", "N")),
        ("A@v", "N"),
        ("A@[u, w, 0]", "N"),
        ("[[k, 0], [0, k]]@[u, w]", "kg/s"),
        ("transpose([[u, r], [w, r]])[0]", "m/s"),
        ("[[a, L], [0, L]]@[[L, L**2], [b, L]]", ("m", "m^2", "m", "m^2")),
        ("cross([1, 0, 0], [0, 0, L])", "m"),
        ("dot([F, a], [L, F*L])", "N*m"),
    ],
)
def test_units_by_hand(text: str, unit: Any) -> None:
    assert read(text).outputs["y"].unit == unit


ROTATION = {"n": Symbol("n", "input", (), "rev/s"), "D": Symbol("D", "parameter", (), "m")}


@pytest.mark.parametrize(
    ("text", "unit"),
    [("n", "rev/s"), ("2*pi*n", "1/s"), ("n*60", "rev/s"), ("pi*D*n", "m/s"), ("n**2*D**4", "m^4/s^2")],
)
def test_pi_makes_an_angle_of_a_turn(text: str, unit: str) -> None:
    assert read(text, ROTATION).outputs["y"].unit == unit


def test_what_has_no_known_unit_goes_with_everything() -> None:
    unknown = dict(SYMBOLS, g=Symbol("g", "input", (), None), h=Symbol("h", "input", (), ""))
    for text, unit in (("g + u", "m/s"), ("u - h", "m/s"), ("g*u", None), ("exp(g)", "1"), ("g**a", None)):
        assert read(text, unknown).outputs["y"].unit == unit


def test_units_of_states_follow_from_their_equations() -> None:
    states = {
        "x": Symbol("x", "state", (), None),
        "y": Symbol("y", "state", (), None),
        "z": Symbol("z", "discrete state", (), None),
        "free": Symbol("free", "state", (), None),
    }
    found = read(
        "y/T", dict(SYMBOLS) | states, states={"x": "-x/T + y/T", "y": "u", "free": "-free/T"}, update={"z": "z + F"}
    )
    assert [found.symbols[name].unit for name in states] == ["m", "m", "N", None]
    assert found.outputs["y"].unit == "m/s"
    stated = read("x", dict(SYMBOLS) | states, states={"x": "0"}, units={"x": "m"})
    assert (stated.symbols["x"].unit, stated.outputs["y"].unit) == ("m", "m")
    with pytest.raises(FormulaError, match=r"'y' is in N, but the rate of change of x is in m/s"):
        read("y", dict(SYMBOLS) | states | {"x": Symbol("x", "state", (), "m")}, states={"x": "y", "y": "F/T"})


def test_a_state_has_the_unit_of_its_equation_times_a_second() -> None:
    """A timer too, whose rate is a number."""
    for text, unit in (("u", "m"), ("1", "s")):
        found = read("u", states={"x": text}, symbols=dict(SYMBOLS) | {"x": Symbol("x", "state", (), None)})
        assert found.symbols["x"].unit == unit


def test_a_stated_unit_is_that_of_the_output() -> None:
    assert read("2*pi*r", units={"y": "rev/s"}).outputs["y"].unit == "rev/s"
    assert read("[L*r*F, u]", units={"y": ("W", "m/s")}).outputs["y"].unit == ("W", "m/s")
    for unit, message in (
        ("N", "outputs.y: 'u' is in m/s, but y is stated in N"),
        (("m/s", "m/s"), "outputs.y: 2 units are stated of a number"),
    ):
        with pytest.raises(FormulaError) as caught:
            read("u", units={"y": unit})
        assert str(caught.value).startswith(message)
