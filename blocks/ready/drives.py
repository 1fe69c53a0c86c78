"""How a vehicle is moved: from what controllers want to forces on the hull, by the sections of its file."""

from __future__ import annotations

from collections.abc import Callable

from blocks.ready.craft import THRUSTERS_OF, Craft
from blocks.ready.drive import Drive
from blocks.ready.rudder_drives import mmg, rudder, sails, single_screw, surfaces, torpedo
from blocks.ready.thruster_drives import differential, fan, ideal, measured


def drive_of(vessel: Craft, speed: float | None = None) -> Drive:
    """The drive of a vehicle; `speed`: that at which fins and rudders are to steer."""
    at = speed if speed is not None else 0.0
    for section_type, make in _DRIVES:
        if vessel.section_for(section_type):
            return make(vessel, at)
    if vessel.source in THRUSTERS_OF:
        return measured(vessel, at, THRUSTERS_OF[vessel.source])
    return ideal(vessel, at)


_DRIVES: tuple[tuple[str, Callable[[Craft, float], Drive]], ...] = (
    ("thrust.MMGPropulsion", mmg),
    ("thrust.Sail", sails),
    ("thrust.Foil", torpedo),
    ("thrust.ControlSurfaces", surfaces),
    ("thrust.DifferentialThrust", differential),
    ("thrust.AzimuthThrusters", rudder),
    ("thrust.AirFan", fan),
    ("thrust.MeasuredThruster", measured),
    ("thrust.PropellerThrusters", single_screw),
)
