"""Units at the edges: text such as "15 deg" becomes SI, and units are compared by meaning, not spelling (by pint)."""

from __future__ import annotations

import contextlib
import functools
import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from blocks.errors import ParameterError, did_you_mean, shorten
from blocks.unit_grammar import MoreNumbersError, UnitSyntaxError, factors, split

if TYPE_CHECKING:
    import pint


@functools.cache
def registry() -> pint.UnitRegistry[Any]:
    """The one pint registry, made when first needed because making it takes longer than importing this package.

    It counts in fractions, so that factors are right to the last bit, and the same by every C library.
    """
    import pint

    ureg: pint.UnitRegistry[Any] = pint.UnitRegistry(non_int_type=Fraction)
    ureg.define("rev = turn")
    return ureg


_TURNS = ("turn", "rev", "revolution", "revolutions_per_minute", "revolutions_per_second")


def parse(unit: str) -> pint.Unit:
    """A unit as pint has it. Raises ParameterError, with the nearest name, if it is not a unit."""
    try:
        return _parse(unit or "1")
    except UnitSyntaxError as problem:
        raise ParameterError(f"'{shorten(unit, 60)}' is not a unit: {problem}") from None


@functools.lru_cache(maxsize=1024)
def _parse(unit: str) -> pint.Unit:
    powers: dict[str, Any] = {}
    ureg = registry()
    try:
        found = factors(unit)
        for name, power in found:
            if full := _full_name(name):  # "dimensionless" has none
                powers[full] = powers.get(full, 0) + power
        if len(found) > 1 or any(power != 1 for power in powers.values()):  # where a zero of its own means nothing
            powers = {_difference(name): power for name, power in powers.items()}
        exact = {name: int(power) if power == int(power) else float(power) for name, power in powers.items() if power}
        made = ureg.Unit(ureg.UnitsContainer(exact))
        ureg.Quantity(1.0, made).to_base_units()
    except OverflowError:
        raise UnitSyntaxError("it is beyond what a number can hold") from None
    return made


def _full_name(name: str) -> str:
    """pint's name: "kilonewton" of "kN". Raises UnitSyntaxError."""
    import pint

    known = "degree" if name == "°" else name
    with contextlib.suppress(pint.UndefinedUnitError):
        if not any(_NO_UNIT.fullmatch(unit) for _, unit, _ in registry().parse_unit_name(known)[:1]):
            return registry().get_name(known)
    near = did_you_mean(name, _COMMON_NAMES)
    hint = near if near.endswith("?") else ""
    raise UnitSyntaxError(f"there is no unit '{shorten(name, 30)}'{hint}")


_NO_UNIT = re.compile(
    r".*_constant(_\w+)?|(planck|atomic_unit|conventional|wien)_\w+|(water|mercury)_density_\w+|pi|ln10|tansec|zeta"
    r"|lambda|gamma|gamma_mass|eulers_number|avogadro_number|speed_of_light|elementary_charge"
    r"|electron_g_factor|(electron|proton|neutron)_mass|thomson_cross_section|classical_electron_radius"
    r"|conductance_quantum|magnetic_flux_quantum|impedance_of_free_space|vacuum_permeability|vacuum_permittivity"
)
"""What pint knows besides units: constants, under letters such as e, c and k, and names out of use."""


def _difference(name: str) -> str:
    """Of a unit with a zero of its own, such as degC, the unit of differences."""
    if registry()._units[name].is_multiplicative:
        return name
    if f"delta_{name}" not in registry()._units:
        raise UnitSyntaxError(f"{name} is logarithmic, and can be no part of another unit")
    return f"delta_{name}"


_COMMON_NAMES = (
    "m", "metre", "metres", "meter", "meters", "mm", "cm", "km", "ft", "foot", "feet", "inch", "nmi", "nautical_mile",
    "s", "second", "seconds", "min", "minute", "minutes", "h", "hour", "hours", "ms", "day", "days", "kn", "knot",
    "knots", "kg", "kilogram", "t", "tonne", "g", "gram", "N", "newton", "kN", "MN", "Pa", "pascal", "kPa", "bar",
    "mbar", "rad", "radian", "radians", "deg", "degree", "degrees", "rev", "rpm", "Hz", "hertz", "W", "watt", "kW",
    "MW", "J", "joule", "Wh", "kWh", "V", "volt", "A", "ampere", "Ah", "C", "coulomb", "ohm", "K", "kelvin", "percent",
)  # fmt: skip
"""What a name may be meant for."""


