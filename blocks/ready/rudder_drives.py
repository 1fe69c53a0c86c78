"""Craft that steer by the water that passes: rudders, planes, sails."""

from __future__ import annotations

import numpy as np

from blocks.block import Block
from blocks.ready.craft import Craft, reach, slope
from blocks.ready.drive import MOST_RUDDER, SHARE, Drive, Wires, wanted
from blocks.ready.surfaces import steering
from blocks.ready.text import Piece, Said, quantity
from blocks.ready.thruster_drives import azimuth_power, azimuths, ideal, plane, propellers

_SHIP = 20.0
"""Length from which a steering gear is that of a ship, m: shorter ones are models."""


def rudder(vessel: Craft, speed: float) -> Drive:
    """Fixed propellers, and a rudder that steers by the water that passes; azimuth thrusters where there is none."""
    if not vessel.section_for("thrust.Rudder"):
        return azimuths(vessel, speed)
    screws, screw_wires, ahead = _fixed(vessel, "thrusters")
    steering, limit, turns = fin(vessel, "rudder", "thrust.Rudder", 5, speed)
    pieces = [*screws, *steering, Piece("total", "basic.Sum", {"signs": "++"})]
    wires = [*screw_wires, *turns, ("thrusters.force", "total.in1"), ("rudder.force", "total.in2")]
    return Drive(
        pieces, wires, {"X": "wanted.X", "N": "rudder_angle.u"}, "total.y", {"X": ahead, "N": limit},
        azimuth_power(vessel), {"rudder": "rudder.angle", "shaft_speed": "thrusters.speed"},
        {"N": _fin_damping([vessel.block("thrust.Rudder")], 5, speed)}, steers_under_way=True,
    )  # fmt: skip


