"""What derivatives are divided by in the systems they are published in, and whether a set looks like its system."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from blocks.basic.common import NO_LIMIT
from blocks.dynamics.derivatives import SYSTEMS, Term
from blocks.errors import ParameterError

_GRAVITY = 9.81
LIKELY = (0.2, 3.0)
"""Added mass in sway over the mass of a ship."""
_POSSIBLE = (0.1, 10.0)


@dataclass(frozen=True)
class Ship:
    """What the systems are made of: m, kg; ρ, kg/m³; L and T, m. What is not known is 0."""

    mass: float
    density: float
    length: float
    draught: float

    def added_mass_unit(self, system: str) -> float:
        """Kilograms in a 1 of the system. 0: it needs what is not known."""
        if system == "SI":
            return 1.0
        if system == "bis":
            return self.mass
        area = self.length * (self.length if system == "prime_I" else self.draught)
        return 0.5 * self.density * area * self.length


def check_sizes(called: str, system: str, ship: Ship, terms: Iterable[Term], water_depth: float) -> None:
    """Raise ParameterError if the system or the depth wants a length that is not given, or the ship is aground."""
    wants: Mapping[str, tuple[str, ...]] = {
        "SI": (), "prime_I": ("length",), "prime_II": ("length", "draught"), "bis": ("length", "mass"),
    }  # fmt: skip
    shallow = [term.name for term in terms if term.depth]
    for name in (*wants[system], *(("draught",) if shallow else ())):
        if not getattr(ship, name) > 0.0:
            why = f'system="{system}"' if name in wants[system] else f"ζ = T/(h - T), in {shallow[0]},"
            raise ParameterError(f"{called}.{name} must be above 0: {why} wants it", code="missing-parameter")
    if not water_depth > ship.draught:
        raise ParameterError(
            f"{called}.water_depth must be above the draught of {ship.draught:g} m, not {water_depth:g} m: the ship "
            f"would be aground"
        )


def check_signs(called: str, terms: Iterable[Term]) -> None:
    """Raise ParameterError for an added mass with the sign of a mass: derivatives are forces, and so negative."""
    for term in terms:
        if term.name in ("X_udot", "Y_vdot", "K_pdot", "N_rdot") and term.coefficient > 0.0:
            raise ParameterError(
                f"{called}.derivatives: {term.name} must not be positive, not {term.coefficient:g}: derivatives have "
                f"the sign of the force, against the acceleration; {-term.coefficient:g} is meant where the source "
                f"gives added mass"
            )


def check_system(called: str, system: str, ship: Ship, terms: Iterable[Term]) -> None:
    """Raise ParameterError if the added mass in sway is no ship's in this system, and one in another.

    It is 0.2 to 3 times the mass of ships and boats; prime systems I and II lie L/T, some 20, apart, and SI is further.
    """
    found = [term.coefficient for term in terms if term.name == "Y_vdot"]
    if not found or not found[0] < 0.0 or not ship.mass > 0.0:
        return
    share = -found[0] * ship.added_mass_unit(system) / ship.mass
    if _POSSIBLE[0] <= share <= _POSSIBLE[1]:
        return
    others = {
        other: -found[0] * ship.added_mass_unit(other) / ship.mass
        for other in SYSTEMS
        if other != system and ship.added_mass_unit(other) > 0.0
    }
    likely = {other: it for other, it in others.items() if LIKELY[0] <= it <= LIKELY[1]}
    if likely:
        nearest: Callable[[str], float] = lambda other: abs(math.log(likely[other]))  # noqa: E731
        best = min(likely, key=nearest)
        raise ParameterError(
            f"{called}.derivatives: Y_vdot = {found[0]:g} in the system {system} is an added mass of {share:.3g} times "
            f"the ship's mass, and ships have 0.5 to 1.5. In the system {best} it would be {likely[best]:.2g}: is "
            f'system="{best}" meant? If not, see mass, length, draught and density',
            code="wrong-system",
        )


def inertia_of(parameters: Mapping[str, Any], terms: Iterable[Term], rolls: bool) -> list[list[float]]:
    """M of surge, sway, roll and yaw, 4×4, as the kernel has it: for checks."""
    m, (x_g, z_g) = float(parameters["mass"]), map(float, parameters["centre_of_gravity"])
    z_g = z_g if rolls else 0.0
    matrix = [
        [m, 0.0, 0.0, 0.0],
        [0.0, m, -m * z_g, m * x_g],
        [0.0, -m * z_g, float(parameters["roll_inertia"]), 0.0],
        [0.0, m * x_g, 0.0, float(parameters["yaw_inertia"])],
    ]
    ship = Ship(m, *(float(parameters[name]) for name in ("density", "length", "draught")))
    system = str(parameters["system"])
    length = 1.0 if system == "SI" else ship.length
    draught, depth = ship.draught, float(parameters["water_depth"])
    ratio = draught / (depth - draught) if depth < NO_LIMIT else 0.0
    for term in terms:
        if term.acceleration:
            row, column = "XYKN".index(term.axis), "uvpr".index(term.acceleration)
            factor = ship.added_mass_unit(system) * length ** ((row > 1) + (column > 1))
            matrix[row][column] -= term.coefficient * factor * max(ratio - term.beyond, 0.0) ** term.depth
    return matrix