@functools.lru_cache(maxsize=1024)
def _root(unit: str) -> tuple[Fraction, tuple[tuple[str, float], ...]]:
    """Scale to SI base units and the exponents, keeping radians and revolutions as what they are."""
    ureg = registry()
    parsed = parse(unit)
    powers = {name: Fraction(power) for name, power in parsed._units.items()}  # type: ignore[arg-type]
    turns = sum((power for name, power in powers.items() if name in _TURNS), Fraction())
    base = ureg.Quantity(1, parsed).to_base_units()
    exponents = {str(name): float(power) for name, power in base.units._units.items()}  # type: ignore[arg-type]
    scale = math.prod((_raised(_in_si(name), power) for name, power in powers.items()), start=Fraction(1))
    # pint takes a revolution for 2π rad; a shaft speed in rev/s and a rate in rad/s must not pass for each other
    if turns:
        scale /= _raised(_in_si("turn"), turns)
        exponents["radian"] = exponents.get("radian", 0.0) - float(turns)
        exponents["rev"] = float(turns)
    return scale, tuple(sorted((n, p) for n, p in exponents.items() if p))


def _in_si(name: str) -> Fraction:
    return Fraction(registry().Quantity(Fraction(1), name).to_base_units().magnitude)


def _raised(scale: Fraction, power: Fraction) -> Fraction:
    """Exact for whole powers; of roots the same double everywhere."""
    if power.denominator == 1:
        return scale ** int(power)
    if power.denominator == 2:
        return Fraction(math.sqrt(scale ** int(2 * power)))
    from cython_kernels import elementary

    return Fraction(float(elementary.pow(float(scale), float(power))))


def same(a: str | None, b: str | None) -> bool:
    """True if the units mean the same; None is any unit."""
    if a is None or b is None or a == b:
        return True
    (scale_a, dim_a), (scale_b, dim_b) = _root(a), _root(b)
    return dim_a == dim_b and math.isclose(scale_a, scale_b, rel_tol=1e-12)


_FREQUENT = {
    ("deg", "rad"): math.pi / 180.0,
    ("deg/s", "rad/s"): math.pi / 180.0,
    ("rpm", "rev/s"): 1.0 / 60.0,
    ("min", "s"): 60.0,
}
"""Conversions for which the registry, which takes a second to make, is not needed."""

_EXACT = {
    ("%", "1"): Fraction(1, 100),
    ("A*h", "C"): Fraction(3600),
    ("Ah", "C"): Fraction(3600),
    ("kn", "m/s"): Fraction(1852, 3600),
    ("h", "s"): Fraction(3600),
    ("ms", "s"): Fraction(1, 1000),
    ("km", "m"): Fraction(1000),
    ("cm", "m"): Fraction(1, 100),
    ("mm", "m"): Fraction(1, 1000),
    ("kW", "W"): Fraction(1000),
    ("kN", "N"): Fraction(1000),
}
"""More of them, as the registry has them: rounded once."""


