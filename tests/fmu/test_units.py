"""Units of FMI: exponents of base units, Modelica names, display units. pint is the independent judge."""

from __future__ import annotations

import math

import pytest

from blocks.errors import ParameterError
from blocks.units import registry
from fmu import units

DECLARED = [
    "1", "m", "rad", "s", "kg", "m/s", "rad/s", "m/s^2", "rad/s^2", "N", "N*m", "W", "J", "rev/s", "kg*m", "kg*m^2",
    "N*s/m", "N*s", "N*m*s", "N*s^2/m^2", "N*s^2/m", "N*m*s^2", "N/m", "kg/m^3", "m^2", "Hz", "V", "Pa", "C", "1/s",
]  # fmt: skip


@pytest.mark.parametrize("text", DECLARED)
def test_exponents_and_factor_agree_with_pint(text):
    unit = units.unit(text)
    quantity = registry().Quantity(1.0, "" if text == "1" else text).to_base_units()
    dimensions = {"kg": "kilogram", "m": "meter", "s": "second", "A": "ampere"}
    powers = {str(name): power for name, power in dict(quantity.units._units).items()}
    for name, power in zip(units.BASE, unit.exponents, strict=True):
        if name in dimensions:
            assert power == powers.get(dimensions[name], 0)
    assert unit.factor == pytest.approx(quantity.magnitude, rel=1e-14)


def test_revolutions_and_radians_count_as_angles():
    angle = units.BASE.index("rad")
    assert units.unit("rad/s").exponents[angle] == 1
    assert units.unit("rev/s").exponents == units.unit("rad/s").exponents
    assert units.unit("rev/s").factor == pytest.approx(2.0 * math.pi)


@pytest.mark.parametrize(
    ("text", "name"), [("kg*m^2", "kg.m2"), ("N*s^2/m^2", "N.s2/m2"), ("rad/s", "rad/s"), ("1", "1")]
)
def test_names_follow_modelica(text, name):
    assert units.unit(text).name == name


@pytest.mark.parametrize(
    ("text", "display", "value", "shown"),
    [
        ("rad", "deg", math.pi, 180.0), ("rad/s", "deg/s", 1.0, 57.29577951308232), ("rev/s", "rpm", 2.0, 120.0),
        ("m/s", "kn", 1852.0 / 3600.0, 1.0), ("J", "kW.h", 3.6e6, 1.0), ("m", "NM", 1852.0, 1.0),
    ],
)  # fmt: skip
def test_display_units(text, display, value, shown):
    factor = {d.name: d.factor for d in units.unit(text).displays}[display]
    assert value * factor == pytest.approx(shown, rel=1e-14)


def test_angles_and_shaft_speeds_are_shown_in_degrees_and_rpm():
    assert [units.unit(u).preferred for u in ("rad", "rad/s", "rev/s", "m/s")] == ["deg", "deg/s", "rpm", None]


def test_other_units_come_from_pint():
    knots = units.unit("knot")
    assert knots.factor == pytest.approx(1852.0 / 3600.0)
    assert knots.exponents == units.unit("m/s").exponents
    assert units.unit("kg/(m*s)").exponents == units.unit("Pa*s").exponents


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("m", "m/s"), ("m/s", "m/s^2"), ("rad/s^2", "rad/s^3"), ("N*s", "N"), ("s", "1"), ("1", "1/s"), ("J", "W"),
        ("N*s/m", "N*s/m/s"),
    ],
)  # fmt: skip
def test_the_unit_of_a_derivative(text, rate):
    assert units.per_second(text) == rate
    per_second = list(units.unit(text).exponents)
    per_second[units.BASE.index("s")] -= 1
    assert units.unit(rate).exponents == tuple(per_second)


@pytest.mark.parametrize("text", ["m!", "9^9", "9**9**9", "m^2^3", "rev^999", "m^99999999999", 300 * "(", 500 * "m"])
def test_what_is_no_unit_is_refused_and_not_evaluated(text: str) -> None:
    with pytest.raises(ParameterError, match="is not a unit"):
        units.unit(text)


def test_units_as_papers_write_them_have_the_same_name() -> None:
    assert [units.unit(text).name for text in ("N s2/m2", "N·s²/m²", "N*s^2/m^2", "N / (m * s)")] == [
        "N.s2/m2", "N.s2/m2", "N.s2/m2", "N/(m.s)",
    ]  # fmt: skip
