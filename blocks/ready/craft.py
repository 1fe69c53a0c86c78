"""What is asked of a vehicle file before a scenario can be made of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.errors import ParameterError, ScenarioError, did_you_mean
from blocks.model.library import library
from blocks.vehicles import describe, list_vehicles
from blocks.vehicles.vehicle import file_or_name
from blocks.vehicles.vehicle_file import Vehicle

Floats = NDArray[np.float64]

KINDS = {
    "usv": "a surface craft without a crew",
    "rov": "a tethered vehicle that hovers",
    "auv": "an underwater vehicle on its own",
    "ship": "a ship, or a model of one",
    "sailboat": "a craft under sail",
}
"""The kinds of craft, in words."""
CRUISE = {
    "remus100": 1.54, "flat_fish": 0.5, "bluerov2_heavy_wu2018": 0.4, "usv_sailboat": 1.0, "dsrv": 4.11,
    "clarke_ship": 3.0, "supply": 1.5, "semisub": 1.0, "npsauv": 1.2, "torpedo": 1.5,
    "kvlcc2": 7.97, "kvlcc2_l7": 1.18, "mariner": 7.7, "container": 7.3, "esso_tanker": 7.2, "naval_vessel": 8.0,
    "frigate": 9.0, "zeefakkel": 4.0, "kcs": 12.35,
}  # fmt: skip
"""Speeds in m/s of those whose numbers hold at one speed only, or name no thrusters."""
THRUSTERS_OF = {"bluerov2_heavy_wu2018": "bluerov2_heavy"}
"""Whose thrusters a vehicle has that brings none; its file says so."""
_G = 9.81
_FROUDE = 0.3
"""Of displacement hulls, U/√(gL): above it waves are made that no damping here knows of."""
_SHARE = 0.35
"""Of the greatest thrust, for which the cruise speed is chosen: what is left is for currents, turns and control."""


@dataclass(frozen=True)
class Craft:
    """A vehicle as a scenario needs it: its file, the block of its vessel, and the sections of its thrust."""

    source: str
    """A name of the library, or the path of a file."""
    name: str
    """The same as it is named in the scenario, seen from where that is."""
    file: Vehicle
    kind: str
    vessel: Block
    section: str
    """That of the vessel, if it has to be named."""

    @property
    def floats(self) -> bool:
        """Whether it stays at the surface."""
        return self.kind in ("usv", "ship", "sailboat")

    @property
    def length(self) -> float:
        """Over all, m; for a file that does not say, that of a body as heavy and five times as long as wide."""
        known = self.file.dimensions.metres("length")
        return known or 2.2 * (self.mass / 1000.0) ** (1.0 / 3.0)

    @property
    def mass(self) -> float:
        """In surge, without added mass, kg."""
        values = self.vessel.values
        for name in ("rigid_body_inertia", "mass", "inertia"):
            if name in values:
                return float(np.ravel(np.asarray(values[name]))[0])
        if "displacement" in values:
            return float(np.prod([np.asarray(values[name], dtype=float) for name in ("displacement", "density")]))
        return 100.0

    def section_for(self, type_name: str) -> str:
        """The section of the vehicle file for a type of block, or nothing."""
        return next((name for name, part in self.file.sections.items() if part.type == type_name), "")

    def block(self, type_name: str, **more: Any) -> Block:
        """A block of the vehicle."""
        cls: Any = library()[type_name]
        made: Block = cls.from_vehicle(self.source, self.section_for(type_name), **more)
        return made


def craft(vehicle: str, kind: str | None = None, seen_from: Path | None = None) -> Craft:
    """A vehicle by its name or file, whose path is written as seen from a folder.

    Raises VehicleError, and ScenarioError if it is of another kind.
    """
    name = file_or_name(vehicle)
    own_file = name.endswith((".yaml", ".yml"))
    if kind is not None and not own_file and name not in list_vehicles():
        near = did_you_mean(name, vehicles_of(kind)) or f"; {_listed(kind)}"
        by_path = "A file of your own is given by its path, ending in .yaml"
        raise ScenarioError(f"there is no vehicle '{name}'{near}{'' if near.endswith('?') else '.'} {by_path}")
    file = describe(name)
    own = file.kind
    if own is None and kind is None:
        raise ScenarioError(f"{name} does not say what kind of craft it is: kind: {', '.join(KINDS)}")
    if kind is not None and own is not None and own != kind:
        raise ScenarioError(f"{name} is {_a(own)}: keelblocks new {own} --vehicle {name}")
    for section in ("planar", "bare_hull", "dynamics"):  # a bare hull, where fins are blocks of their own
        if section in file.sections and file.sections[section].type in library():
            cls: Any = library()[file.sections[section].type]
            alike = [part for part in file.sections.values() if part.type == file.sections[section].type]
            vessel = cls.from_vehicle(name, section)
            seen = Path(os.path.relpath(name, seen_from)).as_posix() if own_file and seen_from else name
            return Craft(name, seen, file, own or kind or "usv", vessel, section if len(alike) > 1 else "")
    raise ScenarioError(f"{name} has no section 'dynamics' for a block of the family dynamics")


def _a(kind: str) -> str:
    return f"an {kind}" if kind == "auv" else f"a {kind}"


def vehicles_of(kind: str) -> dict[str, str]:
    """The vehicles of the library that are of a kind, with their titles."""
    return {name: describe(name).title for name in list_vehicles() if describe(name).kind == kind}


def _listed(kind: str) -> str:
    return f"vehicles of this kind are {', '.join(vehicles_of(kind))}"


def cruise_speed(vessel: Craft, greatest_thrust: float) -> float:
    """A speed that leaves thrust for currents and control, m/s, and no hull in waves of its own."""
    if vessel.source in CRUISE:
        return CRUISE[vessel.source]
    low, high = 0.0, _FROUDE * np.sqrt(_G * vessel.length) if vessel.floats else 2.5
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if drag(vessel.vessel, middle) < _SHARE * greatest_thrust else (low, middle)
    return float(f"{low:.2g}")


def drag(vessel: Block, speed: float) -> float:
    """What holds a vessel back at a steady speed straight ahead, N."""
    nu = np.zeros(6)
    nu[0] = speed
    found: Mapping[str, Any] = vessel.evaluate(states={"nu": nu, "eta": np.zeros(6)}, force=np.zeros(6)).outputs
    return float(np.asarray(found["damping_force"])[0])


def reach(matrix: Floats, forward: Floats, reverse: Floats) -> dict[str, tuple[float, float]]:
    """How far each component of the wrench goes, if the others are 0 and thrusts are those of the pseudo-inverse."""
    shares = np.linalg.pinv(matrix)
    found = {}
    for row, axis in enumerate("XYZKMN"):
        wanted = shares[:, row]
        made = matrix @ wanted
        if abs(made[row] - 1.0) > 1e-6:
            continue
        used = np.abs(wanted) > 1e-9
        up = np.where(wanted > 0.0, forward, reverse)[used] / np.abs(wanted[used])
        down = np.where(wanted > 0.0, reverse, forward)[used] / np.abs(wanted[used])
        found[axis] = (-float(down.min()), float(up.min()))
    return found


def slope(block: Block, row: int, **inputs: Any) -> float:
    """How much of a component of its force a block makes per rad of its command, about 0."""
    step = 1e-4
    up, down = (block.evaluate(command=sign * step, **inputs).outputs["force"] for sign in (1.0, -1.0))
    found = float((np.asarray(up)[row] - np.asarray(down)[row]) / (2.0 * step))
    if abs(found) < 1e-9:
        raise ParameterError(f"{block.name or type(block).__name__} makes no force that its command changes")
    return found
