"""How a vehicle is moved: from what controllers want to forces on the hull, by the sections of its file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.ready.craft import THRUSTERS_OF, Craft, Floats, craft, drag, reach, slope
from blocks.ready.text import Piece, Said, quantity

Wires = list[tuple[str, str]]
Limits = dict[str, tuple[float, float]]


@dataclass
class Drive:
    """The blocks between the controllers and the vessel, and what goes in and out."""

    pieces: list[Piece]
    wires: Wires
    takes: dict[str, str]
    """The port that each component of the wrench goes to."""
    force: str
    limits: Limits
    """What each component may be at most, with all others 0."""
    power: str = ""
    shown: dict[str, str] = field(default_factory=dict)
    """Outputs of the scenario."""
    damping: dict[str, float] = field(default_factory=dict)
    """What fins add to the damping of the hull, N m s."""
    steers_under_way: bool = False
    """Whether it steers by the water that passes, or by thrust that it needs for going ahead."""


def drive_of(vessel: Craft, speed: float | None = None) -> Drive:
    """The drive of a vehicle; `speed`: that at which fins and rudders are to steer."""
    at = speed if speed is not None else 0.0
    for section_type, make in _DRIVES:
        if vessel.section_for(section_type):
            return make(vessel, at)
    if vessel.source in THRUSTERS_OF:
        return _measured(vessel, at, THRUSTERS_OF[vessel.source])
    return _ideal(vessel, at)


def _wrench(comment: str = "") -> Piece:
    return Piece("wanted", "control.ComposeWrench", comment=comment)


def _axes(limits: Limits) -> dict[str, str]:
    return {axis: f"wanted.{axis}" for axis in limits}


def _differential(vessel: Craft, speed: float) -> Drive:
    block = vessel.block("thrust.DifferentialThrust")
    b, forward, reverse = (
        float(block.values[name]) for name in ("spacing", "thrust_limit_forward", "thrust_limit_reverse")
    )
    limits = {"X": (-2.0 * reverse, 2.0 * forward), "N": (-b * min(forward, reverse), b * min(forward, reverse))}
    return _allocated(
        vessel.name, "DifferentialThrust", "KnownThrustAllocation", limits, {"thrust": "thrusters.thrust"},
        f"to two thrusts, port and starboard, {b:g} m apart", wanted="X and N that are wanted",
    )  # fmt: skip


def _propellers(vessel: Craft, speed: float) -> Drive:
    block = vessel.block("thrust.PropellerThrusters")
    greatest = np.asarray(block.values["speed_limit_forward"]), -np.asarray(block.values["speed_limit_reverse"])
    matrix = np.asarray(block.values["allocation_matrix"])
    ahead, astern = (
        np.abs(np.asarray(block.evaluate(command=n * np.ones(matrix.shape[1])).outputs["thrust"])) for n in greatest
    )
    return _allocated(
        vessel.name, "PropellerThrusters", "ThrustAllocation", reach(matrix, ahead, astern),
        {"shaft_speed": "thrusters.speed"}, "to the shaft speeds that make it", [("vessel.nu_r", "allocation.nu_r")],
    )  # fmt: skip


def _allocated(
    vehicle: str,
    thrusters: str,
    allocation: str,
    limits: dict[str, tuple[float, float]],
    shown: dict[str, str],
    comment: str,
    further: Sequence[tuple[str, str]] = (),
    wanted: str = "what the controllers want, all together",
) -> Drive:
    """A wrench, its allocation and the thrusters of a vehicle, by their types in `blocks.thrust`."""
    pieces = [
        _wrench(wanted),
        Piece("allocation", f"thrust.{allocation}", vehicle=vehicle, comment=comment),
        Piece("thrusters", f"thrust.{thrusters}", vehicle=vehicle),
    ]
    wires = [
        ("wanted.force", "allocation.force"), ("allocation.command", "thrusters.command"), *further,
        ("vessel.nu_r", "thrusters.nu_r"),
    ]  # fmt: skip
    return Drive(pieces, wires, _axes(limits), "thrusters.force", limits, "thrusters.power", shown)


def _curve(coefficients: Floats, n: Floats) -> Floats:
    """Thrusts of azimuth thrusters at their speeds."""
    found: Floats = coefficients[:, 0] * n + coefficients[:, 1] * n**2 + coefficients[:, 2] * n**3
    return found


def _extended(vessel: Craft) -> tuple[Floats, Floats, Floats]:
    """The matrix of the extended thrusts of azimuth thrusters, and how much each may be ahead and astern."""
    block = vessel.block("thrust.AzimuthThrusters")
    names = ("positions", "thrust_coefficient", "speed_limit_forward", "speed_limit_reverse", "angle_min", "angle_max")
    positions, coefficients, up, down, low, high = (np.asarray(block.values[name], dtype=float) for name in names)
    count = len(positions)
    up, down, low, high = (np.broadcast_to(value, (count,)) for value in (up, down, low, high))
    columns, forward, reverse = [], [], []
    for i, place in enumerate(positions):
        angles = [low[i]] if low[i] == high[i] else [0.0, np.pi / 2.0]
        for angle in angles:
            push = np.array([np.cos(angle), np.sin(angle), 0.0])
            columns.append(np.concatenate([push, np.cross(place, push)]))
            forward.append(_curve(coefficients, up)[i])
            reverse.append(_curve(coefficients, down)[i])
    return np.array(columns).T, np.array(forward), np.array(reverse)


def _azimuths(vessel: Craft, speed: float) -> Drive:
    if vessel.section_for("thrust.Rudder"):
        return _rudder(vessel, speed)
    limits = {axis: both for axis, both in reach(*_plane(vessel)).items() if axis in "XYN"}
    return _allocated(
        vessel.name, "AzimuthThrusters", "AzimuthAllocation", limits,
        {"thruster_speed": "thrusters.speed", "thruster_angle": "thrusters.azimuth"},
        "to the speeds and angles that make it", [("allocation.angle", "thrusters.angle")],
    )  # fmt: skip


def _plane(vessel: Craft) -> tuple[Floats, Floats, Floats]:
    """As `_extended`, of surge, sway and yaw alone: thrusters in a plane cannot do more."""
    matrix, forward, reverse = _extended(vessel)
    matrix[2:5] = 0.0
    return matrix, forward, reverse


def _rudder(vessel: Craft, speed: float) -> Drive:
    """A fixed propeller, and a rudder that steers by the water that passes."""
    ahead = reach(*_plane(vessel))["X"]
    steering, limit, turns = _fin(vessel, "rudder", "thrust.Rudder", 5, speed)
    pieces = [
        _wrench("the thrust that is wanted"),
        Piece("allocation", "thrust.AzimuthAllocation", vehicle=vessel.name),
        Piece("thrusters", "thrust.AzimuthThrusters", vehicle=vessel.name),
        *steering,
        Piece("total", "basic.Sum", {"signs": "++"}),
    ]
    wires = [
        ("wanted.force", "allocation.force"), ("allocation.command", "thrusters.command"),
        ("allocation.angle", "thrusters.angle"), ("vessel.nu_r", "thrusters.nu_r"), *turns,
        ("thrusters.force", "total.in1"), ("rudder.force", "total.in2"),
    ]  # fmt: skip
    return Drive(
        pieces, wires, {"X": "wanted.X", "N": "rudder_angle.u"}, "total.y", {"X": ahead, "N": limit},
        "thrusters.power", {"rudder": "rudder.angle", "shaft_speed": "thrusters.speed"},
        {"N": _fin_damping([vessel.block("thrust.Rudder")], 5, speed)}, steers_under_way=True,
    )  # fmt: skip


def _fin(
    vessel: Craft, name: str, of_type: str, row: int, speed: float
) -> tuple[list[Piece], tuple[float, float], Wires]:
    """A rudder or dive plane, and the gain from the moment that is wanted to its angle; the greatest moment."""
    moving = np.array([speed or 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    block = vessel.block(of_type, angle_limit=0.6)
    per_radian = slope(block, row, nu_r=moving)
    limit = min(float(vessel.block(of_type).values["angle_limit"]), np.radians(35.0))
    what = "N" if row == 5 else "M"
    gear: dict[str, object] = {"angle_limit": f"{np.degrees(limit):.3g} deg"}
    if of_type == "thrust.Rudder":
        gear |= {"response": "rate_limited", "time_constant": "0.1 s",
                 "rate_limit": Said("30 deg/s", "chosen; a steering gear of your own will be slower")}  # fmt: skip
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
    greatest = float(0.7 * abs(per_radian) * limit)
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


def _torpedo(vessel: Craft, speed: float) -> Drive:
    """One propeller aft, a rudder and stern planes."""
    turning, yaw, yaw_wires = _fin(vessel, "rudder", "thrust.Rudder", 5, speed)
    diving, pitch, pitch_wires = _fin(vessel, "stern_planes", "thrust.Foil", 4, speed)
    propeller = vessel.block("thrust.PropellerThrusters")
    moving = np.array([speed or 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    top = float(np.ravel(propeller.values["speed_limit_forward"])[0])
    ahead = float(np.asarray(propeller.evaluate(command=[top], nu_r=moving).outputs["force"])[0])
    pieces = [
        _wrench("the thrust that is wanted"),
        Piece("allocation", "thrust.ThrustAllocation", {"limits": "bounded"}, vessel.name,
              comment="to the shaft speed that makes the thrust"),
        Piece("propeller", "thrust.PropellerThrusters", vehicle=vessel.name),
        *turning, *diving, Piece("total", "basic.Sum", {"signs": "+++"}),
    ]  # fmt: skip
    wires = [
        ("wanted.force", "allocation.force"), ("vessel.nu_r", "allocation.nu_r"),
        ("allocation.command", "propeller.command"), ("vessel.nu_r", "propeller.nu_r"), *yaw_wires, *pitch_wires,
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


def _fan(vessel: Craft, speed: float) -> Drive:
    """A fan that turns: it steers by the thrust with which it goes ahead."""
    block = vessel.block("thrust.AirFan")
    top, limit = float(block.values["thrust_limit_forward"]), float(block.values["angle_limit"])
    arm = float(np.asarray(block.values["position"])[0])
    thrust = drag(vessel.vessel, speed) if speed else top
    greatest = float(0.7 * abs(arm) * thrust * np.sin(limit))
    pieces = [
        Piece(
            "fan_angle",
            "basic.Gain",
            {"gain": Said(quantity(1.0 / (arm * thrust), "rad/(N*m)", 4), f"at the {thrust:.3g} N of cruise speed")},
            comment="the angle that makes the N that is wanted, at cruise speed",
        ),
        Piece("fan", "thrust.AirFan", vehicle=vessel.name),
    ]  # fmt: skip
    wires = [("fan_angle.y", "fan.angle"), ("vessel.eta", "fan.eta"), ("vessel.nu", "fan.nu")]
    return Drive(
        pieces, wires, {"X": "fan.command", "N": "fan_angle.u"}, "fan.force",
        {"X": (0.3 * thrust, top), "N": (-greatest, greatest)}, "fan.power", {"fan_angle": "fan.azimuth"},
        steers_under_way=True,
    )  # fmt: skip


def _sails(vessel: Craft, speed: float) -> Drive:
    """A sail that is trimmed to the apparent wind, a keel, and a rudder that steers by the water that passes."""
    turning, yaw, yaw_wires = _fin(vessel, "rudder", "thrust.Rudder", 5, speed)
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


def _measured(vessel: Craft, speed: float, owner: str = "") -> Drive:
    """Thrusters by a table of commands and thrusts."""
    source = craft(owner) if owner else vessel
    block = source.block("thrust.MeasuredThruster")
    matrix = np.asarray(block.values["allocation_matrix"])
    thrusts = np.asarray(block.values["thrusts"])
    count = matrix.shape[1]
    limits = reach(matrix, np.full(count, thrusts.max()), np.full(count, -thrusts.min()))
    return _allocated(
        source.name, "MeasuredThruster", "MeasuredAllocation", limits, {"thrust": "thrusters.thrust"},
        "to thrusts that make it, and to their commands by the table of the thrusters, read backwards",
        [("vessel.nu_r", "allocation.nu_r")],
    )  # fmt: skip


def _ideal(vessel: Craft, speed: float) -> Drive:
    """No thrusters are known: what is wanted is what there is; a ship that heels turns as her rudder turns her."""
    mass = vessel.mass
    force = 0.15 * mass + abs(
        float(vessel.vessel.values.get("weight", 0.0)) - float(vessel.vessel.values.get("buoyancy", 0.0))
    )
    moment = 0.1 * mass * vessel.length**2 / 4.0
    axes = "XN" if vessel.floats else "XYZKMN"
    limits = {axis: (-force, force) if axis in "XYZ" else (-moment, moment) for axis in axes}
    heels = bool(getattr(vessel.vessel, "has_roll", "mass" not in vessel.vessel.values))
    if heels and (turning := _of_rudder(vessel, speed)):
        ahead = max(force, 2.0 * drag(vessel.vessel, speed))
        limits |= {"X": (-ahead, ahead), "N": (-turning, turning)}
    pieces = [_wrench("no thrusters are known of this vehicle, so this is what moves it: put thrust.… behind it")]
    return Drive(pieces, [], _axes(limits), "wanted.force", limits)


def _of_rudder(vessel: Craft, speed: float) -> float:
    """The yaw moment of a ship's rudder hard over at a speed, N m; 0 where the file has none, and at rest."""
    for section_type in ("thrust.PolynomialRudder", "thrust.PropellerRudder", "thrust.Rudder"):
        if speed and vessel.section_for(section_type):
            rudder = vessel.block(section_type, response="instant")
            given: dict[str, Any] = {"command": rudder.values["angle_limit"], "nu_r": [speed, 0.0, 0.0, 0.0, 0.0, 0.0]}
            if "shaft_command" in rudder.input_ports:
                given["shaft_command"] = min(float(rudder.values["speed_limit"]), 4.0 / 3.0)
            return abs(float(rudder.evaluate(**given).outputs["force"][5]))
    return 0.0


_DRIVES: tuple[tuple[str, Callable[[Craft, float], Drive]], ...] = (
    ("thrust.Sail", _sails),
    ("thrust.Foil", _torpedo),
    ("thrust.DifferentialThrust", _differential),
    ("thrust.AzimuthThrusters", _azimuths),
    ("thrust.AirFan", _fan),
    ("thrust.MeasuredThruster", _measured),
    ("thrust.PropellerThrusters", _propellers),
)
