"""Ships that steer by the rudder of their file: behind an MMG hull, by derivatives, or with a propeller before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from blocks.ready.craft import Craft, Floats, drag
from blocks.ready.drive import MOST_RUDDER, SHARE, Drive, Wires, wanted
from blocks.ready.rudder_drives import fin
from blocks.ready.text import Piece, Said, quantity
from blocks.ready.thruster_drives import ideal

_ANGLE = "the angle that makes the N that is wanted, at cruise speed"
_REVOLUTIONS = "the revolutions that hold cruise speed, by thrust"
_SMALL = 1e-4
_GEARED = ("thrust.PolynomialRudder", "thrust.PropellerRudder")


def mmg(vessel: Craft, speed: float) -> Drive:
    """Propellers and rudders behind a ship's hull: revolutions by the thrust that is wanted, angles by the moment."""
    block = vessel.block("thrust.MMGPropulsion", response="instant")
    count = len(np.atleast_1d(block.values["diameter"]))
    limit = min(float(block.values["angle_limit"]), MOST_RUDDER)
    top = np.broadcast_to(np.asarray(block.values["speed_limit_forward"], dtype=float), count)
    needed = drag(vessel.vessel, speed)

    def force(share: float, angle: float = 0.0, rate: float = 0.0) -> Floats:
        found = block.evaluate(command=share * top, rudder=angle * np.ones(count), nu_r=[speed, 0, 0, 0, 0, rate])
        return np.asarray(found.outputs["force"])

    share = _share(force, needed)
    per_share = needed / share if needed else force(1.0)[0]
    per_radian, damping = _steering(lambda angle, rate: force(share, angle, rate))
    greatest = float(SHARE * abs(per_radian) * limit)
    pieces = [
        _spread("revolutions", top / per_share, "rev/s/N", speed, _REVOLUTIONS),
        _spread("rudder_angle", np.ones(count) / (per_radian or 1.0), "rad/(N*m)", speed, _ANGLE),
        Piece("propulsion", "thrust.MMGPropulsion", vehicle=vessel.name),
    ]
    wires = [
        ("revolutions.y", "propulsion.command"), ("rudder_angle.y", "propulsion.rudder"),
        ("vessel.nu_r", "propulsion.nu_r"),
    ]  # fmt: skip
    return Drive(
        pieces, wires, {"X": "revolutions.u", "N": "rudder_angle.u"}, "propulsion.force",
        {"X": (0.0, float(per_share)), "N": (-greatest, greatest)}, "propulsion.power",
        {"rudder": "propulsion.angle", "shaft_speed": "propulsion.speed"}, {"N": damping}, steers_under_way=True,
    )  # fmt: skip


def steered(vessel: Craft, speed: float) -> Drive:
    """A rudder by the moment that is wanted; revolutions where it has a propeller, else a force ahead as wanted."""
    kind = next((kind for kind in _GEARED if vessel.section_for(kind)), "thrust.Rudder")
    bare = ideal(vessel, speed)
    if not vessel.floats or not speed:
        return bare
    block = vessel.block(kind, response="instant")
    shaft, lags = "shaft_command" in block.input_ports, vessel.block(kind).values.get("response") != "instant"
    limit = min(float(block.values["angle_limit"]), MOST_RUDDER)
    needed = drag(vessel.vessel, speed)
    top = float(block.values["speed_limit"]) if shaft else 0.0

    def force(share: float, angle: float = 0.0, rate: float = 0.0) -> Floats:
        turning: dict[str, Any] = {"shaft_command": share * top} if shaft else {}
        found = block.evaluate(command=angle, nu_r=[speed, 0, 0, 0, 0, rate], **turning)
        return np.asarray(found.outputs["force"])

    share = _share(force, needed) if shaft else 0.0
    per_radian, damping = _steering(lambda angle, rate: force(share, angle, rate))
    greatest = float(SHARE * abs(per_radian) * limit)
    takes, limits, shown = {"N": "rudder_angle.u"}, {"N": (-greatest, greatest)}, {"rudder": "rudder.angle"}
    wires: Wires = [("vessel.nu_r", "rudder.nu_r")]
    if kind == "thrust.Rudder":
        turns, _, wires = fin(vessel, "rudder", "thrust.Rudder", 5, speed)
    else:
        under_way = Said(
            quantity(share * top, "rev/s", 4), f"as at {speed:g} m/s: the rudder needs the propeller's flow"
        )
        start = {"initial_speed": under_way} if shaft and lags else {}
        turns = [
            _spread("rudder_angle", np.array([1.0 / per_radian]), "rad/(N*m)", speed, _ANGLE),
            Piece("rudder", kind, start, vessel.name),
        ]
        wires.append(("rudder_angle.y", "rudder.command"))
    if shaft:
        per_share = needed / share
        pieces = [_spread("revolutions", np.array([top / per_share]), "rev/s/N", speed, _REVOLUTIONS), *turns]
        wires.append(("revolutions.y", "rudder.shaft_command"))
        takes["X"], limits["X"], out = "revolutions.u", (0.0, per_share), "rudder.force"
        shown["shaft_speed"] = "rudder.speed"
    else:
        said = "the file has a rudder and no propeller, so this is what drives her ahead: put thrust.… behind it"
        if float(vessel.vessel.values.get("reference_speed", 0.0)):
            said = "thrust beyond that which balances the resistance at the speed of the derivatives; power is of that"
        pieces = [wanted(said), *turns, Piece("total", "basic.Sum", {"signs": "++"})]
        wires += [("wanted.force", "total.in1"), ("rudder.force", "total.in2")]
        ahead = max(bare.limits["X"][1], 2.0 * needed)
        takes["X"], limits["X"], out = "wanted.X", (-ahead, ahead), "total.y"
    return Drive(pieces, wires, takes, out, limits, "", shown, {"N": damping}, steers_under_way=True)


def _share(force: Callable[[float], Floats], needed: float) -> float:
    """Of the greatest revolutions, those that give a force ahead."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if force(middle)[0] < needed else (low, middle)
    return high


def _steering(force: Callable[[float, float], Floats]) -> tuple[float, float]:
    """Yaw moment per rad of rudder, and against a turn per rad/s."""
    per_radian = (force(_SMALL, 0.0)[5] - force(-_SMALL, 0.0)[5]) / (2.0 * _SMALL)
    damping = -(force(0.0, _SMALL)[5] - force(0.0, -_SMALL)[5]) / (2.0 * _SMALL)
    return float(per_radian), max(float(damping), 0.0)


def _spread(name: str, gains: Floats, unit: str, speed: float, comment: str) -> Piece:
    """One number to each of several."""
    said = [quantity(gain, unit, 4) for gain in gains]
    at = f"at {speed:g} m/s"
    if len(said) == 1:
        return Piece(name, "basic.Gain", {"gain": Said(said[0], at)}, comment=comment)
    return Piece(name, "basic.MatrixGain", {"matrix": Said([[one] for one in said], at)}, comment=comment)
