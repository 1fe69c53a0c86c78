"""Units at the edges: read from text, compared by meaning, and refused in words."""

from __future__ import annotations

import math

import pytest

from blocks import units
from blocks.errors import ParameterError


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("15 deg", "rad", math.radians(15.0)),
        ("15 deg/s", "rad/s", math.radians(15.0)),
        ("0.5 rad", "rad", 0.5),
        ("8.4 kg", "kg", 8.4),
        ("2 t", "kg", 2000.0),
        ("1200 rpm", "rev/s", 20.0),
        ("90 rev/min", "rev/s", 1.5),
        ("60 rpm", "rad/s", 2.0 * math.pi),
        ("2 knot", "m/s", 2 * 1852.0 / 3600.0),
        ("3.6 km/h", "m/s", 1.0),
        ("1.5 kN", "N", 1500.0),
        ("2 kW", "W", 2000.0),
        ("1 min", "s", 60.0),
        ("100 ms", "s", 0.1),
        ("50 %", "1", 0.5),
        ("12 V", "V", 12.0),
        ("1025 kg/m^3", "kg/m^3", 1025.0),
        ("7", "m", 7.0),
        (" -1e-3 ", "m", -0.001),
        ("7", None, 7.0),
        ("3 kg*m^2", "kg*m^2", 3.0),
        ("3 kg*m**2", "kg*m^2", 3.0),
        ("0.5 1/s", "1/s", 0.5),
        ("52.5°", "rad", math.radians(52.5)),
        ("3 N s2/m2", "N*s^2/m^2", 3.0),
        ("3 N·s²/m²", "N*s^2/m^2", 3.0),
        ("3 N.s2/m2", "N*s^2/m^2", 3.0),
        ("5 s-1", "1/s", 5.0),
        ("5/s", "1/s", 5.0),
        ("5*m", "m", 5.0),
        ("6 metres per second", "m/s", 6.0),
        ("6 °/s/√Hz", "rad/s/Hz^0.5", math.radians(6.0)),
        ("6 deg/sqrt(h)", "rad/s^0.5", math.radians(6.0) / 60.0),
        ("2 m^(1/2)", "m**0.5", 2.0),
        ("1 kg/(m s)^2", "kg*m^-2*s^-2", 1.0),
        ("8 W/m/K", "W/(m.K)", 8.0),
        ("1 N*m/(rad/s)", "N*m*s/rad", 1.0),
    ],
)
def test_text_becomes_a_number_in_the_unit(text, unit, expected):
    assert units.to_unit(text, unit) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(("one", "other"), units._EXACT)
def test_conversions_that_need_no_registry_are_those_of_the_registry(one: str, other: str) -> None:
    assert units._EXACT[one, other] == units._root(one)[0] / units._root(other)[0]
    assert units._root(one)[1] == units._root(other)[1]


def test_conversions_are_rounded_once() -> None:
    """Whatever a C library makes of powers: a foot was off in its last bit."""
    for text, unit, exact in (
        ("1 ft", "m", 0.3048),
        ("1 ft^3", "m^3", 0.028316846592),
        ("30 rpm", "rad/s", math.pi),
        ("1 deg/h^0.5", "rad/s^0.5", math.radians(1.0) / 60.0),
        ("7 km^-2", "m^-2", 7e-6),
    ):
        assert units.to_unit(text, unit) == exact, text
    assert units.to_unit("-1e308 km", "m") == -math.inf


