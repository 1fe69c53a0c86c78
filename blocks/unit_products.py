"""Units of products and quotients, by their dimensions; without pint for those that ports have, which is quick."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction

from blocks.errors import ParameterError, shorten
from blocks.unit_grammar import UnitSyntaxError, factors
from blocks.units import _root

Dimensions = tuple[tuple[str, Fraction], ...]
"""Base units of SI, with rad and rev, and their exponents, in the order of the alphabet."""

_MADE_OF: Mapping[str, Mapping[str, int]] = {
    "1": {},
    **{name: {name: 1} for name in ("kg", "m", "s", "A", "K", "rad", "rev")},
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "Hz": {"s": -1},
    "deg": {"rad": 1},
}
_PINT = {"kilogram": "kg", "meter": "m", "second": "s", "ampere": "A", "kelvin": "K", "radian": "rad", "rev": "rev"}
_SHOWN = (
    "1", "rad", "rad/s", "rad/s^2", "rev/s", "m", "m/s", "m/s^2", "s", "N", "N*m", "W", "kg", "V", "A", "N/m",
)  # fmt: skip


@functools.lru_cache(maxsize=1024)
def dimensions(unit: str) -> Dimensions:
    """What a unit is made of, whatever its scale. Raises ParameterError if it is none."""
    try:
        parts = factors(unit) if unit != "1" else ()
    except UnitSyntaxError as problem:
        raise ParameterError(f"'{shorten(unit, 60)}' is not a unit: {problem}") from None
    found: dict[str, Fraction] = {}
    for name, power in parts:
        known = _MADE_OF.get(name)
        if known is None:
            known = {_PINT.get(base, base): exponent for base, exponent in _root(name)[1]}  # type: ignore[misc]
        for base, exponent in known.items():
            found[base] = found.get(base, Fraction(0)) + power * Fraction(exponent)
    return tuple(sorted((base, power) for base, power in found.items() if power))


def product(*parts: tuple[str, int | Fraction]) -> str:
    """The unit of SI of a product of units to given powers."""
    return named(times(*((dimensions(unit), power) for unit, power in parts)))


def times(*parts: tuple[Dimensions, int | Fraction]) -> Dimensions:
    """What a product of units to given powers is made of."""
    found: dict[str, Fraction] = {}
    for made, power in parts:
        for base, exponent in made:
            found[base] = found.get(base, Fraction(0)) + exponent * power
    return tuple(sorted((base, power) for base, power in found.items() if power))


@functools.lru_cache(maxsize=1024)
def named(made: Dimensions) -> str:
    """The unit of SI that is made of these: by its own name if it is a usual one, else such as kg/(m*s^2)."""
    for unit in _SHOWN:
        if dimensions(unit) == made:
            return unit
    above = "*".join(_raised(base, power) for base, power in made if power > 0) or "1"
    below = [_raised(base, -power) for base, power in made if power < 0]
    return above + (f"/({'*'.join(below)})" if len(below) > 1 else f"/{below[0]}" if below else "")


@functools.lru_cache(maxsize=1024)
def is_usual(made: Dimensions) -> bool:
    """Whether it is one of those that ports have, which go by their own names."""
    return any(dimensions(unit) == made for unit in _SHOWN)


def _raised(base: str, power: Fraction) -> str:
    return base if power == 1 else f"{base}^{power}" if power.denominator == 1 else f"{base}^({power})"


def agree(one: str, other: str) -> bool:
    """Whether two units have the same dimension, where a product may have gained or lost an angle or a turn."""
    return one == other or without_turns(dimensions(one)) == without_turns(dimensions(other))


def without_turns(made: Dimensions) -> Dimensions:
    """All but angles and turns."""
    return tuple(item for item in made if item[0] not in ("rad", "rev"))
