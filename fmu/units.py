"""Units in FMI's terms: their names there, exponents of the SI base units, and the units that people like to see."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass
from fractions import Fraction

from blocks.errors import ParameterError, shorten
from blocks.unit_grammar import Factors, UnitSyntaxError, factors, plain
from blocks.units import parse, registry

BASE = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")
"""The attributes of FMI's BaseUnit that hold exponents."""

Exponents = tuple[int, ...]


@dataclass(frozen=True)
class DisplayUnit:
    """A unit for people: a value in it is `factor` times the value in the unit."""

    name: str
    factor: float


@dataclass(frozen=True)
class Unit:
    """A unit by the name that it has in the FMU. A value in SI base units is `factor` times the value in it.

    rooted: whether it has roots, such as m/s/√Hz, which Modelica has no units of.
    """

    name: str
    exponents: Exponents
    factor: float = 1.0
    displays: tuple[DisplayUnit, ...] = ()
    preferred: str | None = None
    rooted: bool = False
    quantity: str | None = None


def _exponents(**given: int) -> Exponents:
    return tuple(given.get(name, 0) for name in BASE)


# What the library's declarations are written in. pint knows them all, but takes longer to load than an export takes.
_SYMBOLS: dict[str, tuple[float, Exponents]] = {
    "1": (1.0, _exponents()),
    **{name: (1.0, _exponents(**{name: 1})) for name in BASE},
    "rev": (2.0 * math.pi, _exponents(rad=1)),
    "Hz": (1.0, _exponents(s=-1)),
    "N": (1.0, _exponents(kg=1, m=1, s=-2)),
    "Pa": (1.0, _exponents(kg=1, m=-1, s=-2)),
    "J": (1.0, _exponents(kg=1, m=2, s=-2)),
    "W": (1.0, _exponents(kg=1, m=2, s=-3)),
    "C": (1.0, _exponents(A=1, s=1)),
    "V": (1.0, _exponents(kg=1, m=2, s=-3, A=-1)),
}

_DEGREE = 180.0 / math.pi
# Units for people; the first is shown unless its unit is also the natural one to read.
_DISPLAYS: dict[str, tuple[DisplayUnit, ...]] = {
    "rad": (DisplayUnit("deg", _DEGREE),),
    "rad/s": (DisplayUnit("deg/s", _DEGREE),),
    "rad/s^2": (DisplayUnit("deg/s2", _DEGREE),),
    "rev/s": (DisplayUnit("rpm", 60.0),),
    "m/s": (DisplayUnit("kn", 3600.0 / 1852.0), DisplayUnit("km/h", 3.6)),
    "m": (DisplayUnit("NM", 1.0 / 1852.0), DisplayUnit("km", 1e-3)),
    "s": (DisplayUnit("min", 1.0 / 60.0), DisplayUnit("h", 1.0 / 3600.0)),
    "kg": (DisplayUnit("t", 1e-3),),
    "N": (DisplayUnit("kN", 1e-3),),
    "N*m": (DisplayUnit("kN.m", 1e-3),),
    "W": (DisplayUnit("kW", 1e-3),),
    "J": (DisplayUnit("kJ", 1e-3), DisplayUnit("kW.h", 1.0 / 3.6e6)),
    "Pa": (DisplayUnit("bar", 1e-5),),
}
_PREFERRED = ("rad", "rad/s", "rad/s^2", "rev/s")

_QUANTITIES = {
    "rad": "Angle", "rad/s": "AngularVelocity", "rad/s^2": "AngularAcceleration", "rev/s": "RotationalFrequency",
    "m": "Length", "m/s": "Velocity", "m/s^2": "Acceleration", "s": "Time", "kg": "Mass", "kg*m^2": "MomentOfInertia",
    "N": "Force", "N*m": "Torque", "W": "Power", "J": "Energy", "Pa": "Pressure", "V": "ElectricPotential",
    "A": "ElectricCurrent", "C": "ElectricCharge", "K": "ThermodynamicTemperature", "Hz": "Frequency",
    "kg/m^3": "Density",
}  # fmt: skip


@functools.cache
def unit(text: str) -> Unit:
    """The unit that a declaration names "kg*m^2", by its Modelica name "kg.m2" that FMI tools understand.

    Raises ParameterError if it is none.
    """
    try:
        made_of = factors(text)
    except UnitSyntaxError as problem:
        raise ParameterError(f"'{shorten(text, 60)}' is not a unit: {problem}") from None
    factor, exponents = _known(made_of) or _ask_pint(text)
    displays = _DISPLAYS.get(text, ())
    return Unit(
        name=_name(text, made_of),
        exponents=exponents,
        factor=factor,
        displays=displays,
        preferred=displays[0].name if text in _PREFERRED else None,
        rooted=any(power.denominator != 1 for _, power in made_of),
        quantity=_QUANTITIES.get(text),
    )


_PER_SECOND, _SECONDS = re.compile(r"(.*)/s(?:\^(\d+))?"), re.compile(r"(.*)\*s")
_RATES = {"s": "1", "J": "W", "C": "A"}


@functools.cache
def per_second(text: str) -> str:
    """The unit of the derivative of a quantity with this unit, as a declaration would name it: "m/s" gives "m/s^2"."""
    if match := _PER_SECOND.fullmatch(text):
        return f"{match[1]}/s^{int(match[2] or 1) + 1}"
    if match := _SECONDS.fullmatch(text):
        return match[1]
    return _RATES.get(text, f"{text}/s")


def _name(text: str, made_of: Factors) -> str:
    """A unit in Modelica's way: "N.s2/m2", "N/(m.s)". Roots, which it has no exponents for, are left as they stand."""
    if all(power.denominator == 1 for _, power in made_of):
        above, below = (
            [f"{symbol}{abs(power) if abs(power) != 1 else ''}" for symbol, power in made_of if power * sign > 0]
            for sign in (1, -1)
        )
        divisor = f"({'.'.join(below)})" if len(below) > 1 else "".join(below)
        return f"{'.'.join(above) or '1'}{'/' if below else ''}{divisor}"
    bare = re.sub(r"\s*([*/^().·⋅])\s*", r"\1", plain(text).strip().replace("**", "^"))
    return re.sub(r"[*·⋅\s]+", ".", bare).replace("^", "")


def _known(made_of: Factors) -> tuple[float, Exponents] | None:
    """Factor and exponents of a product of known symbols, from left to right; None if there is more in it."""
    factor, total = 1.0, [0] * len(BASE)
    for symbol, power in made_of:
        if symbol not in _SYMBOLS or power.denominator != 1:
            return None
        scale, exponents = _SYMBOLS[symbol]
        factor *= float(Fraction(scale) ** int(power))
        total = [have + int(power) * more for have, more in zip(total, exponents, strict=True)]
    return factor, tuple(total)


_PINT_NAMES = {
    "kilogram": "kg", "meter": "m", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol", "candela": "cd",
    "radian": "rad",
}  # fmt: skip


def _ask_pint(text: str) -> tuple[float, Exponents]:
    """The same from pint. Exponents that FMI cannot express (of a root, say) leave the unit without dimension."""
    base = registry().Quantity(1.0, parse(text)).to_base_units()
    powers = {str(name): Fraction(str(power)) for name, power in dict(base.units._units).items()}
    if any(name not in _PINT_NAMES or power.denominator != 1 for name, power in powers.items()):
        return 1.0, _exponents()
    return float(base.magnitude), _exponents(**{_PINT_NAMES[name]: int(power) for name, power in powers.items()})