@pytest.mark.parametrize(
    ("text", "unit", "said"),
    [
        ("3 kg", "m", "'3 kg' is in kg, but m is wanted"),
        ("3 m", "m/s", "'3 m' is in m, but m/s is wanted"),
        ("3 deg", "m", "'3 deg' is in deg, but m is wanted"),
        ("3 rad/s", "rev/s", "is in rad/s, but rev/s is wanted"),
        ("3 1/s", "rad/s", "is in 1/s, but rad/s is wanted"),
        ("three", "m", "'three' is not a number"),
        ("", "m", "'' is not a number"),
        ("m", "m", "'m' is not a number with a unit"),
        ("3 metrs", "m", "'3 metrs' is not a number with a unit"),
        (
            "52 deg 30",
            "rad",
            "'52 deg 30' has more than one number where one with its unit is wanted, such as '52.25 de",
        ),
        ("52° 30'", "rad", "has more than one number"),
        ("52.1.2 deg", "rad", "has more than one number"),
        ("3 4 m", "m", "has more than one number"),
        ("3 m m)", "m", "is not a number with a unit"),
        ("__import__('os')", "m", "is not a number"),
        ("9**9**9 m", "m", "'9**9**9 m' is not a number with a unit: '**' does not belong there"),
        ("1 m**9**9", "m", "'**' does not belong there"),
        ("1 m!", "m", "'1 m!' is not a number with a unit: '!' does not belong there"),
        ("1 []", "1", "'1 []' is not a number with a unit: '[' does not belong there"),
        ("1 m^99999999", "m", "exponents are 20 at most"),
        ("1 ((m^20)^20)^20", "m", "exponents are 20 at most"),
        ("1 m^(1/0)", "m", "an exponent is divided by 0"),
        ("1 m^", "m", "an exponent is missing"),
        ("1 m/", "m", "it ends where a unit is expected"),
        ("1 (m", "m", "a bracket is left open"),
        ("1 " + "(" * 50 + "m" + ")" * 50, "m", "it is nested more than 8 deep"),
        ("1 " + "*".join("m" * 100), "m", "it has 201 characters, and 120 is the most"),
        ("1 Ym^20", "m^20", "it is beyond what a number can hold"),
        ("20 degC", "K", "'20 degC' counts from a zero of its own: give it in K"),
        ("3 metrs", "m", "there is no unit 'metrs'; did you mean 'metres'"),
        ("12 J (0.00333 W h)", "J", "has more than one number"),
        ("2024-01-01", "s", "'-' does not belong there"),
        ("1_000", "m", "is not a number with a unit"),
        ("1 e 3 m", "m", "has more than one number"),
        ("1 e5", None, "'1 e5' is not a number with a unit: the exponent stands apart from its number; write 1e5"),
        ("1.5 E-3 m", "m", "the exponent stands apart from its number; write 1.5E-3 m"),
        ("3 e", None, "there is no unit 'e'"),
        ("3 ke/c", None, "there is no unit 'ke'"),
        ("1 lambda", None, "there is no unit 'lambda'"),
        ("2 π", None, "there is no unit 'π'"),
        ("3 k", None, "there is no unit 'k'"),
    ],
)
def test_what_cannot_be_read_or_converted_is_said(text, unit, said):
    with pytest.raises(ParameterError) as problem:
        units.to_unit(text, unit)
    assert said in str(problem.value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("N*m", "m*N"),
        ("m/s", "m*s^-1"),
        ("kg*m/s^2", "N"),
        ("1", "1"),
        (None, "kg"),
        ("rev/s", "Hz*rev"),
        ("J", "N*m"),
    ],
)
def test_units_of_one_meaning_are_the_same(one, other):
    assert units.same(one, other)
    assert units.same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rad", "deg"),
        ("rad/s", "rev/s"),
        ("rad", "rev"),
        ("deg", "rev"),
        ("m/s", "knot"),
        ("N", "kN"),
        ("rad/s", "1/s"),
        ("rad", "1"),
        ("m", "ft"),
        ("N", "N*m"),
        ("1", "%"),
    ],
)
def test_units_that_a_wire_must_not_join_differ(one, other):
    """No conversion is made on a wire, so that a number there always is what its port says."""
    assert not units.same(one, other)
    assert not units.same(other, one)


def test_a_unit_that_does_not_exist_is_said():
    with pytest.raises(ParameterError, match=r"'metre_per_fortnite' is not a unit"):
        units.same("metre_per_fortnite", "m/s")


def test_units_of_matrices_are_those_of_their_products():
    """A matrix that takes accelerations to forces, and so on: every element, against pint."""
    wrench = ("N", "N", "N", "N*m", "N*m", "N*m")
    for matrix, column in (
        (units.INERTIA, ("m/s^2",) * 3 + ("rad/s^2",) * 3),
        (units.LINEAR_DAMPING, ("m/s",) * 3 + ("rad/s",) * 3),
        (units.STIFFNESS, ("m",) * 3 + ("rad",) * 3),
    ):
        registry = units.registry()
        assert len(matrix) == 36
        for i, row in enumerate(wrench):
            for j, by in enumerate(column):
                expected = (
                    registry.Quantity(1.0, row) / registry.Quantity(1.0, by.replace("rad", "dimensionless"))
                ).to_base_units()
                found = registry.Quantity(1.0, matrix[6 * i + j]).to_base_units()
                assert found.dimensionality == expected.dimensionality, (i, j)
                assert found.magnitude == pytest.approx(expected.magnitude)


def test_common_units_have_their_unit_of_si() -> None:
    """Revolutions stay revolutions: 60 rpm are 1 rev/s, not 2π rad/s."""
    found = {
        unit: units.si_unit(unit) for unit in ("deg", "kn", "rpm", "deg/s", "kN", "min", "1", "percent", "rev", "N*s/m")
    }
    assert found == {
        "deg": "rad", "kn": "m/s", "rpm": "rev/s", "deg/s": "rad/s", "kN": "N", "min": "s", "1": "1", "percent": "1",
        "rev": "rev", "N*s/m": "N*s/m",
    }  # fmt: skip


def test_revolutions_where_something_else_is_wanted() -> None:
    with pytest.raises(ParameterError, match=r"'30 rpm' is in rpm, but N is wanted"):
        units.to_unit("30 rpm", "N")


@pytest.mark.parametrize(
    ("one", "other"), [("ft", "survey_foot"), ("year", "common_year"), ("hp", "metric_horsepower"), ("yard", "m")]
)
def test_units_that_are_nearly_the_same_differ(one: str, other: str) -> None:
    """By 2e-6, 7e-4, 1.4e-2 and 9e-2, of one dimension."""
    assert not units.same(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("kPa*L", "J"), ("deg/min", "arcmin/s"), ("rpm", "rev/min"), ("kn", "nmi/h"), ("mbar", "hPa")]
)
def test_units_that_differ_by_rounding_are_the_same(one: str, other: str) -> None:
    assert units.same(one, other)
