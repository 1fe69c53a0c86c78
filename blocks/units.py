"""Units at the edges: text such as "15 deg" becomes SI, and units are compared by meaning, not spelling (by pint)."""

from __future__ import annotations

import functools
import math
import re
from typing import TYPE_CHECKING, Any

from blocks.errors import ParameterError

if TYPE_CHECKING:
    import pint


@functools.cache
def registry() -> pint.UnitRegistry[Any]:
    """The one pint registry, made when first needed because making it takes longer than importing this package."""
    import pint

    ureg: pint.UnitRegistry[Any] = pint.UnitRegistry()
    ureg.define("rev = turn")
    return ureg


_TURNS = ("turn", "rev", "revolution", "revolutions_per_minute", "revolutions_per_second")


@functools.cache
def _root(unit: str) -> tuple[float, tuple[tuple[str, float], ...]]:
    """Scale to SI base units and the exponents, keeping radians and revolutions as what they are."""
    ureg = registry()
    try:
        parsed = ureg.Unit("" if unit == "1" else unit)
    except Exception as problem:  # pint raises many kinds
        raise ParameterError(f"'{unit}' is not a unit: {problem}") from None
    turns = {name: float(power) for name, power in parsed._units.items() if name in _TURNS}  # type: ignore[arg-type]
    base = ureg.Quantity(1.0, parsed).to_base_units()
    exponents = {str(name): float(power) for name, power in base.units._units.items()}  # type: ignore[arg-type]
    # pint takes a revolution for 2π rad; a shaft speed in rev/s and a rate in rad/s must not pass for each other
    scale = float(base.magnitude) / math.prod((2 * math.pi) ** power for power in turns.values())
    if turns:
        power = sum(turns.values())
        exponents["radian"] = exponents.get("radian", 0.0) - power
        exponents["rev"] = power
    return scale, tuple(sorted((n, p) for n, p in exponents.items() if p))


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


def to_unit(text: str, unit: str | None) -> float:
    """A number with a unit, such as "15 deg", in `unit`; None: in SI, with rad for angles and rev for revolutions.

    Raises ParameterError if it cannot be read or converted.
    """
    text = text.strip()
    number, _, name = text.partition(" ")
    factor = 1.0 if name in ("", unit) else _FREQUENT.get((name.strip(), unit or ""))
    if factor is not None:
        try:
            return float(number) * factor
        except ValueError:
            pass
    if not text or text[0] not in "+-.0123456789":
        raise ParameterError(f"'{text}' is not a number with a unit")
    if _more_than_one_number(text):
        raise ParameterError(
            f"'{text}' has more than one number where one with its unit is wanted, such as '52.25 deg'"
        )
    ureg = registry()
    try:
        quantity: Any = ureg.Quantity(_ROOT.sub(r"(\1\2)**0.5", text))
    except Exception as problem:  # pint and its tokenizer raise many kinds
        raise ParameterError(f"'{text}' is not a number with a unit ({problem})") from None
    given = f"{quantity.units:C}" or "1"
    scale_given, dim_given = _root(given)
    if unit is None:
        return float(quantity.magnitude) * scale_given
    scale, dim = _root(unit)
    if "rev" in dict(dim_given) and "rev" not in dict(dim) and quantity.is_compatible_with(unit):
        return float(quantity.to(unit).magnitude)  # "30 rpm" where rad/s is wanted is clear enough
    if dim_given != dim:
        raise ParameterError(f"'{text}' is in {quantity.units:~C}, but {unit} is wanted")
    return float(quantity.magnitude) * scale_given / scale


_ROOT = re.compile(r"√\s*(\w+)|\bsqrt\s*\(\s*(\w+)\s*\)")
"""Roots as data sheets write them, "0.005 deg/s/√Hz"."""

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


_TOKEN = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[^\W\d]\w*|\S")


def _more_than_one_number(text: str) -> bool:
    """True for "52 deg 30" or "52.1.2 deg", products to pint; exponents and "0.5 1/s" are no second numbers."""
    tokens = _TOKEN.findall(text)
    return any(
        token[0] in ".0123456789" and before not in "+-*/^(" and (token, after) != ("1", "/")
        for before, token, after in zip(tokens[:-1], tokens[1:], [*tokens[2:], ""], strict=True)
    )


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