def fin(
    vessel: Craft, name: str, of_type: str, row: int, speed: float
) -> tuple[list[Piece], tuple[float, float], Wires]:
    """A rudder or dive plane, and the gain from the moment that is wanted to its angle; the greatest moment."""
    moving = np.array([speed or 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    at_once = {"response": "instant"} if of_type == "thrust.Rudder" else {}
    block = vessel.block(of_type, angle_limit=0.6, **at_once)
    per_radian = slope(block, row, nu_r=moving)
    limit = min(float(vessel.block(of_type).values["angle_limit"]), MOST_RUDDER)
    what = "N" if row == 5 else "M"
    gear: dict[str, object] = {"angle_limit": f"{np.degrees(limit):.3g} deg"}
    if of_type == "thrust.Rudder":
        rate = Said("30 deg/s", "chosen; a steering gear of your own will be slower")
        if vessel.kind == "ship" and vessel.length > _SHIP:
            rate = Said("2.4 deg/s", "a little more than SOLAS asks for")
        gear |= {"response": "rate_limited", "time_constant": "0.1 s", "rate_limit": rate}
    pieces = [
        Piece(
            f"{name}_angle",
            "basic.Gain",
            {"gain": Said(quantity(1.0 / per_radian, "rad/(N*m)", 4), f"at {speed:g} m/s")},
            comment=f"the angle that makes the {what} that is wanted, at cruise speed",
        ),
        Piece(name, of_type, gear, vessel.name),
    ]  # fmt: skip
    wires = [(f"{name}_angle.y", f"{name}.command"), ("vessel.nu_r", f"{name}.nu_r")]
    greatest = float(SHARE * abs(per_radian) * limit)
    return pieces, (-greatest, greatest), wires


def _fin_damping(blocks: list[Block], row: int, speed: float) -> float:
    """How much fins hold back a turn, N m per rad/s."""
    rate = 1e-3
    found = 0.0
    for block in blocks:
        forces = []
        for sign in (1.0, -1.0):
            moving = np.array([speed or 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
            moving[row] = sign * rate
            forces.append(float(np.asarray(block.evaluate(nu_r=moving, command=0.0).outputs["force"])[row]))
        found -= (forces[0] - forces[1]) / (2.0 * rate)
    return max(found, 0.0)


def _screw(vessel: Craft, speed: float) -> tuple[list[Piece], Wires, float]:
    """One propeller aft, by the thrust that is wanted, and the greatest that it makes ahead at a speed."""
    propeller = vessel.block("thrust.PropellerThrusters", response="instant")
    moving = np.array([speed or 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    top = float(np.ravel(propeller.values["speed_limit_forward"])[0])
    ahead = float(np.asarray(propeller.evaluate(command=[top], nu_r=moving).outputs["force"])[0])
    pieces = [
        wanted("the thrust that is wanted"),
        Piece("allocation", "thrust.ThrustAllocation", {"limits": "bounded"}, vessel.name,
              comment="to the shaft speed that makes the thrust"),
        Piece("propeller", "thrust.PropellerThrusters", vehicle=vessel.name),
    ]  # fmt: skip
    wires = [
        ("wanted.force", "allocation.force"), ("vessel.nu_r", "allocation.nu_r"),
        ("allocation.command", "propeller.command"), ("vessel.nu_r", "propeller.nu_r"),
    ]  # fmt: skip
    return pieces, wires, ahead


def _fixed(vessel: Craft, name: str) -> tuple[list[Piece], Wires, tuple[float, float]]:
    """Azimuth thrusters that do not turn, by the thrust that is wanted; what they make astern and ahead."""
    pieces = [
        wanted("the thrust that is wanted"),
        Piece("allocation", "thrust.AzimuthAllocation", {}, vessel.name, comment="to the shaft speed that makes it"),
        Piece(name, "thrust.AzimuthThrusters", vehicle=vessel.name),
    ]
    wires = [
        ("wanted.force", "allocation.force"), ("allocation.command", f"{name}.command"),
        ("allocation.angle", f"{name}.angle"), ("vessel.nu_r", f"{name}.nu_r"),
    ]  # fmt: skip
    return pieces, wires, reach(*plane(vessel))["X"]


def torpedo(vessel: Craft, speed: float) -> Drive:
    """One propeller aft, a rudder and stern planes."""
    turning, yaw, yaw_wires = fin(vessel, "rudder", "thrust.Rudder", 5, speed)
    diving, pitch, pitch_wires = fin(vessel, "stern_planes", "thrust.Foil", 4, speed)
    screw, screw_wires, ahead = _screw(vessel, speed)
    pieces = [*screw, *turning, *diving, Piece("total", "basic.Sum", {"signs": "+++"})]
    wires = [
        *screw_wires, *yaw_wires, *pitch_wires,
        ("propeller.force", "total.in1"), ("rudder.force", "total.in2"), ("stern_planes.force", "total.in3"),
    ]  # fmt: skip
    return Drive(
        pieces, wires, {"X": "wanted.X", "N": "rudder_angle.u", "M": "stern_planes_angle.u"}, "total.y",
        {"X": (0.0, ahead), "N": yaw, "M": pitch}, "propeller.power",
        {"rudder": "rudder.angle", "stern_planes": "stern_planes.angle", "shaft_speed": "propeller.speed"},
        {"N": _fin_damping([vessel.block("thrust.Rudder")], 5, speed),
         "M": _fin_damping([vessel.block("thrust.Foil")], 4, speed)},
        steers_under_way=True,
    )  # fmt: skip


def surfaces(vessel: Craft, speed: float) -> Drive:
    """One propeller aft, and control surfaces by their derivatives; without a propeller as if none of it were known."""
    fixed = bool(vessel.section_for("thrust.AzimuthThrusters"))
    if not fixed and not vessel.section_for("thrust.PropellerThrusters"):
        return ideal(vessel, speed)
    turning, turned, moments = steering(vessel, speed)
    if fixed:
        screw, screw_wires, (_, ahead) = _fixed(vessel, "propeller")
    else:
        screw, screw_wires, ahead = _screw(vessel, speed)
    pieces = [*screw, *turning, Piece("total", "basic.Sum", {"signs": "++"})]
    wires = [*screw_wires, *turned, ("propeller.force", "total.in1"), ("surfaces.force", "total.in2")]
    takes = {"X": "wanted.X"} | {axis: f"moments.{axis}" for axis in moments}
    power = azimuth_power(vessel, "propeller") if fixed else "propeller.power"
    return Drive(
        pieces, wires, takes, "total.y", {"X": (0.0, ahead), **moments}, power,
        {"angle": "surfaces.angle", "shaft_speed": "propeller.speed"}, dict.fromkeys(moments, 0.0),
        steers_under_way=True,
    )  # fmt: skip


def single_screw(vessel: Craft, speed: float) -> Drive:
    """One propeller aft, and a rudder in its slipstream."""
    propeller = vessel.block("thrust.PropellerThrusters")
    if not vessel.section_for("thrust.Rudder") or np.shape(propeller.values["allocation_matrix"])[1] != 1:
        return propellers(vessel, speed)
    rudder = vessel.block("thrust.Rudder")
    steering, limit, turns = fin(vessel, "rudder", "thrust.Rudder", 5, speed)
    screw, screw_wires, ahead = _screw(vessel, speed)
    pieces = [*screw, *steering, Piece("total", "basic.Sum", {"signs": "++"})]
    wires = [*screw_wires, *turns, ("propeller.force", "total.in1"), ("rudder.force", "total.in2")]
    if rudder.values["propeller_diameter"]:
        wires.append(("propeller.thrust[0]", "rudder.thrust"))
    return Drive(
        pieces, wires, {"X": "wanted.X", "N": "rudder_angle.u"}, "total.y", {"X": (0.0, ahead), "N": limit},
        "propeller.power", {"rudder": "rudder.angle", "shaft_speed": "propeller.speed"},
        {"N": _fin_damping([rudder], 5, speed)}, steers_under_way=True,
    )  # fmt: skip


def sails(vessel: Craft, speed: float) -> Drive:
    """A sail that is trimmed to the apparent wind, a keel, and a rudder that steers by the water that passes."""
    turning, yaw, yaw_wires = fin(vessel, "rudder", "thrust.Rudder", 5, speed)
    sail = vessel.block("thrust.Sail")
    apparent = np.radians(np.arange(0.0, 181.0, 15.0))
    lift, dragging = (float(sail.values[name]) for name in ("lift_coefficient", "drag_coefficient"))
    attack = 0.5 * np.arctan2(lift * np.sin(apparent), dragging * np.cos(apparent))
    pieces = [
        Piece("wind", "environment.UniformWind",
              {"speed": "6 m/s", "direction": Said("0 deg", "where it comes from, from north")}),
        Piece("either_side", "basic.Function", {"function": "abs"}),
        Piece("trim", "basic.LookupTable1D", {"breakpoints": Said(apparent, "apparent wind from ahead, rad"),
              "table": Said(apparent - attack, "angle of the boom, rad")},
              comment="how far the sheet lets the boom go, for the greatest drive"),
        Piece("sail", "thrust.Sail", vehicle=vessel.name),
        Piece("keel", "thrust.Foil", vehicle=vessel.name),
        *turning,
        Piece("total", "basic.Sum", {"signs": "+++"}),
    ]  # fmt: skip
    wires = [
        ("vessel.eta", "sail.eta"), ("vessel.nu", "sail.nu"), ("wind.wind", "sail.wind"),
        ("sail.apparent_wind_angle", "either_side.u"), ("either_side.y", "trim.u"), ("trim.y", "sail.command"),
        ("vessel.nu_r", "keel.nu_r"), *yaw_wires,
        ("sail.force", "total.in1"), ("keel.force", "total.in2"), ("rudder.force", "total.in3"),
    ]  # fmt: skip
    shown = {"rudder": "rudder.angle", "boom": "sail.angle"}
    damping = {"N": _fin_damping([vessel.block("thrust.Rudder"), vessel.block("thrust.Foil")], 5, speed)}
    takes = {"N": "rudder_angle.u"}
    return Drive(pieces, wires, takes, "total.y", {"N": yaw}, "", shown, damping, steers_under_way=True)