def to_unit(text: str, unit: str | None) -> float:
    """A number with a unit, such as "15 deg", in `unit`; None: in SI, with rad for angles and rev for revolutions.

    Raises ParameterError if it cannot be read or converted.
    """
    text = text.strip()
    try:
        number, name = split(text)
        factor = 1.0 if name in ("", unit) else _FREQUENT.get((name, unit or ""))
        if factor is not None:
            return number * factor
        if (exact := _EXACT.get((name, unit or ""))) is not None:
            return _times(number, exact)
        given = _parse(name)
    except MoreNumbersError:
        raise ParameterError(
            f"'{shorten(text, 60)}' has more than one number where one with its unit is wanted, such as '52.25 deg'"
        ) from None
    except UnitSyntaxError as problem:
        raise ParameterError(f"'{shorten(text, 60)}' is not a number with a unit: {problem}") from None
    if any(not registry()._units[one].is_multiplicative for one in given._units):
        raise ParameterError(f"'{text}' counts from a zero of its own: give it in K")
    scale_given, dim_given = _root(name)
    if unit is None:
        return _times(number, scale_given)
    scale, dim = _root(unit)
    wanted = parse(unit)
    if "rev" in dict(dim_given) and "rev" not in dict(dim) and given.is_compatible_with(wanted):
        turns = _raised(_in_si("turn"), Fraction(dict(dim_given)["rev"]))
        return _times(number, scale_given * turns / scale)  # "30 rpm" for rad/s is clear enough
    if dim_given != dim:
        wanted_text = "a number without a unit" if unit == "1" else unit
        minutes = "; minutes are 'min', milliseconds 'ms'" if (name, unit) == ("m", "s") else ""
        raise ParameterError(f"'{text}' is in {given:~C}, but {wanted_text} is wanted{minutes}")
    return _times(number, scale_given / scale)


def _times(number: float, factor: Fraction) -> float:
    """Rounded once; infinite beyond what a number can hold."""
    try:
        return float(Fraction(number) * factor) if math.isfinite(number) else number
    except OverflowError:
        return math.copysign(math.inf, number)


_COMMON = (
    "rev", "rev/s", "1", "rad", "rad/s", "m/s", "m", "s", "N", "N*m", "kg", "W", "J", "V", "A", "rad/s^2", "m/s^2",
)  # fmt: skip


def si_unit(unit: str) -> str:
    """The unit of SI of the same dimension: "rad" of "deg", "m/s" of "kn"; the unit itself if it is no common one."""
    if unit in ("", "1"):
        return "1"
    for base in _COMMON:
        try:
            to_unit(f"1 {unit}", base)
        except ParameterError:
            continue
        return base
    return unit


_FOR_PEOPLE = {
    "rad": ("deg", 180.0 / math.pi),
    "rad/s": ("deg/s", 180.0 / math.pi),
    "rad/s^2": ("deg/s²", 180.0 / math.pi),
    "rev/s": ("rpm", 60.0),
    "m/s^2": ("m/s²", 1.0),
    "N*m": ("N m", 1.0),
    "1": ("", 1.0),
}


def for_people(unit: str) -> tuple[str, float]:
    """The unit in which figures and screens show a quantity in SI, and by what its values are multiplied."""
    return _FOR_PEOPLE.get(unit, (unit, 1.0))


def matrix(rows: tuple[str, ...], columns: tuple[str, ...]) -> tuple[str, ...]:
    """Units of a matrix that takes `columns` to `rows`, row by row: N per m/s^2 becomes kg and the like."""
    return tuple(_per(row, column) for row in rows for column in columns)


_PER = {
    ("N", "m/s^2"): "kg",
    ("N", "rad/s^2"): "kg*m",
    ("N*m", "m/s^2"): "kg*m",
    ("N*m", "rad/s^2"): "kg*m^2",
    ("N", "m/s"): "N*s/m",
    ("N", "rad/s"): "N*s",
    ("N*m", "m/s"): "N*s",
    ("N*m", "rad/s"): "N*m*s",
    ("N", "m^2/s^2"): "N*s^2/m^2",
    ("N", "rad^2/s^2"): "N*s^2",
    ("N*m", "m^2/s^2"): "N*s^2/m",
    ("N*m", "rad^2/s^2"): "N*m*s^2",
    ("N", "m"): "N/m",
    ("N", "rad"): "N",
    ("N*m", "m"): "N",
    ("N*m", "rad"): "N*m",
}


def _per(row: str, column: str) -> str:
    return _PER[row, column]


_WRENCH = ("N", "N", "N", "N*m", "N*m", "N*m")
INERTIA = matrix(_WRENCH, ("m/s^2",) * 3 + ("rad/s^2",) * 3)
LINEAR_DAMPING = matrix(_WRENCH, ("m/s",) * 3 + ("rad/s",) * 3)
QUADRATIC_DAMPING = matrix(_WRENCH, ("m^2/s^2",) * 3 + ("rad^2/s^2",) * 3)
STIFFNESS = matrix(_WRENCH, ("m",) * 3 + ("rad",) * 3)
