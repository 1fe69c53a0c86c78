"""Craft that are moved by thrusters alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from blocks.ready.craft import Craft, Floats, craft, drag, reach
from blocks.ready.drive import SHARE, Drive, components, wanted
from blocks.ready.text import Piece, Said, quantity


def differential(vessel: Craft, speed: float) -> Drive:
    block = vessel.block("thrust.DifferentialThrust")
    b, forward, reverse = (
        float(block.values[name]) for name in ("spacing", "thrust_limit_forward", "thrust_limit_reverse")
    )
    limits = {"X": (-2.0 * reverse, 2.0 * forward), "N": (-b * min(forward, reverse), b * min(forward, reverse))}
    return allocated(
        vessel.name, "DifferentialThrust", "KnownThrustAllocation", limits, {"thrust": "thrusters.thrust"},
        f"to two thrusts, port and starboard, {b:g} m apart", said="X and N that are wanted",
    )  # fmt: skip


def propellers(vessel: Craft, speed: float) -> Drive:
    block = vessel.block("thrust.PropellerThrusters")
    greatest = np.asarray(block.values["speed_limit_forward"]), -np.asarray(block.values["speed_limit_reverse"])
    matrix = np.asarray(block.values["allocation_matrix"])
    ahead, astern = (
        np.abs(np.asarray(block.evaluate(command=n * np.ones(matrix.shape[1])).outputs["thrust"])) for n in greatest
    )
    return allocated(
        vessel.name, "PropellerThrusters", "ThrustAllocation", reach(matrix, ahead, astern),
        {"shaft_speed": "thrusters.speed"}, "to the shaft speeds that make it", [("vessel.nu_r", "allocation.nu_r")],
    )  # fmt: skip


def allocated(
    vehicle: str,
    thrusters: str,
    allocation: str,
    limits: dict[str, tuple[float, float]],
    shown: dict[str, str],
    comment: str,
    further: Sequence[tuple[str, str]] = (),
    said: str = "what the controllers want, all together",
    power: str = "thrusters.power",
) -> Drive:
    """A wrench, its allocation and the thrusters of a vehicle, by their types in `blocks.thrust`."""
    pieces = [
        wanted(said),
        Piece("allocation", f"thrust.{allocation}", vehicle=vehicle, comment=comment),
        Piece("thrusters", f"thrust.{thrusters}", vehicle=vehicle),
    ]
    wires = [
        ("wanted.force", "allocation.force"), ("allocation.command", "thrusters.command"), *further,
        ("vessel.nu_r", "thrusters.nu_r"),
    ]  # fmt: skip
    return Drive(pieces, wires, components(limits), "thrusters.force", limits, power, shown)


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


def azimuths(vessel: Craft, speed: float) -> Drive:
    limits = {axis: both for axis, both in reach(*plane(vessel)).items() if axis in "XYN"}
    return allocated(
        vessel.name, "AzimuthThrusters", "AzimuthAllocation", limits,
        {"thruster_speed": "thrusters.speed", "thruster_angle": "thrusters.azimuth"},
        "to the speeds and angles that make it", [("allocation.angle", "thrusters.angle")],
        power=azimuth_power(vessel),
    )  # fmt: skip


def azimuth_power(vessel: Craft, name: str = "thrusters") -> str:
    """The output with the power of azimuth thrusters; none where their file does not say what they take."""
    values = vessel.block("thrust.AzimuthThrusters").values
    counted = values["power_model"] != "cubic" or np.any(np.asarray(values["power_coefficient"]))
    return f"{name}.power" if counted else ""


def plane(vessel: Craft) -> tuple[Floats, Floats, Floats]:
    """As `_extended`, of surge, sway and yaw alone: thrusters in a plane cannot do more."""
    matrix, forward, reverse = _extended(vessel)
    matrix[2:5] = 0.0
    return matrix, forward, reverse


def fan(vessel: Craft, speed: float) -> Drive:
    """A fan that turns: it steers by the thrust with which it goes ahead."""
    block = vessel.block("thrust.AirFan")
    top, limit = float(block.values["thrust_limit_forward"]), float(block.values["angle_limit"])
    arm = float(np.asarray(block.values["position"])[0])
    thrust = drag(vessel.vessel, speed) if speed else top
    greatest = float(SHARE * abs(arm) * thrust * np.sin(limit))
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


def measured(vessel: Craft, speed: float, owner: str = "") -> Drive:
    """Thrusters by a table of commands and thrusts."""
    source = craft(owner) if owner else vessel
    block = source.block("thrust.MeasuredThruster")
    matrix = np.asarray(block.values["allocation_matrix"])
    thrusts = np.asarray(block.values["thrusts"])
    count = matrix.shape[1]
    limits = reach(matrix, np.full(count, thrusts.max()), np.full(count, -thrusts.min()))
    return allocated(
        source.name, "MeasuredThruster", "MeasuredAllocation", limits, {"thrust": "thrusters.thrust"},
        "to thrusts that make it, and to their commands by the table of the thrusters, read backwards",
        [("vessel.nu_r", "allocation.nu_r")],
    )  # fmt: skip


def ideal(vessel: Craft, speed: float) -> Drive:
    """No thrusters are known: what is wanted is what there is."""
    mass = vessel.mass
    force = 0.15 * mass + abs(
        float(vessel.vessel.values.get("weight", 0.0)) - float(vessel.vessel.values.get("buoyancy", 0.0))
    )
    moment = 0.1 * mass * vessel.length**2 / 4.0
    axes = "XN" if vessel.floats else "XYZKMN"
    limits = {axis: (-force, force) if axis in "XYZ" else (-moment, moment) for axis in axes}
    pieces = [wanted("no thrusters are known of this vehicle, so this is what moves it: put thrust.… behind it")]
    return Drive(pieces, [], components(limits), "wanted.force", limits)
