"""The controllers of a scenario, with the margins of their loops beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from blocks.ready.craft import Craft
from blocks.ready.drive import Drive, Wires
from blocks.ready.gains import Axis
from blocks.ready.text import Piece, Said, number

_OUTPUTS = {
    "X": ("speed", "speed.force"),
    "N": ("heading", "heading.moment"),
    "Y": ("sway", "sway.y"),
    "Z": ("depth", "depth.force"),
    "K": ("roll", "attitude.K"),
    "M": ("pitch", "attitude.M"),
}


def dives(axes: Mapping[str, Axis]) -> bool:
    """Whether the vehicle dives by its pitch."""
    return "M" in axes and "Z" not in axes


def outputs_of(axes: Mapping[str, Axis]) -> dict[str, str]:
    """The output of each controller, where its loop is opened."""
    found = dict(_OUTPUTS[name] for name in axes)
    if dives(axes):
        del found["pitch"]
        found["dive"] = "dive.moment"
    return found


def controllers(
    axes: Mapping[str, Axis], drive: Drive, speed: float, found: Mapping[str, tuple[float, float]], vessel: Craft
) -> tuple[list[Piece], Wires]:
    """The blocks of the controllers and their wires."""
    pieces: list[Piece] = []
    joined: Wires = []
    level = {} if dives(axes) else {name: gains for name, gains in axes.items() if name in "KM"}
    for name, gains in axes.items():
        if name in level:
            continue
        if name == "M":
            made, output = _dive(gains, speed), "dive.moment"
            joined += [("guidance.depth", "dive.depth"), ("vessel.eta", "dive.eta"), ("vessel.nu", "dive.nu")]
        else:
            made, output = _MAKE[name](gains, vessel), _OUTPUTS[name][1]
            joined += _WIRES[name]
        made.comment = f"{made.comment}; {_margins(found, made.name, speed)}"
        pieces.append(made)
        joined.append((output, drive.takes[name]))
    if level:
        pieces.append(_attitude(level, found, speed))
        joined += [("vessel.eta", "attitude.eta"), ("vessel.nu", "attitude.nu")]
        joined += [(_OUTPUTS[name][1], drive.takes[name]) for name in level]
    return pieces, joined


def _margins(found: Mapping[str, tuple[float, float]], name: str, speed: float) -> str:
    if name not in found:
        return "margins: not found"
    phase, gain = found[name]
    words = "no crossover" if math.isinf(phase) else f"{math.degrees(phase):.0f} deg"
    factor = "any factor" if math.isinf(gain) else f"a factor of {number(gain, 2)}"
    return f"margins at {speed:g} m/s: phase {words}, gain {factor}"


def _limits(gains: Axis, unit: str) -> dict[str, object]:
    return {"lower": f"{number(gains.lower, 3)} {unit}", "upper": f"{number(gains.upper, 3)} {unit}"}


def _speed(gains: Axis, vessel: Craft) -> Piece:
    parameters = {
        "kp": Said(gains.kp, f"N s/m, of a time constant of {number(1.0 / gains.wish, 2)} s"),
        "ki": Said(gains.ki, "N/m"),
        "damping": Said(gains.damping, "of the vehicle: what the speed takes is given ahead of the error"),
        "quadratic_damping": Said(gains.quadratic, "N s^2/m^2"),
        **_limits(gains, "N"),
        "tracking_gain": gains.tracking,
    }
    return Piece("speed", "control.SpeedController", parameters, comment="speed through the water, to thrust ahead")


def _heading(gains: Axis, vessel: Craft) -> Piece:
    parameters = {
        "kp": Said(gains.kp, f"N m/rad, of a natural frequency of {number(gains.wish, 2)} rad/s"),
        "ki": Said(gains.ki, "N m/(rad s)"),
        "kd": Said(gains.kd, "N m s/rad" if gains.kd else "the hull's own damping is more than enough"),
        **_limits(gains, "N*m"),
        "tracking_gain": gains.tracking,
    }
    return Piece("heading", "control.HeadingAutopilot", parameters, comment="heading, to a yaw moment")


def _sway(gains: Axis, vessel: Craft) -> Piece:
    parameters = {"gain": Said(f"{number(-gains.kp, 4)} N*s/m", f"slows it down at {number(gains.wish, 2)} 1/s")}
    return Piece("sway", "basic.Gain", parameters, comment="against sway through the water, so that it does not skid")


def _depth(gains: Axis, vessel: Craft) -> Piece:
    values = vessel.vessel.values
    floats = float(values.get("buoyancy", 0.0)) - float(values.get("weight", 0.0))
    parameters = {
        "kp": Said(gains.kp, f"N/m, of a natural frequency of {number(gains.wish, 2)} rad/s"),
        "ki": Said(gains.ki, "N/(m s)"),
        "kd": Said(gains.kd, "N s/m"),
        **_limits(gains, "N"),
        "tracking_gain": gains.tracking,
    }
    if abs(floats) > 1e-6:
        parameters["initial_integral"] = Said(f"{number(floats, 4)} N", "buoyancy less weight, held from the start")
    return Piece("depth", "control.DepthController", parameters, comment="depth, to a vertical force")


def _attitude(level: Mapping[str, Axis], found: Mapping[str, tuple[float, float]], speed: float) -> Piece:
    def both(value: Callable[[Axis], float]) -> list[float]:
        return [float(number(value(level[name]), 4)) if name in level else 0.0 for name in "KM"]

    known = [_OUTPUTS[name][0] for name in level]
    fast = ", ".join(f"{number(gains.wish, 2)} rad/s in {_OUTPUTS[name][0]}" for name, gains in level.items())
    parameters = {
        "kp": Said(both(lambda one: one.kp), "roll, pitch, N m/rad"),
        "ki": Said(both(lambda one: one.ki), "N m/(rad s)"),
        "kd": Said(both(lambda one: one.kd), f"N m s/rad; natural frequencies: {fast}"),
        "lower": Said(both(lambda one: one.lower), "N m"),
        "upper": Said(both(lambda one: one.upper), "N m"),
        "tracking_gain": both(lambda one: one.tracking),
    }
    why = "kept level, against the moment of a hull that goes askew (Munk)"
    told = "; ".join(f"{name}: {_margins(found, name, speed)}" for name in known)
    return Piece("attitude", "control.AttitudeController", parameters, comment=f"{why}; {told}")


def _dive(gains: Axis, speed: float) -> Piece:
    slow = gains.wish / 6.0
    parameters = {
        "kp": Said(2.0 * slow / speed, "rad of pitch per m of depth"),
        "ki": Said(slow**2 / speed, "rad/(m s)"),
        "pitch_kp": Said(gains.kp, f"N m/rad, of a natural frequency of {number(gains.wish, 2)} rad/s"),
        "pitch_kd": Said(gains.kd, "N m s/rad"),
        "stiffness": Said(max(gains.stiffness, 0.0), "N m/rad, that rights it"),
        "pitch_limit": "20 deg",
        **_limits(gains, "N*m"),
        "tracking_gain": 0.5 * slow,
    }
    return Piece("dive", "control.DivePlaneController", parameters, comment="depth, by pitch, to a pitch moment")


_MAKE: dict[str, Callable[[Axis, Craft], Piece]] = {
    "X": _speed,
    "N": _heading,
    "Y": _sway,
    "Z": _depth,
}
_WIRES: dict[str, Wires] = {
    "X": [("guidance.speed", "speed.speed"), ("vessel.nu_r", "speed.nu")],
    "N": [("guidance.heading", "heading.heading"), ("vessel.eta", "heading.eta"), ("vessel.nu", "heading.nu")],
    "Y": [("vessel.nu_r[v]", "sway.u")],
    "Z": [("guidance.depth", "depth.depth"), ("vessel.eta", "depth.eta"), ("vessel.nu", "depth.nu")],
}
