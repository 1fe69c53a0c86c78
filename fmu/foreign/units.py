"""From an FMU's units to this library's: SI, radians for angles and revolutions for shafts, and how to convert."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from blocks.errors import KeelblocksError
from blocks.units import parse, registry
from fmu.units import BASE, unit

_COMMON: dict[str, tuple[str, float, float]] = {
    "deg": ("rad", math.pi / 180.0, 0.0), "deg/s": ("rad/s", math.pi / 180.0, 0.0), "rpm": ("rev/s", 1.0 / 60.0, 0.0),
    "r/min": ("rev/s", 1.0 / 60.0, 0.0), "kn": ("m/s", 1852.0 / 3600.0, 0.0), "km/h": ("m/s", 1.0 / 3.6, 0.0),
    "degC": ("K", 1.0, 273.15), "bar": ("Pa", 1e5, 0.0), "kPa": ("Pa", 1e3, 0.0), "MPa": ("Pa", 1e6, 0.0),
    "kN": ("N", 1e3, 0.0), "kN.m": ("N*m", 1e3, 0.0), "kW": ("W", 1e3, 0.0), "MW": ("W", 1e6, 0.0),
    "kW.h": ("J", 3.6e6, 0.0), "km": ("m", 1e3, 0.0), "mm": ("m", 1e-3, 0.0), "t": ("kg", 1e3, 0.0),
    "min": ("s", 60.0, 0.0), "h": ("s", 3600.0, 0.0), "%": ("1", 0.01, 0.0),
}  # fmt: skip


@dataclass(frozen=True)
class Conversion:
    """A value in `unit` is scale·v + offset, v being the value in the FMU. `unit` None goes with any unit."""

    unit: str | None
    scale: float = 1.0
    offset: float = 0.0

    def out(self, value: Any) -> Any:
        """From the FMU."""
        return value if (self.scale, self.offset) == (1.0, 0.0) else value * self.scale + self.offset

    def into(self, value: Any) -> Any:
        """To the FMU."""
        return value if (self.scale, self.offset) == (1.0, 0.0) else (value - self.offset) / self.scale


ANY = Conversion(None)
NUMBER = Conversion("1")


def conversion(name: str | None, definition: Any = None, *, relative: bool = False) -> Conversion:
    """What to make of a unit by its name and, if the FMU has one, its BaseUnit definition.

    A name that means here what the definition says keeps its name if it is SI ("N.m" becomes "N*m"), or is converted
    ("deg" to "rad"). Any other one is converted to SI by the definition. A name that is unknown and not defined goes
    with any unit. A relative quantity (a difference of temperatures) has no offset.
    """
    if not name:
        return ANY
    found = _by_name(name)
    if definition is not None:
        defined = Conversion(_text(definition), definition.factor, 0.0 if relative else definition.offset)
        if found is None or not _means(found, defined):
            found = defined
    if found is None:
        return ANY
    return Conversion(found.unit, found.scale, 0.0) if relative else found


def _by_name(name: str) -> Conversion | None:
    """A unit that this library knows, or pint."""
    if name in _COMMON:
        return Conversion(*_COMMON[name])
    text = _house_text(name)
    try:
        meant = unit(text)
    except KeelblocksError:
        return None
    turns = len(re.findall(r"\brev\b", text))
    if meant.factor == 1.0 or (turns == 1 and math.isclose(meant.factor, 2.0 * math.pi, rel_tol=1e-12)):
        return Conversion(text)
    if not any(meant.exponents) and meant.factor != 1.0:
        return None
    base = _text_of(dict(zip(BASE, meant.exponents, strict=True)))
    zero = float(registry().Quantity(0.0, parse(text)).to_base_units().magnitude)
    return Conversion(base, meant.factor - zero, zero)


def _house_text(name: str) -> str:
    """FMI's (and Modelica's) way to write units in this library's: "kg.m2/s3" as "kg*m^2/s^3"."""
    text = name.replace("·", ".").replace(" ", "")
    text = re.sub(r"(?<=[A-Za-z])(-?\d+)", r"^\1", text)
    text = text.replace(".", "*")
    match = re.fullmatch(r"([^/()]+)/\(([^()]+)\)", text)  # "W/(m2.K)"
    return f"{match[1]}/{match[2].replace('*', '/')}" if match else text


def _text(definition: Any) -> str:
    return _text_of({name: int(getattr(definition, name)) for name in BASE})


def _text_of(exponents: dict[str, int]) -> str:
    """SI exponents as text: "kg*m^2/s^3"."""
    over = "*".join(_power(name, power) for name, power in exponents.items() if power > 0)
    under = "".join(f"/{_power(name, -power)}" for name, power in exponents.items() if power < 0)
    return (over or "1") + under


def _power(name: str, power: int) -> str:
    return name if power == 1 else f"{name}^{power}"


def _means(found: Conversion, defined: Conversion) -> bool:
    """True if the name means what the definition says; radians and revolutions may be left out of a definition."""
    meant, said = unit(found.unit or "1"), unit(defined.unit or "1")
    angle = BASE.index("rad")
    same = all(a == b for i, (a, b) in enumerate(zip(meant.exponents, said.exponents, strict=True)) if i != angle)
    if not same or not math.isclose(found.offset, defined.offset, rel_tol=1e-9, abs_tol=1e-12):
        return False
    scale = found.scale * meant.factor / defined.scale
    # without an angle, "1/min" for a shaft is revolutions
    turned = 2.0 * math.pi if "rev" in (found.unit or "") else 1.0
    return math.isclose(scale, 1.0, rel_tol=1e-6) or (
        said.exponents[angle] == 0 and math.isclose(scale, turned, rel_tol=1e-6)
    )
